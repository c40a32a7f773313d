import type { WordRules } from '../language/word-rules.ts';
import type { NumberedText } from '../lexicon/phrases.ts';
import type { CachedWord, WordCache } from '../lexicon/word-cache.ts';
import { SENTENCE_GAP, TokenScanner } from '../text/token-scanner.ts';
import type { ArrayPool } from './arrays.ts';

export interface Message {
  role: 'user' | 'assistant';
  content: string;
  /** The start of the user's message that truncation removed. Read only for distress. */
  older?: string;
  /** Topic numbers of the categories, if the content is category names. Such a message states its topics and nothing else. */
  topics?: readonly number[];
}

/** The words of a conversation, all messages in order, as parallel columns. */
export class Tokens implements NumberedText {
  readonly words: readonly CachedWord[];
  readonly wordNumbers: Int32Array;
  /** Adjacent words differ by 1; between messages the distance is longer than any phrase. */
  readonly positions: Int32Array;
  /** By token, the index of its message. */
  readonly messages: Int32Array;
  /** By message, the flags of the stop words that were left out. */
  readonly stopWordFlags: Int32Array;

  constructor(
    words: readonly CachedWord[],
    wordNumbers: Int32Array,
    positions: Int32Array,
    messages: Int32Array,
    stopWordFlags: Int32Array,
  ) {
    this.words = words;
    this.wordNumbers = wordNumbers.subarray(0, words.length);
    this.positions = positions.subarray(0, words.length);
    this.messages = messages.subarray(0, words.length);
    this.stopWordFlags = stopWordFlags;
  }

  get length(): number {
    return this.words.length;
  }

  word(token: number): CachedWord {
    return this.words[token]!;
  }

  wordNumber(token: number): number {
    return this.wordNumbers[token]!;
  }

  position(token: number): number {
    return this.positions[token]!;
  }

  message(token: number): number {
    return this.messages[token]!;
  }
}

export function tokenize(
  messages: readonly Message[],
  wordCache: WordCache,
  rules: WordRules,
  pool: ArrayPool,
): Tokens {
  const texts = messages.map(({ content }) => rules.fold(content));
  // Upper bound: each word has a letter, and each message has a start token.
  const capacity = texts.reduce((sum, { length }) => sum + length + 1, 0);
  const wordNumbers = pool.int32(capacity);
  const positions = pool.int32(capacity);
  const messageByToken = pool.int32(capacity);
  const stopWordFlags = pool.int32(messages.length);
  const words: CachedWord[] = [];
  const { batch } = wordCache;
  let position = 0;
  let last = 0;
  const add = (word: CachedWord, message: number) => {
    if (word.isStopWord) {
      stopWordFlags[message]! |= word.stopWordFlag;
      return;
    }
    last = position++;
    const token = words.push(word) - 1;
    wordNumbers[token] = word.vocabulary;
    positions[token] = last;
    messageByToken[token] = message;
  };
  for (const [message, text] of texts.entries()) {
    add(wordCache.messageStart, message);
    for (const scanner = new TokenScanner(text); batch.take(scanner); ) {
      const found = wordCache.findAll(text, rules);
      for (let i = 0; i < batch.length; i++) {
        position += batch.gap[i]!;
        const word = found[i];
        if (word) add(word, message);
        else
          for (const part of rules.split(text.slice(batch.from[i], batch.to[i])))
            add(wordCache.findWord(part, rules), message);
      }
    }
    position = last + SENTENCE_GAP;
  }
  return new Tokens(words, wordNumbers, positions, messageByToken, stopWordFlags);
}
