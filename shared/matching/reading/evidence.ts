import type { Lexicon } from '../lexicon/lexicon.ts';
import type { PhraseHit } from '../lexicon/phrases.ts';
import type { ArrayPool } from './arrays.ts';
import { add, lower, raise } from './arrays.ts';
import { CONTEXT_WEIGHTS } from './context-weights.ts';
import type { ParsedConversation } from './parsed-conversation.ts';

/** The evidence of a phrase by itself. A single word counts less, because it may have another meaning. */
export function getPhraseStrength({ kind, weight, from, to }: PhraseHit): number {
  return (CONTEXT_WEIGHTS.byKind[kind] ?? 0) * weight * (from === to ? CONTEXT_WEIGHTS.singleWord : 1);
}

/**
 * The evidence by topic. Each word of the text counts once for a topic, by the strongest phrase that ends in it. A
 * repeated word counts in full only once, because repetition says little more.
 */
export function computeTopicEvidence(
  { hits, tokens, lexicon, pool }: ParsedConversation,
  tokenWeights: Float32Array,
  needWeights?: Float32Array,
): Float32Array {
  const evidence = pool.float32(lexicon.topics.length);
  /** By word, its largest evidence for the topic so far. */
  const weights = new Map<number, number>();
  for (let i = 0; i < hits.length; ) {
    const { topic, to } = hits[i]!;
    const need = lexicon.isInternal[topic] ? undefined : needWeights;
    let weight = 0;
    let hit = hits[i];
    for (; hit?.topic === topic && hit.to === to; hit = hits[++i])
      weight = Math.max(weight, computeHitEvidence(hit, tokenWeights, need));
    const word = tokens.wordNumber(to);
    const before = weights.size === 0 ? 0 : (weights.get(word) ?? 0);
    const repeated = CONTEXT_WEIGHTS.repetition * Math.min(weight, before);
    evidence[topic] = (evidence[topic] ?? 0) + Math.max(0, weight - before) + repeated;
    // Most topics are mentioned once, and then the map is not needed.
    if (hit?.topic === topic) weights.set(word, Math.max(before, weight));
    else if (weights.size > 0) weights.clear();
  }
  return evidence;
}

/** The phrase's strength, times the smallest weight of its words, times the smaller need of its first and last word. */
function computeHitEvidence(hit: PhraseHit, tokenWeights: Float32Array, needWeights?: Float32Array): number {
  const need = Math.min(needWeights?.[hit.from] ?? 1, needWeights?.[hit.to] ?? 1);
  return getPhraseStrength(hit) * getMinTokenWeight(hit, tokenWeights) * need;
}

/** The smallest weight of a phrase's words, from 0 to 1. */
export function getMinTokenWeight({ from, to }: PhraseHit, tokenWeights: Float32Array): number {
  let least = 1;
  for (let token = from; token <= to; token++) least = Math.min(least, tokenWeights[token] ?? 0);
  return least;
}

/**
 * Balances topics and their ancestors. A specific topic caps the evidence of its ancestors: a conversation about trains
 * is not about travel in general. The ancestors also get part of its evidence, because a campaign for all travel may
 * still fit.
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
 * Interest per topic in a conversation without a request: the logarithm of the number of messages, from either side, that mention it or a
 * descendant. A topic that both sides return to is more than a mention.
 */
export function computeTopicInterest({ hits, tokens, lexicon, pool }: ParsedConversation): Float32Array {
  const { topics, isInternal, ancestors } = lexicon;
  const interest = pool.float32(topics.length);
  const weights = new Set<number>();
  /** Counts a message for a topic; false if it was already counted, in which case its ancestors were too. */
  const count = (topic: number, message: number): boolean => {
    const pair = message * topics.length + topic;
    if (weights.has(pair)) return false;
    weights.add(pair);
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
