import type { Scratch } from '../reading/array-pool.ts';
import { type Lexicon, NOT } from './lexicon.ts';
import { kindOf, topicOf } from './senses.ts';

/** Words that may stand inside a phrase before each of its content words: "book [me a cheap] flight". */
const GAP = 2;
/** A word at least this rare carries content. */
const CONTENT = 0.1;

/** Phrases of a text after which one that was said again and again is no longer noted each time, and how often it is from then on. */
const MANY = 8192;
const OFTEN = 512;

/** A phrase of the lexicon found in a text. */
export interface Hit {
  /** What it speaks of, by number. */
  topic: number;
  /** How it speaks of that: one of KINDS, by number. */
  kind: number;
  /** How much its words alone say, 0..1. */
  weight: number;
  /** The tokens that it runs from and to. */
  from: number;
  to: number;
  /** Whether other words stand inside it. */
  gaps: boolean;
}

/**
 * All lexicon phrases in a text. `vocabulary` holds each token's number in the lexicon (-1 unknown), `at` its place.
 * Hits that a `not` phrase of the same topic overlaps are left out ("flight of stairs" is no flight).
 */
export function findPhrases(vocabulary: Int32Array, at: Int32Array, lexicon: Lexicon): Hit[] {
  const { trie, roots, rarities, start } = lexicon;
  const { first, meanings, strengths, weights } = lexicon.senses;
  const hits: Hit[] = [];
  // A topic at a token as one small number: a set holds those at a fraction of the cost of large ones.
  const spot = (topic: number, token: number) => token * lexicon.topics.length + topic;
  const denied = new Set<number>();
  const often = new Map<number, number>();
  // The newest are found first, so that they are the ones that are kept of a phrase that fills a megabyte.
  const isEnough = (node: number): boolean => {
    if (hits.length < MANY) return false;
    const times = (often.get(node) ?? 0) + 1;
    often.set(node, times);
    return times > OFTEN;
  };
  const follow = (node: number, from: number, to: number, length: number) => {
    const enough = first[node]! < first[node + 1]! && isEnough(node);
    for (let sense = first[node]!; sense < first[node + 1]!; sense++) {
      const meaning = meanings[sense]!;
      const topic = topicOf(meaning);
      const kind = kindOf(meaning);
      const gaps = to - from >= length;
      if (kind !== NOT && !enough) hits.push({ topic, kind, weight: weights[strengths[sense]!]!, from, to, gaps });
      // Nothing may stand inside a phrase that makes a word mean something else: "can [you find me a] bus" is no CAN bus.
      if (kind === NOT && !gaps) for (let token = from; token <= to; token++) denied.add(spot(topic, token));
    }
    if (trie.isLeaf(node)) return;
    for (let next = to + 1; next < vocabulary.length && at[next]! - at[to]! <= 1 + GAP; next++) {
      const word = vocabulary[next]!;
      const near = at[next]! - at[to]! <= 1;
      if (word < 0 || (!near && (rarities[word]! < CONTENT || vocabulary[to] === start))) continue;
      const child = trie.child(node, word);
      if (child >= 0) follow(child, from, next, length + 1);
    }
  };
  for (let from = vocabulary.length - 1; from >= 0; from--) {
    const word = vocabulary[from]!;
    if (word >= 0 && roots[word]! >= 0) follow(roots[word]!, from, from, 1);
  }
  hits.reverse();
  if (denied.size === 0) return hits;
  return hits.filter(({ topic, from, to }) => {
    for (let token = from; token <= to; token++) if (denied.has(spot(topic, token))) return false;
    return true;
  });
}

/**
 * The hits in order of topic, then of end. They come in order of where they begin, so that those of one topic are all but in order
 * of where they end: told apart by topic, it takes a step or two to put each in its place, however many there are.
 */
export function inOrder(hits: readonly Hit[], topics: number, scratch: Scratch): Hit[] {
  const first = scratch.integers(topics + 1);
  for (const { topic } of hits) first[topic + 1]!++;
  for (let topic = 0; topic < topics; topic++) first[topic + 1] = first[topic + 1]! + first[topic]!;
  const next = scratch.integers(topics);
  const ordered = hits.slice();
  for (const hit of hits) {
    const start = first[hit.topic]!;
    let place = start + next[hit.topic]!++;
    for (; place > start && ordered[place - 1]!.to > hit.to; place--) ordered[place] = ordered[place - 1]!;
    ordered[place] = hit;
  }
  return ordered;
}
