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
  /** For a topic that only the assistant spoke of. */
  unsaid: 0.5,
  /** For what is named in a message that commands a device. */
  errand: 0.35,
  /** Content that a message is taken to have beside its words. */
  slack: 0.5,
};

/** The relevance model: a logistic regression over figures that a person can check. */
export const RELEVANCE = {
  intercept: -3.37,
  climate: {
    smallTalk: -0.99,
    acquaintance: 0.1,
    device: -1.64,
    weather: 0,
    trivia: -0.35,
    task: 0.35,
    buy: -0.05,
    seek: -0.42,
    manage: -0.19,
    length: -0.18,
  } as Record<string, number>,
  /** Of a topic: logarithm of its evidence, share of the strongest squared, cover, asked. None negative: bounds rely on it. */
  topic: [0.54, 2.5, 3.08, 0.62] as [number, number, number, number],
  /** Of a campaign's own keywords. */
  literal: 2.19,
  /** Least relevance that may bid. */
  threshold: 0.5,
  /** Least relevance beside that of the most relevant ad. */
  beside: 0.85,
};
