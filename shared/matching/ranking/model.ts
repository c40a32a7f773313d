/**
 * The relevance model: a logistic regression over eight features that a person can check, no weight for a single word. The numbers are
 * what `npm run fit` gives for 3,379 judged conversations of six public sources: fitted to all campaigns that share anything with a
 * conversation (and, at a weight of 0.3, to their keywords alone, so that these carry campaigns no lexicon knows). The same command
 * says how each source fares when it is left out of the fit; see the README.
 */
export const RELEVANCE_MODEL = {
  intercept: -3.45,
  /** Of the conversation as a whole: that something is asked for, and the logarithm of its length. */
  context: { request: -0.89, length: -0.15 },
  /**
   * Of a topic: the logarithm of its evidence, its share of the strongest evidence squared, its coverage, whether it was asked for, and
   * its interest. None negative: score bounds rely on it.
   */
  topic: { evidence: 0.3, share: 2.7, coverage: 2.68, requested: 0.66, interest: 1.81 },
  /** Of the evidence of a campaign's own keywords. */
  keywords: 4.41,
  /** Beta calibration of what the regression gives; `low` and `high` positive. */
  calibration: { shift: 1.42, low: 1.01, high: 0.4 },
  /** Least relevance that may bid. */
  threshold: 0.57,
  /** Least relevance beside that of the most relevant ad, as a share of it. */
  relativeThreshold: 0.96,
};
