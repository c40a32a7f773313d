/** Weights of a conversation's words and topics. */
export const CONTEXT_WEIGHTS = {
  /** By kind of phrase: names, want, words. */
  byKind: [1, 1.4, 0.35],
  /** For a phrase of one word. */
  singleWord: 0.8,
  /** Minimum strength of a phrase that makes a turn topical. */
  clearPhrase: 0.3,
  assistant: 0.4,
  /** Per user turn between a word and the newest topical turn. */
  decayPerTurn: 0.72,
  minDecay: 0.2,
  repetition: 0.15,
  /** Share of a topic's evidence that its ancestors get. */
  parentTopic: 0.5,
  earlierTopic: 0.5,
  /** For a topic that only the assistant mentioned. */
  assistantOnly: 0.5,
  /** For a mention in a message that asks for a text to be written. */
  writing: 0.15,
  /** For a mention in a command to a device. */
  deviceCommand: 0.5,
  /** For a mention in a message that states something and asks for nothing. */
  statement: 0.5,
  /** For a mention in a question for an encyclopedia. */
  trivia: 0.35,
  /** Content that a message is assumed to have in addition to its words. */
  unseenContent: 0.4,
};
