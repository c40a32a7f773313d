/** How a conversation's words count. */
export const CONTEXT = {
  /** By kind of phrase: names, want, words. */
  kinds: [1, 1.2, 0.45],
  /** Least strength of a phrase that makes a turn topical. */
  clear: 0.45,
  assistant: 0.4,
  /** Per turn of the user between a word and the newest topical turn. */
  fade: 0.75,
  floor: 0.25,
  repeat: 0.15,
  parent: 0.2,
  movedOn: 0.5,
};

export const RELEVANCE: { intercept: number; climate: Record<string, number>; campaign: number[]; threshold: number } =
  {
    intercept: -3,
    climate: {
      smallTalk: -2,
      device: -3,
      weather: -2,
      trivia: -2,
      task: -2,
      buy: 0.5,
      seek: 0.5,
      manage: 0.2,
      length: 0,
    },
    /** Logarithm of topic evidence, share squared, literal evidence, literal evidence of the main topic. */
    campaign: [1, 1, 1, 1],
    threshold: 0.5,
  };
