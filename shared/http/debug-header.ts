import { escapeUnits } from '../platform/values/characters.ts';

/** Maximum bytes of the header x-debug-info. Servers and proxies accept headers of 4 KB. */
const MAX_HEADER_BYTES = 4095;

/** JSON in ASCII, because a header value must be ASCII. */
const asciiJson = (value: unknown): string => escapeUnits(JSON.stringify(value), /[^\x20-\x7e]/g);

/** How many matched terms of a candidate to show. The second value is used if not even one candidate fits. */
const MAX_TERMS = [3, 0] as const;

interface WithTerms {
  matched?: object[];
}

/** Debug information of one auction, or of one auction per impression. */
interface Explained extends Record<string, unknown> {
  candidates?: unknown;
  imps?: unknown;
}

const getCandidates = ({ candidates }: Explained): WithTerms[] => (Array.isArray(candidates) ? candidates : []);
const getImps = ({ imps }: Explained): Explained[] => (Array.isArray(imps) ? imps : []);

/**
 * The debug information as a header value. To make it fit, it is shortened in this order: positions of the terms (except those of the
 * first candidate), the last candidates, all terms, the last impressions.
 */
export function debugHeader(debug: Explained): string {
  for (const shorter of shortened(debug)) {
    const text = asciiJson(shorter);
    if (text.length <= MAX_HEADER_BYTES) return text;
  }
  return asciiJson({ ...debug, candidates: [] });
}

/** Yields the debug information in shorter and shorter versions. */
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

/** @param placed how many candidates keep the positions of their terms */
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
