import { escapeUnits } from '../values/escape.ts';

/** Bytes that the header x-debug-info may have: a header of 4 KB passes everywhere. */
const MOST_HEADER_BYTES = 4095;

/** JSON in ASCII: what a header can carry. */
const asciiJson = (value: unknown): string => escapeUnits(JSON.stringify(value), /[^\x20-\x7e]/g);

/** Terms of a candidate that the header has room for; none where one candidate would not fit with them. */
const MAX_TERMS = [3, 0];

interface WithTerms {
  matched?: unknown[];
}

/** The debug information as a header's value: candidates lose terms, then the last ones go, until it fits. */
export function debugHeader(debug: Record<string, unknown>): string {
  const all: WithTerms[] = Array.isArray(debug.candidates) ? debug.candidates : [];
  for (const terms of MAX_TERMS) {
    const candidates = all.map((candidate) => ({ ...candidate, matched: candidate.matched?.slice(0, terms) }));
    for (let count = candidates.length; count > 0; count--) {
      const text = asciiJson({ ...debug, candidates: candidates.slice(0, count) });
      if (text.length <= MOST_HEADER_BYTES) return text;
    }
  }
  return asciiJson(all.length > 0 ? { ...debug, candidates: [] } : debug);
}
