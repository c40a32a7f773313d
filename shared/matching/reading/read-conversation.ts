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

/** What a conversation says, before any campaign is looked at. */
export interface ConversationReading extends ParsedConversation {
  /** By token, how much it counts for keywords: who said it, how long ago, whether it is negated or no need. 0..1. */
  tokenWeights: Float32Array;
  /** By topic, the evidence for it: 0 none, 1 a clear word for it just now, more for several. */
  evidence: Float32Array;
  /** By topic, the largest share that its words had in what a message of the user says, 0..1. */
  coverage: Float32Array;
  /** By topic, 1 when the user asked for it and for nothing else since. */
  isRequested: Uint8Array;
  /** By topic, how much of an interest it is: 0 where something is asked for, else see `topicInterest`. */
  interest: Float32Array;
  /** By token, the share of its message's content that it is; 0 for words of the assistant. */
  contentShares: Float32Array;
  /** By message, 1 when the user asks for something in it. */
  isRequest: Uint8Array;
  /** Largest evidence among topics that products belong to, needed or merely mentioned. */
  strongestEvidence: number;
  /** Share of the user's words that are small talk, 0..1. */
  smallTalkShare: number;
  /** Number of words of the user. */
  userWords: number;
  latest: LatestMessage;
  /** What it is about, see `conversationVector`. */
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
  // Without the word that stands for the start of each message.
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
    userWords,
    latest: readLatestMessage(parsed),
    vector: buildConversationVector(parsed, turns),
  };
}

/** By topic, how many times its evidence as a need what it has by mere mention is: made of the latter, in place. */
function computeNeedShares(evidence: Float32Array, mentioned: Float32Array): Float32Array {
  for (let topic = 0; topic < mentioned.length; topic++) {
    const needed = evidence[topic] ?? 0;
    mentioned[topic] = needed > 0 ? (mentioned[topic] ?? 0) / needed : 1;
  }
  return mentioned;
}

/**
 * Lets topics of earlier turns and topics that only the assistant spoke of count for less, and marks those that are asked for. Returns
 * the largest evidence: what is merely mentioned competes at its full strength, so that a small part of it does not look like all.
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
    // What was not named in the newest turn that brought a topic up was spoken of earlier, or is a detail of it.
    const isCurrent = (turnsSince[topic] ?? NEVER) <= newestTurn;
    if (isCurrent && hasRequest) isRequested[topic] = 1;
    if (!isCurrent) scale(evidence, topic, CONTEXT_WEIGHTS.earlierTopic);
    strongest = Math.max(strongest, (evidence[topic] ?? 0) * (needShares?.[topic] ?? 1));
    if (isSaidByUser[topic] === 0) scale(evidence, topic, CONTEXT_WEIGHTS.assistantOnly);
  }
  return strongest;
}
