import lookalikesByLatin from './lookalikes.json' with { type: 'json' };

/**
 * Letters that look like Latin ones, as described in UTS 39 (Unicode security mechanisms). The runtime's Unicode tables say which scripts
 * a letter belongs to. lookalikes.json says which letters look Latin; `npm run train -- review` extracts it from the UTS 39 data.
 */

/** A run of letters. Han and kana end it, because they are written without spaces next to names and symbols ("原厂Ω表带"). */
const WORD = /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}])+/gu;
const LATIN = /\p{Script=Latin}/u;
const SMALL_LATIN = /(?=\p{Ll})\p{Script=Latin}/u;

/** Scripts of living languages (UAX 31, table 5), each of which may form a word without other scripts. */
const SCRIPTS = `Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Khmr Knda Laoo Latn Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt`;
/**
 * Scripts that UTS 39 allows together and with Latin: Han with kana, Bopomofo, or Hangul. One list, because a Japanese ad for Korean lessons
 * mixes kana and Hangul, and no letter in one of these scripts looks like a letter in another.
 */
const EAST_ASIAN = 'Hani Hira Kana Bopo Hang';
/** Scripts that are written without a space next to a Latin name: "ใช้USBเร็ว", "בUSB", "الـiPhone". Their letters do not look Latin. */
const JOINED_TO_LATIN = 'Arab Hebr Thai Laoo Khmr Mymr Beng Deva Gujr Guru Knda Mlym Orya Sinh Taml Telu';

/** Character class for the given scripts, with the marks and letters that belong to every script. */
const toScriptClass = (codes: string): string =>
  `[${['Zyyy', 'Zinh', ...codes.split(' ')].map((code) => `\\p{Script_Extensions=${code}}`).join('')}]`;

const ALLOWED = new RegExp(
  `^(?:${[...SCRIPTS.split(' '), `${EAST_ASIAN} Latn`].map((codes) => `${toScriptClass(codes)}+`).join('|')})$`,
  'u',
);
/** A letter of a listed script. A word without one is in another script, such as Lisu or Cherokee. */
const LISTED_LETTER = new RegExp(
  `[${[...SCRIPTS.split(' '), ...EAST_ASIAN.split(' ')].map((code) => `\\p{Script=${code}}`).join('')}]`,
  'u',
);
const JOINED_TO_LATIN_PATTERNS = JOINED_TO_LATIN.split(' ').map(
  (code) => new RegExp(`^${toScriptClass(`${code} Latn`)}+$`, 'u'),
);
/** One or two letters of another script between lowercase Latin letters: "igทore". */
const ENCLOSED = /(?=\p{Ll})\p{Script=Latin}\P{Script=Latin}{1,2}(?=\p{Ll})\p{Script=Latin}/u;
/** A Latin abbreviation with a Russian ending: "SMSки". */
const ABBREVIATION = /^(?:(?=\p{Lu})\p{Script=Latin}){2,5}(?:(?=\p{Ll})\p{Script=Cyrillic})+$/u;
/** Greek letters as symbols: "TNFα", "NFκB". */
const SYMBOL = /^(?:(?=\p{Lu})\p{Script=Latin})*(?:(?=\p{Ll})\p{Script=Greek})(?:(?=\p{Lu})\p{Script=Latin})*$/u;
/** Units, differences, and angles: "μm", "kΩ", "Δt". No such letter looks like a Latin letter, so none can disguise a word. */
const UNIT =
  /^(?:\p{Script=Latin}{0,2}[ΩΔΣΦΨΠΛΘ]\p{Script=Latin}{0,2}|μ\p{Script=Latin}{1,3}|[λπφψθδ]\p{Script=Latin}{1,2})$/u;

/** Finds the first word that mixes scripts not normally written together. */
export function findMixedScriptWord(text: string): string | undefined {
  for (const [word] of text.normalize('NFC').matchAll(WORD)) if (!isAllowedWord(word)) return word;
  return undefined;
}

function isAllowedWord(word: string): boolean {
  if (ALLOWED.test(word)) return true;
  if (!LATIN.test(word)) return !LISTED_LETTER.test(word);
  if (ABBREVIATION.test(word) || SYMBOL.test(word) || UNIT.test(word)) return true;
  return JOINED_TO_LATIN_PATTERNS.some((pattern) => pattern.test(word)) && !ENCLOSED.test(word);
}

/** The one or two ASCII letters that a non-ASCII letter looks like. */
const LOOKALIKES = new Map(
  Object.entries<string>(lookalikesByLatin).flatMap(([latin, letters]) =>
    Array.from(letters, (letter) => [letter, latin] as const),
  ),
);

/** Spells a text that looks Latin in Latin letters; undefined if it is Latin already, or if a letter does not look Latin. */
export function toLookalikeLatin(text: string): string | undefined {
  if (/^\p{ASCII}*$/u.test(text)) return undefined;
  const latin = text.replaceAll(/[^\p{ASCII}]/gu, (letter) => LOOKALIKES.get(letter) ?? letter);
  return latin !== text && /^[\p{Script=Latin}\P{L}]*$/u.test(latin) && SMALL_LATIN.test(latin.toLowerCase())
    ? latin
    : undefined;
}
