import lookalikesByLatin from './lookalikes.json' with { type: 'json' };

/**
 * Letters that look like Latin ones, as UTS 39 (Unicode security mechanisms) describes them. A letter's scripts come from the runtime's
 * own Unicode tables; which letters look Latin comes from the table of UTS 39, of which `npm run train -- review` keeps that part.
 */

/** A run of letters. Han and kana end it: they set no blanks, so a name or a symbol stands right beside them ("原厂Ω表带"). */
const WORD = /(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}])+/gu;
const LATIN = /\p{Script=Latin}/u;
const SMALL_LATIN = /(?=\p{Ll})\p{Script=Latin}/u;

/** The scripts of living languages (UAX 31, table 5) that are written by themselves. */
const SCRIPTS = `Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Khmr Knda Laoo Latn Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt`;
/**
 * Scripts that UTS 39 allows together, and beside Latin: Han with kana, with Bopomofo, or with Hangul. They are one list, because a
 * Japanese ad for Korean lessons has Hangul beside kana, and none of these letters passes for one of the others.
 */
const EAST_ASIAN = 'Hani Hira Kana Bopo Hang';
/** Scripts whose readers set no blank between a Latin name and its neighbors: "ใช้USBเร็ว", "בUSB", "الـiPhone". None of their alphabets looks like Latin. */
const BESIDE_LATIN = 'Arab Hebr Thai Laoo Khmr Mymr Beng Deva Gujr Guru Knda Mlym Orya Sinh Taml Telu';

/** A class of characters that may be of one of some scripts. Marks and letters of no script of their own are of each. */
const ofScripts = (codes: string): string =>
  `[${['Zyyy', 'Zinh', ...codes.split(' ')].map((code) => `\\p{Script_Extensions=${code}}`).join('')}]`;

const ALLOWED = new RegExp(
  `^(?:${[...SCRIPTS.split(' '), `${EAST_ASIAN} Latn`].map((codes) => `${ofScripts(codes)}+`).join('|')})$`,
  'u',
);
/** The same without the scripts that anything common is of: a word of a script that is in no list above, such as Lisu or Cherokee. */
const LISTED = new RegExp(
  `[${[...SCRIPTS.split(' '), ...EAST_ASIAN.split(' ')].map((code) => `\\p{Script=${code}}`).join('')}]`,
  'u',
);
const WITH_LATIN = BESIDE_LATIN.split(' ').map((code) => new RegExp(`^${ofScripts(`${code} Latn`)}+$`, 'u'));
/** A letter or two of another script within Latin small letters: "igทore". */
const ENCLOSED = /(?=\p{Ll})\p{Script=Latin}\P{Script=Latin}{1,2}(?=\p{Ll})\p{Script=Latin}/u;
/** A Latin abbreviation with a Cyrillic ending, as Russian writes it: "SMSки". */
const ABBREVIATION = /^(?:(?=\p{Lu})\p{Script=Latin}){2,5}(?:(?=\p{Ll})\p{Script=Cyrillic})+$/u;
/** Greek letters as symbols: "TNFα", "NFκB". */
const SYMBOL = /^(?:(?=\p{Lu})\p{Script=Latin})*(?:(?=\p{Ll})\p{Script=Greek})(?:(?=\p{Lu})\p{Script=Latin})*$/u;
/** Units, differences and angles: "μm", "kΩ", "Δt". None of these letters looks like a Latin one that could stand for it in a word. */
const UNIT =
  /^(?:\p{Script=Latin}{0,2}[ΩΔΣΦΨΠΛΘ]\p{Script=Latin}{0,2}|μ\p{Script=Latin}{1,3}|[λπφψθδ]\p{Script=Latin}{1,2})$/u;

/** The first word of a text whose letters are of two scripts that are not written together; undefined where there is none. */
export function findMixedScriptWord(text: string): string | undefined {
  for (const [word] of text.normalize('NFC').matchAll(WORD)) if (!isOfOneScript(word)) return word;
  return undefined;
}

function isOfOneScript(word: string): boolean {
  if (ALLOWED.test(word)) return true;
  if (!LATIN.test(word)) return !LISTED.test(word);
  if (ABBREVIATION.test(word) || SYMBOL.test(word) || UNIT.test(word)) return true;
  return WITH_LATIN.some((pattern) => pattern.test(word)) && !ENCLOSED.test(word);
}

/** By letter that is none of ASCII, the one or two letters of ASCII that it looks like. */
const LOOKALIKES = new Map(
  Object.entries<string>(lookalikesByLatin).flatMap(([latin, letters]) =>
    Array.from(letters, (letter) => [letter, latin] as const),
  ),
);

/** A text whose words look Latin, in Latin letters; undefined where it is Latin already or has a word that looks otherwise. */
export function toLookalikeLatin(text: string): string | undefined {
  if (/^\p{ASCII}*$/u.test(text)) return undefined;
  const latin = text.replaceAll(/[^\p{ASCII}]/gu, (letter) => LOOKALIKES.get(letter) ?? letter);
  return latin !== text && /^[\p{Script=Latin}\P{L}]*$/u.test(latin) && SMALL_LATIN.test(latin.toLowerCase())
    ? latin
    : undefined;
}
