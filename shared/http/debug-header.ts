import { escapeUnits } from '../platform/values/characters.ts';

/** Bytes that the header x-debug-info may have: a header of 4 KB passes everywhere. */
const MAX_HEADER_BYTES = 4095;

/** JSON in ASCII: what a header can carry. */
const asciiJson = (value: unknown): string => escapeUnits(JSON.stringify(value), /[^\x20-\x7e]/g);

/** Terms of a candidate that the header has room for; none where one candidate would not fit with them. */
const MAX_TERMS = [3, 0] as const;

interface WithTerms {
  matched?: object[];
}

/** What explains one auction, or the auctions of several impressions. */
interface Explained extends Record<string, unknown> {
  candidates?: unknown;
  imps?: unknown;
}

const getCandidates = ({ candidates }: Explained): WithTerms[] => (Array.isArray(candidates) ? candidates : []);
const getImps = ({ imps }: Explained): Explained[] => (Array.isArray(imps) ? imps : []);

/**
 * The debug information as a header's value. Until it fits, all candidates but the first lose the positions of their terms, then the last
 * candidates go, then all terms, then the last impressions.
 */
export function debugHeader(debug: Explained): string {
  for (const shorter of shortened(debug)) {
    const text = asciiJson(shorter);
    if (text.length <= MAX_HEADER_BYTES) return text;
  }
  return asciiJson({ ...debug, candidates: [] });
}

/** The same, ever shorter. */
function* shortened(debug: Explained): Generator<Explained> {
  const imps = getImps(debug);
  const maxCandidates = Math.max(...[debug, ...imps].map((one) => getCandidates(one).length));
  if (maxCandidates === 0) yield debug;
  yield cut(debug, MAX_TERMS[0], maxCandidates, maxCandidates);
  for (const terms of MAX_TERMS) for (let count = maxCandidates; count > 0; count--) yield cut(debug, terms, count);
  for (let count = imps.length; count > 0; count--) {
    yield { ...debug, imps: imps.slice(0, count).map(({ impid, reason }) => ({ impid, reason })) };
  }
}

/** @param placed candidates whose terms keep their positions */
function cut(debug: Explained, terms: number, count: number, placed = 1): Explained {
  const candidates = getCandidates(debug)
    .slice(0, count)
    .map((candidate, index) => ({
      ...candidate,
      matched: candidate.matched
        ?.slice(0, terms)
        .map((term) => (index < placed || !('positions' in term) ? term : { ...term, positions: [] })),
    }));
  return {
    ...debug,
    ...(debug.candidates !== undefined && { candidates }),
    ...(debug.imps !== undefined && { imps: getImps(debug).map((imp) => cut(imp, terms, count, placed)) }),
  };
}
