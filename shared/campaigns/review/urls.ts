/** Escaped twice, an address is still read by who wants to. */
const MOST_DECODINGS = 2;

/** The words that an address is written of, for rules that look for words: what parts them is a blank. */
export function wordsOfUrl(url: string): string {
  let text = url.replace(/^https?:/iu, '');
  for (let i = 0; i < MOST_DECODINGS; i++) text = text.replaceAll(/(?:%[0-9a-f]{2})+/giu, decoded);
  return text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '') // an address may hold what hides, escaped
    .replaceAll(/[-_.+/=?&#\s]+/gu, ' ')
    .replaceAll(/ (?=\p{L}+:)/gu, '\n') // who speaks in a transcript begins a line
    .trim();
}

const decoded = (escapes: string): string => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString();
