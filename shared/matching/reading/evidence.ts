import type { Lexicon } from '../lexicon/lexicon.ts';
import type { PhraseHit } from '../lexicon/phrases.ts';
import type { ArrayPool } from './arrays.ts';
import { add, lower, raise } from './arrays.ts';
import { CONTEXT_WEIGHTS } from './context-weights.ts';
import type { ParsedConversation } from './parsed-conversation.ts';

/** The evidence that a phrase is by itself. One word alone may always mean something else. */
export function getPhraseStrength({ kind, weight, from, to }: PhraseHit): number {
  return (CONTEXT_WEIGHTS.byKind[kind] ?? 0) * weight * (from === to ? CONTEXT_WEIGHTS.singleWord : 1);
}

/**
 * Evidence by topic. Each word of the text speaks for a topic once, by the strongest phrase that ends in it; and the same word counts
 * in full only once, because repeating it says little more.
 */
export function computeTopicEvidence(
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
      weight = Math.max(weight, computeHitEvidence(hit, tokenWeights, need));
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
function computeHitEvidence(hit: PhraseHit, tokenWeights: Float32Array, needWeights?: Float32Array): number {
  const need = Math.min(needWeights?.[hit.from] ?? 1, needWeights?.[hit.to] ?? 1);
  return getPhraseStrength(hit) * getMinTokenWeight(hit, tokenWeights) * need;
}

/** The weight of the word of a phrase that counts least, 0..1. */
export function getMinTokenWeight({ from, to }: PhraseHit, tokenWeights: Float32Array): number {
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

/**
 * By topic, how much of an interest it is where nobody asks for anything: the logarithm of the number of messages, of either side,
 * that speak of it or of a part of it. What two people keep coming back to is more than mentioned.
 */
export function computeTopicInterest({ hits, tokens, lexicon, pool }: ParsedConversation): Float32Array {
  const { topics, isInternal, ancestors } = lexicon;
  const interest = pool.float32(topics.length);
  const counted = new Set<number>();
  /** Counts a message for a topic; false when it was counted before, and so was it for those above. */
  const count = (topic: number, message: number): boolean => {
    const pair = message * topics.length + topic;
    if (counted.has(pair)) return false;
    counted.add(pair);
    add(interest, topic, 1);
    return true;
  };
  for (const hit of hits) {
    if (isInternal[hit.topic] || getPhraseStrength(hit) < CONTEXT_WEIGHTS.clearPhrase) continue;
    const message = tokens.message(hit.from);
    if (!count(hit.topic, message)) continue;
    for (const ancestor of ancestors[hit.topic] ?? []) if (!count(ancestor, message)) break;
  }
  for (let topic = 0; topic < interest.length; topic++) {
    const messages = interest[topic] ?? 0;
    if (messages > 0) interest[topic] = Math.log(messages);
  }
  return interest;
}
