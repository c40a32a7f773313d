import { type Lexicon, NAMES, NOT } from './lexicon.ts';

/** Maximum number of other words before each content word of a phrase: "book [me a cheap] flight". */
const MAX_GAP = 2;
/** Minimum rarity of a content word. */
const MIN_CONTENT_RARITY = 0.1;
/** Factor applied for each further word of a phrase, besides its rarity: even common words narrow the meaning. */
const UNSAID_FACTOR = 0.75;

/**
 * Above this many hits in a text, a repeated phrase is recorded at most MAX_REPEATS more times. This bounds the work
 * for a long repetitive text.
 */
const MANY_HITS = 8192;
const MAX_REPEATS = 512;

/** A phrase of the lexicon found in a text. */
export interface PhraseHit {
  topic: number;
  /** How it relates to the topic: an index into PHRASE_KINDS. */
  kind: number;
  /** How specific its words are by themselves, from 0 to 1. */
  weight: number;
  /** Its first and last token. */
  from: number;
  to: number;
  /** Whether other words occur between its own. */
  hasGaps: boolean;
}

/** A text as columns, one number per token. */
export interface NumberedText {
  /** The word's vocabulary number, or -1 if it is unknown. */
  wordNumbers: Int32Array;
  /** The token's position. Adjacent words differ by 1. */
  positions: Int32Array;
}

/**
 * Finds all phrases of the lexicon in a text, in order of their first token. A hit is dropped if a `not` phrase of the
 * same topic overlaps it ("flight of stairs" is not a flight).
 */
export function findPhrases({ wordNumbers, positions }: NumberedText, lexicon: Lexicon): PhraseHit[] {
  const { graph, roots, rarities, messageStart, senses } = lexicon;
  const hits: PhraseHit[] = [];
  // A small integer key, because a set of small integers costs a fraction of one with large integers.
  const topicAt = (topic: number, token: number) => token * lexicon.topics.length + topic;
  const excluded = new Set<number>();
  const repeats = new Map<number, number>();
  // Walks backward, so that the newest occurrences of an often repeated phrase are kept.
  const isRepeated = (node: number): boolean => {
    if (hits.length < MANY_HITS) return false;
    const count = (repeats.get(node) ?? 0) + 1;
    repeats.set(node, count);
    return count > MAX_REPEATS;
  };
  /** Share of the meaning still open, by number of words read. */
  const openShares = [1];
  const addSenses = (node: number, from: number, to: number, length: number) => {
    const hasGaps = to - from >= length;
    const rare = rarities[wordNumbers[from]!]!;
    const end = senses.end(node);
    let sense = senses.first(node);
    const skips = sense < end && isRepeated(node);
    for (; sense < end; sense++) {
      const topic = senses.topic(sense);
      const kind = senses.kind(sense);
      const weight = length > 1 ? 1 - openShares[length]! : kind === NAMES ? Math.sqrt(rare) : rare;
      if (kind !== NOT && !skips) hits.push({ topic, kind, weight, from, to, hasGaps });
      // A phrase with a different meaning must not have gaps: "can [you find me a] bus" is not a CAN bus.
      if (kind === NOT && !hasGaps) for (let token = from; token <= to; token++) excluded.add(topicAt(topic, token));
    }
  };
  const follow = (node: number, from: number, to: number, length: number) => {
    openShares[length] = openShares[length - 1]! * UNSAID_FACTOR * (1 - rarities[wordNumbers[to]!]!);
    addSenses(node, from, to, length);
    if (graph.isLeaf(node)) return;
    const position = positions[to] ?? 0;
    for (let next = to + 1; next < wordNumbers.length; next++) {
      const distance = (positions[next] ?? 0) - position;
      if (distance > 1 + MAX_GAP) break;
      const word = wordNumbers[next] ?? -1;
      if (word < 0) continue;
      if (distance > 1 && ((rarities[word] ?? 0) < MIN_CONTENT_RARITY || wordNumbers[to] === messageStart)) continue;
      const child = graph.findChild(node, word);
      if (child >= 0) follow(child, from, next, length + 1);
    }
  };
  for (let from = wordNumbers.length - 1; from >= 0; from--) {
    const word = wordNumbers[from] ?? -1;
    const root = word < 0 ? -1 : (roots[word] ?? -1);
    if (root >= 0) follow(root, from, from, 1);
  }
  hits.reverse();
  if (excluded.size === 0) return hits;
  return hits.filter(({ topic, from, to }) => {
    for (let token = from; token <= to; token++) if (excluded.has(topicAt(topic, token))) return false;
    return true;
  });
}

/**
 * The tokens of a hit's phrase, without the words between them, and all topics that the phrase belongs to. Of several readings, the one with
 * the most words.
 */
export function readPhrase(
  { topic, kind, from, to }: PhraseHit,
  { wordNumbers, positions }: NumberedText,
  { graph, roots, rarities, messageStart, senses }: Lexicon,
): { tokens: number[]; topics: number[] } {
  let longest: number[] = [];
  let longestNode = -1;
  const means = (node: number): boolean => {
    for (let sense = senses.first(node); sense < senses.end(node); sense++)
      if (senses.topic(sense) === topic && senses.kind(sense) === kind) return true;
    return false;
  };
  // The same walk as in findPhrases, but only between two tokens.
  const follow = (node: number, tokens: number[], last: number) => {
    if (last === to && tokens.length > longest.length && means(node)) [longest, longestNode] = [tokens, node];
    for (let next = last + 1; next <= to; next++) {
      const distance = (positions[next] ?? 0) - (positions[last] ?? 0);
      if (distance > 1 + MAX_GAP) break;
      const word = wordNumbers[next] ?? -1;
      if (word < 0) continue;
      if (distance > 1 && ((rarities[word] ?? 0) < MIN_CONTENT_RARITY || wordNumbers[last] === messageStart)) continue;
      const child = graph.findChild(node, word);
      if (child >= 0) follow(child, [...tokens, next], next);
    }
  };
  const root = roots[wordNumbers[from] ?? -1] ?? -1;
  if (root >= 0) follow(root, [from], from);
  const topics: number[] = [];
  if (longestNode >= 0)
    for (let sense = senses.first(longestNode); sense < senses.end(longestNode); sense++)
      if (senses.kind(sense) !== NOT) topics.push(senses.topic(sense));
  return { tokens: longest, topics };
}
