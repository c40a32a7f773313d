/** How a conversation's words count. */
export const CONTEXT = {
  /** By kind of phrase: names, want, words. */
  kinds: [1, 1.4, 0.35],
  /** For a phrase of one word. */
  single: 0.8,
  /** Least strength of a phrase that makes a turn topical. */
  clear: 0.3,
  assistant: 0.4,
  /** Per turn of the user between a word and the newest topical turn. */
  fade: 0.72,
  floor: 0.2,
  repeat: 0.15,
  /** Of a topic's evidence, for the topic that it is part of. */
  above: 0.5,
  movedOn: 0.5,
  /** For a topic that only the assistant spoke of. */
  unsaid: 0.5,
  /** For what is named in a message that has a text written. */
  writing: 0.15,
  /** For what is named in a message that commands a device. */
  errand: 0.5,
  /** For what is named in a message that tells something and asks for nothing. */
  telling: 0.5,
  /** For what is named in a question for an encyclopedia. */
  trivia: 0.35,
  /** Content that a message is taken to have beside its words. */
  slack: 0.4,
};

/**
 * The relevance model: a logistic regression over eight figures that a person can check, no weight for a single word. The numbers
 * are what `npm run fit` gives for 3,379 judged conversations of six public sources: fitted to all campaigns that share anything
 * with a conversation (and, at a weight of 0.3, to their keywords alone, so that these carry campaigns no lexicon knows). The same
 * command says how each source fares when it is left out of the fit; see the README.
 */
export const RELEVANCE = {
  intercept: -3.45,
  climate: { seek: -0.89, length: -0.15 } as Record<string, number>,
  /** Of a topic: logarithm of its evidence, share of the strongest squared, cover, asked, interest. None negative: bounds rely on it. */
  topic: [0.3, 2.7, 2.68, 0.66, 1.81] as [number, number, number, number, number],
  /** Of a campaign's own keywords. */
  literal: 4.41,
  /** How the regression's claims are bent to what came true; `low` and `high` positive. */
  claim: { shift: 1.42, low: 1.01, high: 0.4 },
  /** Least relevance that may bid. */
  threshold: 0.57,
  /** Least relevance beside that of the most relevant ad. */
  beside: 0.96,
};
