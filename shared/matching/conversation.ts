import type { Lexicon } from './lexicon.ts';
import { stem } from './stem.ts';
import { SENTENCE_GAP, words } from './text.ts';

export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** A conversation as parallel columns, one entry per word of all messages in order. */
export interface Tokens {
  /** As written, folded; what explanations show. */
  said: string[];
  stems: string[];
  /** Number in the lexicon's vocabulary, -1 unknown. */
  vocabulary: Int32Array;
  /** Place: grows by 1 from word to word and by more than any phrase spans from message to message. */
  at: Int32Array;
  /** Index of the message each word stands in. */
  message: Uint16Array;
}

export function tokenize(messages: readonly Message[], lexicon: Lexicon): Tokens {
  const said: string[] = [];
  const at: number[] = [];
  const message: number[] = [];
  let offset = 0;
  messages.forEach(({ content }, index) => {
    let last = offset;
    for (const { word, at: place } of words(content)) {
      last = offset + place;
      said.push(word);
      at.push(last);
      message.push(index);
    }
    offset = last + SENTENCE_GAP;
  });
  const stems = said.map(stem);
  return {
    said,
    stems,
    vocabulary: Int32Array.from(stems, (word) => lexicon.vocabulary.get(word) ?? -1),
    at: Int32Array.from(at),
    message: Uint16Array.from(message),
  };
}
