/** Bytes that the header x-debug-info may have (decisions, section 5). */
const MOST_HEADER_BYTES = 4095;

/** JSON in ASCII: what a header can carry. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Terms of a candidate that the header has room for, so that one candidate at least always fits. */
const MOST_TERMS = 3;

interface Cuttable {
  matched?: unknown[];
}

/** The debug information as a header's value: candidates lose terms, then the last ones go, until it fits. */
export function debugHeader(debug: Record<string, unknown>): string {
  const all: Cuttable[] = Array.isArray(debug.candidates) ? debug.candidates : [];
  const candidates = all.map((candidate) => ({ ...candidate, matched: candidate.matched?.slice(0, MOST_TERMS) }));
  for (let count = candidates.length; count >= 0; count--) {
    const text = asciiJson(candidates.length > 0 ? { ...debug, candidates: candidates.slice(0, count) } : debug);
    if (text.length <= MOST_HEADER_BYTES || count === 0) return text;
  }
  return '{}';
}
