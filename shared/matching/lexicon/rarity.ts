/** How much a word's mere appearance says, by its band of frequency in everyday English. */
const RARITY_BY_BAND = [0.03, 0.15, 0.5];
const MAX_RARITY = 1;
/** Of the most common words. */
export const MIN_RARITY = 0.03;

/** Words to their band of frequency, 0 the most common; what is in no band is rare. */
export type FrequencyBands = ReadonlyMap<string, number>;

/** Words to their band, from the stems of each; a stem in several is as common as its most common word. */
export function toFrequencyBands(stemsByBand: readonly string[]): FrequencyBands {
  const bands = new Map<string, number>();
  stemsByBand.forEach((stems, band) => {
    for (const stem of stems.split(' ')) if (!bands.has(stem)) bands.set(stem, band);
  });
  return bands;
}

/** 0.03 for "the most", 1 for a word that is not among the common ones. */
export function getRarity(stem: string, bands: FrequencyBands): number {
  // Numbers and single letters turn up anywhere.
  if (stem.length === 1 || /^\d+$/.test(stem)) return stem.charCodeAt(0) > 0x7f ? MAX_RARITY : MIN_RARITY;
  const band = bands.get(stem);
  return band === undefined ? MAX_RARITY : (RARITY_BY_BAND[band] ?? MAX_RARITY);
}
