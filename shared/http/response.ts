/** Headers of every API response: no caching, and no guessing of another content type. */
export const NEVER_KEPT = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

export const CSV = { 'content-type': 'text/csv; charset=utf-8' } as const;

/** A Lambda response has at most 6 MB, and each quotation mark of the body is escaped there, so it counts twice. */
const MAX_BYTES = 4_000_000;
const utf8 = new TextEncoder();

/** The first items of a list that fit into one response, and at least one, so that paging always advances. */
export function withinAnswer<T>(items: readonly T[], maxBytes = MAX_BYTES): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += utf8.encode(JSON.stringify(item)).length;
    return bytes > maxBytes;
  });
  return end === -1 ? items : items.slice(0, Math.max(1, end));
}
