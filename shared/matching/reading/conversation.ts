import type { Entry, Wordbook } from '../lexicon/word-cache.ts';
import { Pieces, SENTENCE_GAP } from '../text/token-scanner.ts';
import { fold, parts } from '../text/words.ts';
import type { Scratch } from './array-pool.ts';

export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** A conversation as parallel columns, one entry per word of all messages in order. */
export interface Tokens {
  entries: Entry[];
  /** Number in the lexicon's vocabulary, -1 unknown. */
  vocabulary: Int32Array;
  /** Place: grows by 1 from word to word and by more than any phrase spans from message to message. */
  at: Int32Array;
  /** Index of the message each word stands in. */
  message: Int32Array;
}

export function tokenize(messages: readonly Message[], wordbook: Wordbook, scratch: Scratch): Tokens {
  const texts = messages.map(({ content }) => fold(content));
  // Each word has a letter, and each message a mark where it starts.
  const most = texts.reduce((sum, { length }) => sum + length + 1, 0);
  const vocabulary = scratch.integers(most);
  const at = scratch.integers(most);
  const message = scratch.integers(most);
  const entries: Entry[] = [];
  let place = 0;
  const add = (entry: Entry, index: number) => {
    if (entry.filler) return;
    const token = entries.push(entry) - 1;
    vocabulary[token] = entry.vocabulary;
    at[token] = place++;
    message[token] = index;
  };
  for (let index = 0; index < texts.length; index++) {
    add(wordbook.start, index);
    for (const pieces = new Pieces(texts[index]!); pieces.next(); ) {
      place += pieces.gap;
      if (pieces.plain) add(wordbook.find(pieces.text, pieces.from, pieces.to, pieces.hash), index);
      else for (const word of parts(pieces.piece)) add(wordbook.findWord(word), index);
    }
    place = at[entries.length - 1]! + SENTENCE_GAP;
  }
  const { length } = entries;
  return {
    entries,
    vocabulary: vocabulary.subarray(0, length),
    at: at.subarray(0, length),
    message: message.subarray(0, length),
  };
}
