/** Invisible characters: controls, line separators, blank braille, and Unicode's default ignorables (joiners, directions, tags …). */
const UNSEEN = '\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb';

export const HIDDEN = new RegExp(`[${UNSEEN}]`, 'u');

const SEEN = new RegExp(`[^\\s${UNSEEN}]`, 'u');

/** Whether a text has nothing that can be seen: it is empty, or all spaces and hidden characters. */
export const isBlank = (text: string): boolean => !SEEN.test(text);

/** The `\uXXXX` of JSON for every UTF-16 unit that the pattern (global) finds. */
export const escapeUnits = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
