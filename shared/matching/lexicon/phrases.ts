import { type Lexicon, NAMES, NOT } from './lexicon.ts';

/** Words that may stand inside a phrase before each of its content words: "book [me a cheap] flight". */
const MAX_GAP = 2;
/** A word at least this rare carries content. */
const MIN_CONTENT_RARITY = 0.1;
/** What a word beside others leaves unsaid, by how common it is: even common words narrow each other down. */
const UNSAID_FACTOR = 0.75;

/** Hits in a text from which on a phrase that was said again and again is noted so many times more, not each time. */
const MANY_HITS = 8192;
const MAX_REPEATS = 512;

/** A phrase of the lexicon found in a text. */
export interface PhraseHit {
  /** The topic that it speaks of, by number. */
  topic: number;
  /** How it speaks of that: one of PHRASE_KINDS, by number. */
  kind: number;
  /** How much its words alone say, 0..1. */
  weight: number;
  /** Its first and its last token. */
  from: number;
  to: number;
  /** Whether other words stand inside it. */
  hasGaps: boolean;
}

/** A text as columns, one number for each token. */
export interface NumberedText {
  /** The word's number in the lexicon's vocabulary, -1 unknown. */
  wordNumbers: Int32Array;
  /** Where it stands: words next to each other differ by 1. */
  positions: Int32Array;
}

/**
 * All phrases of the lexicon in a text, in order of their first token. Hits that a `not` phrase of the same topic overlaps are left
 * out ("flight of stairs" is no flight).
 */
export function findPhrases({ wordNumbers, positions }: NumberedText, lexicon: Lexicon): PhraseHit[] {
  const { graph, roots, rarities, messageStart, senses } = lexicon;
  const hits: PhraseHit[] = [];
  // A topic at a token as one small number: a set holds those at a fraction of the cost of large ones.
  const topicAt = (topic: number, token: number) => token * lexicon.topics.length + topic;
  const excluded = new Set<number>();
  const repeats = new Map<number, number>();
  // The newest are found first, so that they are the ones that are kept of a phrase that fills a megabyte.
  const isRepeated = (node: number): boolean => {
    if (hits.length < MANY_HITS) return false;
    const count = (repeats.get(node) ?? 0) + 1;
    repeats.set(node, count);
    return count > MAX_REPEATS;
  };
  /** How much the words of a beginning leave unsaid, by their number. */
  const unsaid = [1];
  const addSenses = (node: number, from: number, to: number, length: number) => {
    const hasGaps = to - from >= length;
    const rare = rarities[wordNumbers[from]!]!;
    const end = senses.end(node);
    let sense = senses.first(node);
    const skips = sense < end && isRepeated(node);
    for (; sense < end; sense++) {
      const topic = senses.topic(sense);
      const kind = senses.kind(sense);
      const weight = length > 1 ? 1 - unsaid[length]! : kind === NAMES ? Math.sqrt(rare) : rare;
      if (kind !== NOT && !skips) hits.push({ topic, kind, weight, from, to, hasGaps });
      // Nothing may stand inside a phrase that makes a word mean something else: "can [you find me a] bus" is no CAN bus.
      if (kind === NOT && !hasGaps) for (let token = from; token <= to; token++) excluded.add(topicAt(topic, token));
    }
  };
  const follow = (node: number, from: number, to: number, length: number) => {
    unsaid[length] = unsaid[length - 1]! * UNSAID_FACTOR * (1 - rarities[wordNumbers[to]!]!);
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

/** The tokens that a hit's phrase consists of, without the words that stand inside it. Of several ways to read it, the one with most words. */
export function getPhraseTokens(
  { topic, kind, from, to }: PhraseHit,
  { wordNumbers, positions }: NumberedText,
  { graph, roots, rarities, messageStart, senses }: Lexicon,
): number[] {
  let longest: number[] = [];
  const means = (node: number): boolean => {
    for (let sense = senses.first(node); sense < senses.end(node); sense++)
      if (senses.topic(sense) === topic && senses.kind(sense) === kind) return true;
    return false;
  };
  // The same walk as in findPhrases, between two tokens only.
  const follow = (node: number, tokens: number[], last: number) => {
    if (last === to && tokens.length > longest.length && means(node)) longest = tokens;
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
  return longest;
}
