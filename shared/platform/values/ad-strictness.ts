import type { AdStrictness } from '../../matching/index.ts';

/** The levels of a key's `adStrictness`, strictest first. */
export const AD_STRICTNESS = ['strict', 'balanced', 'open'] as const satisfies readonly AdStrictness[];

export type Thresholds = Readonly<Record<AdStrictness, number>>;

/** The strictest level that a relevance reaches; null if it reaches none. */
export const findLevel = (relevance: number, thresholds: Thresholds): AdStrictness | null =>
  AD_STRICTNESS.find((level) => relevance >= thresholds[level]) ?? null;
