/** How a conversation's words count. */
export const CONTEXT_WEIGHTS = {
  /** By kind of phrase: names, want, words. */
  byKind: [1, 1.4, 0.35],
  /** For a phrase of one word. */
  singleWord: 0.8,
  /** Least strength of a phrase that makes a turn topical. */
  clearPhrase: 0.3,
  assistant: 0.4,
  /** Per turn of the user between a word and the newest topical turn. */
  decayPerTurn: 0.72,
  minDecay: 0.2,
  repetition: 0.15,
  /** Of a topic's evidence, for the topic that it is part of. */
  parentTopic: 0.5,
  earlierTopic: 0.5,
  /** For a topic that only the assistant spoke of. */
  assistantOnly: 0.5,
  /** For what is named in a message that has a text written. */
  writing: 0.15,
  /** For what is named in a message that commands a device. */
  deviceCommand: 0.5,
  /** For what is named in a message that tells something and asks for nothing. */
  statement: 0.5,
  /** For what is named in a question for an encyclopedia. */
  trivia: 0.35,
  /** Content that a message is taken to have beside its words. */
  unseenContent: 0.4,
};
