/** How much a word's mere appearance says, by its band of frequency in everyday English (1 the most common). */
const BY_BAND = [1, 0.03, 0.15, 0.5];

/** Words to their band; what is in no band is rare. */
export type Bands = ReadonlyMap<string, number>;

/** Words to their band, from the stems of each; a stem in several is as common as its most common word. */
export function layBands(stemsByBand: readonly string[]): Bands {
  const bands = new Map<string, number>();
  stemsByBand.forEach((stems, band) => {
    for (const stem of stems.split(' ')) if (!bands.has(stem)) bands.set(stem, band + 1);
  });
  return bands;
}

/** 0.03 for "the most", 1 for a word that is not among the common ones. */
export function rarity(stem: string, bands: Bands): number {
  // Numbers and single letters turn up anywhere.
  if (stem.length === 1 || /^\d+$/.test(stem)) return stem.charCodeAt(0) > 0x7f ? 1 : BY_BAND[1]!;
  return BY_BAND[bands.get(stem) ?? 0]!;
}
