import type { Lexicon } from '../lexicon/lexicon.ts';
import type { PhraseHit } from '../lexicon/phrases.ts';
import type { ArrayPool } from './array-pool.ts';
import { lower, raise } from './columns.ts';
import type { ParsedConversation } from './parsed.ts';
import { CONTEXT_WEIGHTS } from './weights.ts';

/** The evidence that a phrase is by itself. One word alone may always mean something else. */
export function phraseStrength({ kind, weight, from, to }: PhraseHit): number {
  return (CONTEXT_WEIGHTS.byKind[kind] ?? 0) * weight * (from === to ? CONTEXT_WEIGHTS.singleWord : 1);
}

/**
 * Evidence by topic. Each word of the text speaks for a topic once, by the strongest phrase that ends in it; and the same word counts
 * in full only once, because repeating it says little more.
 */
export function topicEvidence(
  { hits, tokens, lexicon, pool }: ParsedConversation,
  tokenWeights: Float32Array,
  needWeights?: Float32Array,
): Float32Array {
  const evidence = pool.float32(lexicon.topics.length);
  /** By word, its largest evidence for the topic so far. */
  const counted = new Map<number, number>();
  for (let i = 0; i < hits.length; ) {
    const { topic, to } = hits[i]!;
    const need = lexicon.isInternal[topic] ? undefined : needWeights;
    let weight = 0;
    let hit = hits[i];
    for (; hit?.topic === topic && hit.to === to; hit = hits[++i])
      weight = Math.max(weight, hitEvidence(hit, tokenWeights, need));
    const word = tokens.wordNumber(to);
    const before = counted.size === 0 ? 0 : (counted.get(word) ?? 0);
    const repeated = CONTEXT_WEIGHTS.repetition * Math.min(weight, before);
    evidence[topic] = (evidence[topic] ?? 0) + Math.max(0, weight - before) + repeated;
    // Most topics are spoken of once, and the map is not needed then.
    if (hit?.topic === topic) counted.set(word, Math.max(before, weight));
    else if (counted.size > 0) counted.clear();
  }
  return evidence;
}

/** A phrase counts as much as the word of it that counts least, and is needed as much as its first and its last word. */
function hitEvidence(hit: PhraseHit, tokenWeights: Float32Array, needWeights?: Float32Array): number {
  const need = Math.min(needWeights?.[hit.from] ?? 1, needWeights?.[hit.to] ?? 1);
  return phraseStrength(hit) * leastTokenWeight(hit, tokenWeights) * need;
}

/** The weight of the word of a phrase that counts least, 0..1. */
export function leastTokenWeight({ from, to }: PhraseHit, tokenWeights: Float32Array): number {
  let least = 1;
  for (let token = from; token <= to; token++) least = Math.min(least, tokenWeights[token] ?? 0);
  return least;
}

/**
 * Relates topics to those that they are part of. Where trains are spoken of, travel at large is not the point: a topic's evidence caps
 * that of the topics above it. But who sells all of it may answer a part of it: some of that evidence is the whole's too.
 */
export function rollUpTopics(
  evidence: Float32Array,
  coverage: Float32Array,
  { ancestors }: Lexicon,
  pool: ArrayPool,
): void {
  const { clearPhrase, parentTopic } = CONTEXT_WEIGHTS;
  const own = pool.float32(evidence.length);
  own.set(evidence);
  for (let topic = 0; topic < own.length; topic++) {
    const least = own[topic] ?? 0;
    if (least < clearPhrase) continue;
    for (const ancestor of ancestors[topic] ?? []) lower(evidence, ancestor, least);
  }
  for (let topic = 0; topic < own.length; topic++) {
    if (own[topic] === 0) continue;
    const inherited = parentTopic * (own[topic] ?? 0);
    const covered = parentTopic * (coverage[topic] ?? 0);
    for (const ancestor of ancestors[topic] ?? []) {
      raise(evidence, ancestor, inherited);
      raise(coverage, ancestor, covered);
    }
  }
}
