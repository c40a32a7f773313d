/** The compiled lexicon, which functions read. Not in git. */
export const COMPILED_LEXICON = new URL('../../shared/ads/catalog/lexicon.bin', import.meta.url);

/** The texts of the lexicon. */
export const LEXICON_TEXTS = new URL('../../shared/matching/lexicon/texts/', import.meta.url);

/** The rules that detect unsafe contexts. */
export const SAFETY_TEXTS = new URL('../../shared/matching/safety/texts/', import.meta.url);

/** Output of `npm run train -- safety fit`. */
export const SAFETY_WEIGHTS = new URL('./safety-weights.bin', import.meta.url);

/** Output of `npm run train -- kinds`. */
export const KIND_WEIGHTS = new URL('./kind-weights.bin', import.meta.url);

/** Output of `npm run train -- vectors`, compiled into the lexicon. */
export const WORD_VECTORS = new URL('./word-vectors.bin', import.meta.url);
