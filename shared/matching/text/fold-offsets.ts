/** Starts a new piece of a text, so that folding piece by piece gives what folding the whole gives. */
const PIECE = /[^\p{M}\u1160-\u11ff\u0e32\u0eb2\uff9e\uff9f][\p{M}\u1160-\u11ff\u0e32\u0eb2\uff9e\uff9f]*|[\s\S]/gu;
const ASCII = /^[\0-\x7f]*$/;

/** By index of a folded text: where the character that it came from begins and ends in the text as it was written. */
export interface FoldOffsets {
  start(index: number): number;
  end(index: number): number;
}

const SAME: FoldOffsets = { start: (index) => index, end: (index) => index + 1 };

/**
 * Leads from a folded text back to the text as it was written: folding drops accents and invisible characters and spells out others.
 * Undefined for the rare text whose characters fold otherwise by themselves than side by side.
 */
export function foldOffsets(text: string, folded: string, fold: (text: string) => string): FoldOffsets | undefined {
  if (ASCII.test(text)) return SAME;
  const starts = new Int32Array(folded.length);
  const ends = new Int32Array(folded.length);
  const lengths = new Map<string, number>();
  let at = 0;
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const length = lengths.get(piece) ?? fold(piece).length;
    lengths.set(piece, length);
    if (at + length > folded.length) return undefined;
    starts.fill(index, at, at + length);
    ends.fill(index + piece.length, at, at + length);
    at += length;
  }
  return at === folded.length ? { start: (index) => starts[index] ?? 0, end: (index) => ends[index] ?? 0 } : undefined;
}
