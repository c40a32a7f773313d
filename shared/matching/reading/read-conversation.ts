import type { Lexicon } from '../lexicon/lexicon.ts';
import { WordCache } from '../lexicon/word-cache.ts';
import { ArrayPool, scale } from './arrays.ts';
import { CONTEXT_WEIGHTS } from './context-weights.ts';
import { buildConversationVector } from './conversation-vector.ts';
import { computeContentShares, computeSmallTalkShare, computeTopicCoverage, countFlags } from './coverage.ts';
import { computeTopicEvidence, computeTopicInterest, rollUpTopics } from './evidence.ts';
import { type LatestMessage, readLatestMessage } from './latest-message.ts';
import { findNegatedTokens } from './negation.ts';
import { type ParsedConversation, parseConversation } from './parsed-conversation.ts';
import { computeNeedWeights, computeTokenWeights, muteNonProducts } from './token-weights.ts';
import type { Message } from './tokens.ts';
import { countTurnsAgo, findTopicMentions, NEVER, type TopicMentions } from './turns.ts';

/** Everything a match knows about a conversation before it looks at campaigns. */
export interface ConversationReading extends ParsedConversation {
  /** By token, its weight for keywords, from 0 to 1: by speaker, age, negation, and need. */
  tokenWeights: Float32Array;
  /** By topic, its evidence: 0 for none, 1 for a clear word in the newest turn, more for several. */
  evidence: Float32Array;
  /** By topic, the largest share of a user message's content that the topic's words cover, from 0 to 1. */
  coverage: Float32Array;
  /** By topic, 1 if the user's latest request asks for it. */
  isRequested: Uint8Array;
  /** Interest by topic: 0 if the user asks for anything, otherwise see `computeTopicInterest`. */
  interest: Float32Array;
  /** By token, its share of its message's content; 0 for words of the assistant. */
  contentShares: Float32Array;
  /** By message, 1 if the user asks for something in it. */
  isRequest: Uint8Array;
  /** Largest evidence of a product topic, needed or only mentioned. */
  strongestEvidence: number;
  /** Share of the user's words that are small talk, from 0 to 1. */
  smallTalkShare: number;
  latest: LatestMessage;
  /** See `buildConversationVector`. */
  vector: Float32Array;
}

export function readConversation(
  messages: readonly Message[],
  lexicon: Lexicon,
  wordCache = new WordCache(lexicon),
  pool = new ArrayPool(),
): ConversationReading {
  const parsed = parseConversation(messages, lexicon, wordCache, pool);
  const { isUser } = parsed;
  const turns = countTurnsAgo(messages, pool);
  const mentions = findTopicMentions(parsed, turns);
  const { hasRequest, isRequest } = mentions;
  const needWeights = computeNeedWeights(parsed, isRequest);
  const isNegated = findNegatedTokens(parsed);
  const tokenWeights = computeTokenWeights(parsed, turns, mentions.newestTurn, isNegated);
  const evidence = computeTopicEvidence(parsed, tokenWeights, needWeights);
  const needShares = needWeights && computeNeedShares(evidence, computeTopicEvidence(parsed, tokenWeights));
  for (let token = 0; token < tokenWeights.length; token++) {
    const speaker = isUser[token] ? 1 : CONTEXT_WEIGHTS.assistantOnly;
    tokenWeights[token] = (tokenWeights[token] ?? 0) * (needWeights?.[token] ?? 1) * speaker;
  }
  muteNonProducts(tokenWeights, parsed);
  const contentShares = computeContentShares(parsed, isNegated);
  const coverage = computeTopicCoverage(parsed, contentShares);
  rollUpTopics(evidence, coverage, lexicon, pool);
  const isRequested = pool.uint8(evidence.length);
  const strongestEvidence = weighTopics(evidence, isRequested, parsed, mentions, needShares);
  // Excludes the start token of each message.
  const userWords = countFlags(isUser) - messages.filter(({ role }) => role === 'user').length;
  return {
    ...parsed,
    tokenWeights,
    evidence,
    coverage,
    isRequested,
    interest: hasRequest || isRequest.at(-1) ? pool.float32(evidence.length) : computeTopicInterest(parsed),
    contentShares,
    isRequest,
    strongestEvidence,
    smallTalkShare: computeSmallTalkShare(parsed, userWords),
    latest: readLatestMessage(parsed),
    vector: buildConversationVector(parsed, turns, isNegated),
  };
}

/** By topic, its evidence as a mention divided by its evidence as a need. Overwrites and returns `mentioned`. */
function computeNeedShares(evidence: Float32Array, mentioned: Float32Array): Float32Array {
  for (let topic = 0; topic < mentioned.length; topic++) {
    const needed = evidence[topic] ?? 0;
    mentioned[topic] = needed > 0 ? (mentioned[topic] ?? 0) / needed : 1;
  }
  return mentioned;
}

/**
 * Lowers the evidence of topics of earlier turns and of topics that only the assistant mentioned, and marks the
 * requested ones. Returns the largest evidence. A mere mention competes at full strength, which keeps a small need from
 * looking like the main topic.
 */
function weighTopics(
  evidence: Float32Array,
  isRequested: Uint8Array,
  { hits, isUser, lexicon, pool }: ParsedConversation,
  { turnsSince, newestTurn, hasRequest }: TopicMentions,
  needShares?: Float32Array,
): number {
  const isSaidByUser = pool.uint8(evidence.length);
  for (const { topic, from } of hits) {
    if (!isUser[from]) continue;
    isSaidByUser[topic] = 1;
    for (const ancestor of lexicon.ancestors[topic] ?? []) isSaidByUser[ancestor] = 1;
  }
  let strongest = 0;
  for (let topic = 0; topic < evidence.length; topic++) {
    if (evidence[topic] === 0 || lexicon.isInternal[topic]) continue;
    // A topic that was not named in the newest topical turn is an earlier topic or a detail.
    const isCurrent = (turnsSince[topic] ?? NEVER) <= newestTurn;
    if (isCurrent && hasRequest) isRequested[topic] = 1;
    if (!isCurrent) scale(evidence, topic, CONTEXT_WEIGHTS.earlierTopic);
    strongest = Math.max(strongest, (evidence[topic] ?? 0) * (needShares?.[topic] ?? 1));
    if (isSaidByUser[topic] === 0) scale(evidence, topic, CONTEXT_WEIGHTS.assistantOnly);
  }
  return strongest;
}
