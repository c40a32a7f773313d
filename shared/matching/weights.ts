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
  parent: 0.05,
  movedOn: 0.5,
};

export const RELEVANCE: { intercept: number; climate: Record<string, number>; campaign: number[]; threshold: number } =
  {
    intercept: -3.28,
    climate: { smallTalk: -0.85, device: -1.82, weather: -0.53, trivia: 0.38, task: 0.08, buy: -0.17, seek: 0.11, manage: 0.08, length: -0.34 },
    /** Logarithm of topic evidence, share squared, literal evidence, literal evidence of the main topic. */
    campaign: [0.9, 2.51, 5.3, -2.57],
    threshold: 0.62,
  };
