/** The `\uXXXX` of JSON for every UTF-16 unit that the pattern (global) finds. */
export const escapeUnits = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
