/** Codes for what is written alike, and is not told apart: Norwegian, Malay and Indonesian, and what was Serbo-Croatian. */
const SAME: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', id: 'ms', bs: 'hr', sr: 'hr' };

/** The code of ISO 639-1 that languages are compared by. */
export const comparedCode = (code: string): string => SAME[code] ?? code;
