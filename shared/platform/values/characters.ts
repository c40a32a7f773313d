/** Invisible characters: controls, line separators, blank braille, and Unicode's default ignorables (joiners, directions, tags …). */
const INVISIBLE = '\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb';

export const HIDDEN = new RegExp(`[${INVISIBLE}]`, 'u');

const VISIBLE = new RegExp(`[^\\s${INVISIBLE}]`, 'u');

/** Whether a text has no visible character. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

/** Replaces every UTF-16 unit that matches the pattern (global) with its JSON escape `\uXXXX`. */
export const escapeUnits = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
