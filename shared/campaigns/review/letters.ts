/** Letters that look like those of the alphabet, and that no normal form of Unicode makes them. */
const SMALL_CAPITALS = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'].map((letter, i) => [letter, 'abcdefghijklmnopqrstuvwyz'[i]!] as const),
);
/** The first of each row of 26: white on black in circles and in squares, and of flags. */
const [CIRCLED, SQUARED, OF_FLAGS] = [0x1f150, 0x1f170, 0x1f1e6];
const LOOKALIKE = new RegExp(`[${[...SMALL_CAPITALS.keys()].join('')}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]`, 'gu');
const FLAG = '\\p{RGI_Emoji_Flag_Sequence}';
const FLAGS = new RegExp(`^(?:${FLAG})+$`, 'v');

const letterFrom = (first: number, sign: string): string => String.fromCharCode(65 + sign.codePointAt(0)! - first);

/** A text with plain letters for those that only look like them: small capitals, letters in black squares, letters of flags that are none. */
const withPlainLetters = (text: string): string =>
  text
    .replaceAll(
      LOOKALIKE,
      (sign) => SMALL_CAPITALS.get(sign) ?? letterFrom(sign < '\u{1f170}' ? CIRCLED : SQUARED, sign),
    )
    .replaceAll(/\p{Regional_Indicator}+/gu, (run) =>
      FLAGS.test(run) ? run : Array.from(run, (sign) => letterFrom(OF_FLAGS, sign)).join(''),
    );

/** Tags that only set words in another face. */
const FACES = /<\/?(?:b|i|u|em|strong|small|su[bp]|h[1-6])>/giu;

/** A text as it is meant to be read: plain letters, in one face. */
export const toPlainText = (text: string): string => withPlainLetters(text.normalize('NFKC')).replaceAll(FACES, '');
