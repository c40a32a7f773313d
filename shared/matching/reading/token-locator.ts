import type { WordRules } from '../language/word-rules.ts';
import { type FoldOffsets, mapFoldOffsets } from '../text/fold.ts';
import { TokenScanner } from '../text/token-scanner.ts';
import type { ConversationReading } from './read-conversation.ts';
import type { Message } from './tokens.ts';

/** A part of a message's content in UTF-16 code units; `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** A message with the ranges of its words in its folded text. */
interface LocatedMessage {
  content: string;
  /** Length of the start of the content that was too old to be read. */
  unread: number;
  firstToken: number;
  words: TextRange[];
  offsets: FoldOffsets;
}

/**
 * Locates tokens in the original messages, for explanations. A reading does not store positions, because few requests
 * need them.
 */
export class TokenLocator {
  readonly #reading: ConversationReading;
  readonly #originals: readonly Message[];
  readonly #located = new Map<number, LocatedMessage | undefined>();

  constructor(reading: ConversationReading, originals: readonly Message[]) {
    this.#reading = reading;
    this.#originals = originals;
  }

  /** The ranges of the given tokens that are in a message, with neighbors merged; empty if unknown. */
  findRanges(tokens: readonly number[], message: number): TextRange[] {
    const located = this.#getLocatedMessage(message);
    if (!located) return [];
    const { content, unread, firstToken, words, offsets } = located;
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

  #getLocatedMessage(message: number): LocatedMessage | undefined {
    if (!this.#located.has(message)) this.#located.set(message, this.#locate(message));
    return this.#located.get(message);
  }

  #locate(message: number): LocatedMessage | undefined {
    const { messages, tokens, lexicon, language } = this.#reading;
    const { content = '' } = this.#originals[message] ?? {};
    const { content: truncated = '' } = messages[message] ?? {};
    // Truncation expanded the text, so positions differ.
    if (!content.endsWith(truncated)) return undefined;
    const rules = lexicon.wordRules.get(language);
    const folded = rules.fold(truncated);
    const offsets = mapFoldOffsets(truncated, folded, rules.fold);
    const words = findWordRanges(folded, rules);
    // Skip the token for the start of the message.
    const firstToken = tokens.messages.indexOf(message) + 1;
    const isWhole = tokens.messages.lastIndexOf(message) + 1 - firstToken === words.length;
    return offsets && isWhole
      ? { content, unread: content.length - truncated.length, firstToken, words, offsets }
      : undefined;
  }
}

/** The ranges of a text's words, split like `tokenize` does. */
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
 * Finds where a token spells a word, starting at an index: its characters in order, with apostrophes or dots between ("don't", "u.s"). The
 * search continues after the previous word, so it stays linear in a token of thousands of words.
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
