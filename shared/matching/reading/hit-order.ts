import type { PhraseHit } from '../lexicon/phrases.ts';
import type { ArrayPool } from './array-pool.ts';

/**
 * The hits in order of topic, then of last token: a counting sort by topic. They come in order of their first token, so that those of
 * one topic are all but in order of their last, and insertion takes a step or two for each.
 */
export function sortByTopic(hits: readonly PhraseHit[], topics: number, pool: ArrayPool): PhraseHit[] {
  const first = pool.int32(topics + 1);
  for (const { topic } of hits) first[topic + 1] = (first[topic + 1] ?? 0) + 1;
  for (let topic = 0; topic < topics; topic++) first[topic + 1] = (first[topic + 1] ?? 0) + (first[topic] ?? 0);
  const next = pool.int32(topics);
  next.set(first.subarray(0, topics));
  const ordered = hits.slice();
  for (const hit of hits) {
    const start = first[hit.topic] ?? 0;
    let index = next[hit.topic] ?? 0;
    next[hit.topic] = index + 1;
    for (; index > start && ordered[index - 1]!.to > hit.to; index--) ordered[index] = ordered[index - 1]!;
    ordered[index] = hit;
  }
  return ordered;
}
