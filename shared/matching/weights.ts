/** How a conversation's words count. */
export const CONTEXT = {
  /** By kind of phrase: names, want, words. */
  kinds: [1, 1.3, 0.45],
  /** For a phrase of one word. */
  single: 0.8,
  /** Least strength of a phrase that makes a turn topical. */
  clear: 0.35,
  assistant: 0.4,
  /** Per turn of the user between a word and the newest topical turn. */
  fade: 0.75,
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
  errand: 0.6,
  /** For what is named in a message that tells something and asks for nothing. */
  telling: 0.5,
  /** For what is named in a question for an encyclopedia. */
  trivia: 0.35,
  /** Content that a message is taken to have beside its words. */
  slack: 0.5,
};

/**
 * The relevance model: a logistic regression over figures that a person can check, fitted to labelled conversations with 100
 * campaigns and to 279 made-up ones with 94 other campaigns: first to all pairs of conversation and campaign that share
 * anything (and, at a weight of 0.3, to the same with the lexicon's help taken away, so that keywords alone carry campaigns no
 * lexicon knows), then scaled so that the best campaign's claim is right as often as it says. Eight figures, no weights for
 * single words. F1 on each source with it left out of the fit: task dialogues 88.5, single questions 84.7, questions out of
 * scope 81.6, device commands 90.6, persona chat 75.0, assistant prompts 73.7 (7 of them deserve an ad).
 */
export const RELEVANCE = {
  intercept: -2.28,
  climate: { seek: -0.45, length: -0.12 } as Record<string, number>,
  /** Of a topic: logarithm of its evidence, share of the strongest squared, cover, asked, interest. None negative: bounds rely on it. */
  topic: [0.42, 1.75, 1.74, 0.34, 0.7] as [number, number, number, number, number],
  /** Of a campaign's own keywords. */
  literal: 2.66,
  /** Least relevance that may bid. */
  threshold: 0.53,
  /** Least relevance beside that of the most relevant ad. */
  beside: 0.94,
};
