import type { Lexicon } from '../lexicon/lexicon.ts';
import type { Hit } from '../lexicon/phrases.ts';
import type { Scratch } from './array-pool.ts';
import type { Tokens } from './conversation.ts';
import { CONTEXT } from './weights.ts';

/** What a phrase says by itself. One word alone may always mean something else. */
export function strength({ kind, weight, from, to }: Hit): number {
  return CONTEXT.kinds[kind]! * weight * (from === to ? CONTEXT.single : 1);
}

/**
 * Evidence by topic, from hits in order of topic. Each word of the text speaks for a topic once, by the strongest phrase that
 * ends in it; and the same word counts in full only once, because repeating it says little more.
 */
export function gather(
  hits: Hit[],
  force: Float32Array,
  tokens: Tokens,
  lexicon: Lexicon,
  scratch: Scratch,
  need?: Float32Array,
): Float32Array {
  const evidence = scratch.floats(lexicon.topics.length);
  const said = new Map<number, number>();
  for (let i = 0; i < hits.length; i++) {
    const { topic, to } = hits[i]!;
    if (said.size > 0 && hits[i - 1]!.topic !== topic) said.clear();
    let weight = 0;
    for (; i < hits.length && hits[i]!.topic === topic && hits[i]!.to === to; i++)
      weight = Math.max(weight, weigh(hits[i]!, force, lexicon.own[topic] ? undefined : need));
    i--;
    const word = tokens.vocabulary[to]!;
    const before = said.size === 0 ? 0 : (said.get(word) ?? 0);
    evidence[topic] = evidence[topic]! + Math.max(0, weight - before) + CONTEXT.repeat * Math.min(weight, before);
    // Most topics are spoken of once, and nobody asks then.
    if (hits[i + 1]?.topic === topic) said.set(word, Math.max(before, weight));
  }
  return evidence;
}

/** A phrase counts as much as the word of it that counts least, and is needed as much as where it begins and ends. */
function weigh(hit: Hit, force: Float32Array, need?: Float32Array): number {
  const needed = need ? Math.min(need[hit.from]!, need[hit.to]!) : 1;
  return strength(hit) * heard(hit, force) * needed;
}

/** How much the word of a phrase counts that counts least, 0..1. */
export function heard({ from, to }: Hit, force: Float32Array): number {
  let least = force[from]!;
  for (let token = from + 1; token <= to; token++) least = Math.min(least, force[token]!);
  return least;
}

/**
 * Settles topics with those within them. Where trains are spoken of, travel at large is not the point: the more specific topic
 * caps what stands above it. But who sells all of it may answer a part of it: some of that evidence is the whole's too.
 */
export function settle(evidence: Float32Array, cover: Float32Array, { parents }: Lexicon, scratch: Scratch): void {
  const own = scratch.floats(evidence.length);
  own.set(evidence);
  for (let topic = 0; topic < own.length; topic++)
    if (own[topic]! >= CONTEXT.clear)
      for (let above = parents[topic]!; above >= 0; above = parents[above]!)
        evidence[above] = Math.min(evidence[above]!, own[topic]!);
  for (let topic = 0; topic < own.length; topic++) {
    if (own[topic] === 0) continue;
    for (let above = parents[topic]!; above >= 0; above = parents[above]!) {
      evidence[above] = Math.max(evidence[above]!, CONTEXT.above * own[topic]!);
      cover[above] = Math.max(cover[above]!, CONTEXT.above * cover[topic]!);
    }
  }
}
