/** How a conversation's words count. */
export const CONTEXT = {
  /** By kind of phrase: names, want, words. */
  kinds: [1, 1.2, 0.45],
  /** For a phrase of one word. */
  single: 0.8,
  /** Least strength of a phrase that makes a turn topical. */
  clear: 0.4,
  assistant: 0.4,
  /** Per turn of the user between a word and the newest topical turn. */
  fade: 0.75,
  floor: 0.25,
  repeat: 0.15,
  /** Most evidence of a topic, relative to that of a topic within it. */
  parent: 0.8,
  movedOn: 0.5,
  /** For what is named in a message that commands a device. */
  errand: 0.35,
  /** Content that a message is taken to have beside its words. */
  slack: 0.5,
};

/** The relevance model: a logistic regression over figures that a person can check. */
export const RELEVANCE = {
  intercept: -2.95,
  climate: {
    smallTalk: -1.11,
    acquaintance: 0.14,
    device: -0.98,
    weather: 0.04,
    trivia: 0.04,
    task: 0.83,
    buy: -0.1,
    seek: -0.11,
    manage: 0.01,
    length: -0.32,
  } as Record<string, number>,
  /** Of a topic: logarithm of its evidence, share of the strongest squared, cover, asked. None negative: bounds rely on it. */
  topic: [0.75, 2.42, 1.95, 0.09] as [number, number, number, number],
  /** Of a campaign's own keywords. */
  literal: 2.71,
  /** Least relevance that may bid. */
  threshold: 0.55,
  /** Least relevance beside that of the most relevant ad. */
  beside: 0.85,
};
