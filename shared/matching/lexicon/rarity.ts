/** Rarity by frequency band in everyday English. */
const RARITY_BY_BAND = [0.03, 0.15, 0.5];
const MAX_RARITY = 1;
/** Rarity of the most common words. */
export const MIN_RARITY = 0.03;

/** Frequency bands by word; band 0 is the most common. A word without a band is rare. */
export type FrequencyBands = ReadonlyMap<string, number>;

/** Builds the bands from the stems of each. A stem in several bands belongs to the most common one. */
export function toFrequencyBands(stemsByBand: readonly string[]): FrequencyBands {
  const bands = new Map<string, number>();
  stemsByBand.forEach((stems, band) => {
    for (const stem of stems.split(' ')) if (!bands.has(stem)) bands.set(stem, band);
  });
  return bands;
}

/** How informative a word is: 0.03 for "the", 1 for a word that is not common. */
export function getRarity(stem: string, bands: FrequencyBands): number {
  // Numbers and single letters appear in any text.
  if (stem.length === 1 || /^\d+$/.test(stem)) return stem.charCodeAt(0) > 0x7f ? MAX_RARITY : MIN_RARITY;
  const band = bands.get(stem);
  return band === undefined ? MAX_RARITY : (RARITY_BY_BAND[band] ?? MAX_RARITY);
}
