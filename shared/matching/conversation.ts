import { fold, Pieces, parts, SENTENCE_GAP } from './text.ts';
import type { Entry, Wordbook } from './wordbook.ts';

export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** A conversation as parallel columns, one entry per word of all messages in order. */
export interface Tokens {
  entries: Entry[];
  /** Number in the lexicon's vocabulary, -1 unknown. */
  vocabulary: number[];
  /** Place: grows by 1 from word to word and by more than any phrase spans from message to message. */
  at: number[];
  /** Index of the message each word stands in. */
  message: number[];
}

export function tokenize(messages: readonly Message[], wordbook: Wordbook): Tokens {
  const tokens: Tokens = { entries: [], vocabulary: [], at: [], message: [] };
  let place = 0;
  for (let message = 0; message < messages.length; message++) {
    place = add(tokens, wordbook.start, place, message);
    for (const pieces = new Pieces(fold(messages[message]!.content)); pieces.next(); ) {
      place += pieces.gap;
      if (pieces.plain) {
        const entry = wordbook.find(pieces.text, pieces.from, pieces.to, pieces.hash);
        place = add(tokens, entry, place, message);
      } else for (const word of parts(pieces.piece)) place = add(tokens, wordbook.findWord(word), place, message);
    }
    place = tokens.at.at(-1)! + SENTENCE_GAP;
  }
  return tokens;
}

/** Puts a word at a place, unless it takes none; gives the place of the next. */
function add({ entries, vocabulary, at, message }: Tokens, entry: Entry, place: number, index: number): number {
  if (entry.filler) return place;
  entries.push(entry);
  vocabulary.push(entry.vocabulary);
  at.push(place);
  message.push(index);
  return place + 1;
}
