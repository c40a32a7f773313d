import { type Lexicon, NOT, type Sense } from './lexicon.ts';

/** Words that may stand inside a phrase before each of its content words: "book [me a cheap] flight". */
const GAP = 2;

/** A phrase of the lexicon found in a text: its sense, and the tokens it runs from and to. */
export interface Hit extends Sense {
  from: number;
  to: number;
  /** Whether other words stand inside it. */
  gaps: boolean;
}

/**
 * All lexicon phrases in a text. `vocabulary` holds each token's number in the lexicon (-1 unknown), `at` its place.
 * Hits that a `not` phrase of the same topic overlaps are left out ("flight of stairs" is no flight).
 */
export function findPhrases(vocabulary: ArrayLike<number>, at: ArrayLike<number>, lexicon: Lexicon): Hit[] {
  const { trie, senses, inner, roots, content, start } = lexicon;
  const hits: Hit[] = [];
  const denied = new Set<number>();
  const follow = (node: number, from: number, to: number, length: number) => {
    const meant = senses[node];
    if (meant !== undefined)
      for (const { topic, kind, weight } of meant)
        if (kind !== NOT) hits.push({ topic, kind, weight, from, to, gaps: to - from >= length });
        else for (let token = from; token <= to; token++) denied.add(place(topic, token));
    if (inner[node] === 0) return;
    for (let next = to + 1; next < vocabulary.length && at[next]! - at[to]! <= 1 + GAP; next++) {
      const word = vocabulary[next]!;
      const near = at[next]! - at[to]! <= 1;
      if (word < 0 || (!near && (content[word] === 0 || vocabulary[to] === start))) continue;
      const child = trie.child(node, word);
      if (child >= 0) follow(child, from, next, length + 1);
    }
  };
  for (let from = 0; from < vocabulary.length; from++) {
    const word = vocabulary[from]!;
    if (word >= 0 && roots[word]! >= 0) follow(roots[word]!, from, from, 1);
  }
  if (denied.size === 0) return hits;
  return hits.filter(({ topic, from, to }) => {
    for (let token = from; token <= to; token++) if (denied.has(place(topic, token))) return false;
    return true;
  });
}

/** One number for a topic at a token; a conversation has fewer than 2^30 tokens. */
export function place(topic: number, token: number): number {
  return topic * 2 ** 30 + token;
}
