import type { Lexicon } from './lexicon.ts';
import { stem } from './stem.ts';
import { SENTENCE_GAP, START, words } from './text.ts';

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
    said.push(START);
    at.push(offset);
    message.push(index);
    let last = offset;
    for (const { word, at: place } of words(content)) {
      last = offset + 1 + place;
      said.push(word);
      at.push(last);
      message.push(index);
    }
    offset = last + SENTENCE_GAP;
  });
  const stems = said.map(stem);
  const vocabulary = new Int32Array(stems.length);
  for (let token = 0; token < stems.length; token++) vocabulary[token] = lexicon.vocabulary.get(stems[token]!) ?? -1;
  return { said, stems, vocabulary, at: new Int32Array(at), message: new Uint16Array(message) };
}
