/** What nobody sees: control characters, line separators, blank braille, and what Unicode says is shown as nothing (joiners, directions, tags …). */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/** Scripts whose letters join, or form conjuncts: there a joiner or a non-joiner changes what is read. */
const JOINING = [
  'Arab Syrc Mand Nkoo Mong Phag Adlm Rohg Mani Sogd',
  'Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Java Bali Cakm Mtei',
]
  .flatMap((codes) => codes.split(' '))
  .map((code) => `\\p{Script_Extensions=${code}}`)
  .join('');

/** Where a script or an emoji needs one of them. */
const NEEDED = new RegExp(
  [
    // Between two letters of such a script: می‌خواهم, क्‍ष.
    `(?<=[${JOINING}])(?<=[\\p{L}\\p{M}])[\\u200c\\u200d](?=[${JOINING}])(?=[\\p{L}\\p{M}])`,
    // Forms of a Mongolian letter, and the separator before its last vowel.
    '(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]',
    // Variants of a Han character.
    '(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    // Emoji: their form, what joins them, keycaps, and the flags of England, Scotland and Wales.
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}])[\\ufe0e\\ufe0f]',
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    ...['gbeng', 'gbsct', 'gbwls'].map((flag) => `(?<=\\u{1f3f4})${tags(flag)}\\u{e007f}`),
  ].join('|'),
  'gu',
);

function tags(letters: string): string {
  return [...letters].map((letter) => `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`).join('');
}

/** The first character of a text that hides and is not needed, as U+200B; undefined when there is none. */
export function hiddenIn(text: string): string | undefined {
  const [found] = HIDDEN.exec(text.replace(NEEDED, '')) ?? [];
  return found && `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
