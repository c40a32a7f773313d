/** Lambda gives at most 6 MB, in which each quotation mark of the body counts twice. */
const MOST_BYTES = 4_000_000;
const utf8 = new TextEncoder();

/** The first of a list, as many as fit into one answer; at least one, so that whoever asks for what follows gets on. */
export function withinAnswer<T>(items: readonly T[], mostBytes = MOST_BYTES): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += utf8.encode(JSON.stringify(item)).length;
    return bytes > mostBytes;
  });
  return end === -1 ? items : items.slice(0, Math.max(1, end));
}
