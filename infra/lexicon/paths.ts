/** The compiled lexicon, which functions read: it is not kept in git. */
export const COMPILED_LEXICON = new URL('../../shared/ads/catalog/lexicon.bin', import.meta.url);

/** The texts that it is compiled from. */
export const LEXICON_TEXTS = new URL('../../shared/matching/lexicon/texts/', import.meta.url);

/** The rules that tell unsafe contexts. */
export const SAFETY_TEXTS = new URL('../../shared/matching/safety/texts/', import.meta.url);

/** What `npm run train -- safety fit` has learned. */
export const SAFETY_WEIGHTS = new URL('./safety-weights.bin', import.meta.url);

/** What `npm run train -- vectors` has learned, and the build puts into the compiled lexicon. */
export const WORD_VECTORS = new URL('./word-vectors.bin', import.meta.url);
