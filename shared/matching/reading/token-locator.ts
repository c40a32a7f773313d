import type { WordRules } from '../language/word-rules.ts';
import { type FoldOffsets, mapFoldOffsets } from '../text/fold.ts';
import { TokenScanner } from '../text/token-scanner.ts';
import type { ConversationReading } from './read-conversation.ts';
import type { Message } from './tokens.ts';

/** A part of a message's content, from one UTF-16 code unit to before another. */
export interface TextRange {
  start: number;
  end: number;
}

/** A message with the ranges of its words, in its text as it was folded. */
interface LocatedMessage {
  content: string;
  /** How much of the content was too old to be read. */
  unread: number;
  firstToken: number;
  words: TextRange[];
  offsets: FoldOffsets;
}

/** Finds tokens in the messages as they were sent, for explanations: a reading itself keeps no places, since hardly anybody asks. */
export class TokenLocator {
  readonly #reading: ConversationReading;
  readonly #sent: readonly Message[];
  readonly #placed = new Map<number, LocatedMessage | undefined>();

  constructor(reading: ConversationReading, sent: readonly Message[]) {
    this.#reading = reading;
    this.#sent = sent;
  }

  /** Where those of some tokens stand that are in a message, neighbors together; nothing where that cannot be told. */
  findRanges(tokens: readonly number[], message: number): TextRange[] {
    const placed = this.#placedMessage(message);
    if (!placed) return [];
    const { content, unread, firstToken, words, offsets } = placed;
    const ranges: TextRange[] = [];
    for (const token of [...new Set(tokens)].sort((a, b) => a - b)) {
      const word = words[token - firstToken];
      if (!word || word.end === word.start) continue;
      const start = unread + offsets.start(word.start);
      const end = unread + offsets.end(word.end - 1);
      const last = ranges.at(-1);
      if (last && content.slice(last.end, start).trim() === '') last.end = Math.max(last.end, end);
      else ranges.push({ start, end });
    }
    return ranges;
  }

  #placedMessage(message: number): LocatedMessage | undefined {
    if (!this.#placed.has(message)) this.#placed.set(message, this.#place(message));
    return this.#placed.get(message);
  }

  #place(message: number): LocatedMessage | undefined {
    const { messages, tokens, lexicon, language } = this.#reading;
    const { content = '' } = this.#sent[message] ?? {};
    const { content: read = '' } = messages[message] ?? {};
    // A part that had to be spelled out to be bounded has other places.
    if (!content.endsWith(read)) return undefined;
    const rules = lexicon.wordRules.get(language);
    const folded = rules.fold(read);
    const offsets = mapFoldOffsets(read, folded, rules.fold);
    const words = findWordRanges(folded, rules);
    // The first token stands for the start of the message.
    const firstToken = tokens.messages.indexOf(message) + 1;
    const isWhole = tokens.messages.lastIndexOf(message) + 1 - firstToken === words.length;
    return offsets && isWhole
      ? { content, unread: content.length - read.length, firstToken, words, offsets }
      : undefined;
  }
}

/** The ranges of a text's words, cut as `tokenize` cuts them. */
function findWordRanges(folded: string, rules: WordRules): TextRange[] {
  const ranges: TextRange[] = [];
  for (const scanner = new TokenScanner(folded); scanner.next(); ) {
    const { token, from, to, isWord } = scanner;
    let behind = 0;
    for (const word of isWord ? [token] : rules.split(token)) {
      const found = findSpelling(word, token, behind);
      const range = found ? { start: from + found.start, end: from + found.end } : { start: from, end: to };
      behind = found?.end ?? token.length;
      if (!rules.stopWords.has(word)) ranges.push(range);
    }
  }
  return ranges;
}

/**
 * Where a token writes a word, from an index on: its characters in their order, with an apostrophe or dots between, "don't" and "u.s". They
 * are looked for one by one, so that a token of thousands of words is gone through once.
 */
function findSpelling(word: string, token: string, from: number): TextRange | undefined {
  const start = token.indexOf(word[0] ?? '', from);
  let end = start;
  for (let i = 0; i < word.length; i++) {
    const at = token.indexOf(word[i]!, end);
    if (at < 0) return undefined;
    end = at + 1;
  }
  return { start, end };
}
