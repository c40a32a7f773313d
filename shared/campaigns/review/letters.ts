/** Small capitals, which Unicode normalization does not turn into plain letters. */
const SMALL_CAPITALS = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ'].map((letter, i) => [letter, 'abcdefghijklmnopqrstuvwyz'[i]!] as const),
);
/** Code points of the first letter of three alphabets: in black circles, in black squares, and regional indicators (flags). */
const [CIRCLED, SQUARED, REGIONAL] = [0x1f150, 0x1f170, 0x1f1e6];
const LOOKALIKE = new RegExp(`[${[...SMALL_CAPITALS.keys()].join('')}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]`, 'gu');
const FLAG = '\\p{RGI_Emoji_Flag_Sequence}';
const FLAGS = new RegExp(`^(?:${FLAG})+$`, 'v');

const toLetter = (first: number, sign: string): string => String.fromCharCode(65 + sign.codePointAt(0)! - first);

/** Replaces letters that only look like plain ones: small capitals, letters in black circles or squares, and flag letters that form no flag. */
const replaceLookalikes = (text: string): string =>
  text
    .replaceAll(LOOKALIKE, (sign) => SMALL_CAPITALS.get(sign) ?? toLetter(sign < '\u{1f170}' ? CIRCLED : SQUARED, sign))
    .replaceAll(/\p{Regional_Indicator}+/gu, (run) =>
      FLAGS.test(run) ? run : Array.from(run, (sign) => toLetter(REGIONAL, sign)).join(''),
    );

/** HTML tags that only change how text looks. */
const STYLE_TAGS = /<\/?(?:b|i|u|em|strong|small|su[bp]|h[1-6])>/giu;

/** Converts a text to plain letters without styling. */
export const toPlainText = (text: string): string =>
  replaceLookalikes(text.normalize('NFKC')).replaceAll(STYLE_TAGS, '');
