import { isNonEnglish } from '../language/detector.ts';
import { CONTEXT_WEIGHTS } from '../reading/context-weights.ts';
import type { ConversationReading } from '../reading/read-conversation.ts';
import { RELEVANCE_MODEL } from './relevance-model.ts';

/** How a campaign's own keywords match a conversation. */
export interface KeywordFeatures {
  /** 0 for none; 1 if a salient keyword was just said in full. */
  evidence: number;
  /** Largest share of a message's content that a keyword said in full covers, from 0 to 1. */
  coverage: number;
  /** 1 if such a keyword appears in a message that asks for something. */
  requested: number;
  /**
   * `latest`: 1 if a keyword appears in full in the user's latest message. `unknown`: 1 if the rarest word of such a keyword is not in the
   * lexicon.
   */
  latest: number;
  unknown: number;
}

export const NO_KEYWORD_FEATURES: KeywordFeatures = { evidence: 0, coverage: 0, requested: 0, latest: 0, unknown: 0 };

/** Cap on an intent topic's evidence: more adds no information. */
const MAX_INTENT_EVIDENCE = 2;

/** Features of the whole conversation and of the latest message. The model's `context` has a weight for each. */
export function getContextFeatures(reading: ConversationReading): Record<keyof typeof RELEVANCE_MODEL.context, number> {
  const { evidence, latest, lexicon } = reading;
  const { request, deviceCommand, trivia, task } = lexicon.internalTopics;
  const getLatest = (topic: number) => latest.topics[topic] ?? 0;
  const isForeign = isNonEnglish(reading.language);
  return {
    seeks: Math.min(MAX_INTENT_EVIDENCE, evidence[request] ?? 0),
    deviceCommand: getLatest(deviceCommand),
    trivia: getLatest(trivia),
    task: getLatest(task),
    strongest: Math.log1p(reading.strongestEvidence),
    explained: latest.explained / (latest.explained + latest.unexplained + CONTEXT_WEIGHTS.unseenContent),
    unexplained: Math.log1p(latest.unexplained),
    question: latest.text.includes('?') ? 1 : 0,
    foreign: isForeign ? 1 : 0,
    foreignStatement: isForeign && !latest.intent.wishes ? 1 : 0,
    wishes: latest.intent.wishes,
    chore: latest.intent.chore,
  };
}

/** Log-odds the conversation adds to every campaign. */
export function scoreContext(reading: ConversationReading): number {
  const { intercept, context, chorePenalty } = RELEVANCE_MODEL;
  const { intent, story } = reading.latest;
  const figures: Readonly<Record<string, number>> = getContextFeatures(reading);
  let score = intercept - chorePenalty * Math.max(intent.chore, story);
  for (const [name, weight] of Object.entries(context)) score += weight * (figures[name] ?? 0);
  return score;
}

/** Steepness of the logarithm: a fifth of a clear word already counts half. */
const STEEPNESS = 60;
/** Keywords compete with a topic of at least this evidence. */
const MIN_COMPETITION = 0.5;

/**
 * The weighted sum of the features of a topic or of keywords. Plain arguments instead of an object, because a match
 * computes hundreds.
 */
function sumFeatures(evidence: number, share: number, coverage: number, requested: number, interest: number): number {
  const { topic } = RELEVANCE_MODEL;
  return (
    topic.evidence * Math.log(1 + STEEPNESS * evidence) +
    topic.share * share ** 2 +
    topic.coverage * coverage +
    topic.requested * requested +
    topic.interest * interest
  );
}

/**
 * What a topic adds to the log-odds of a campaign with this affinity (0 to 1); 0 without evidence. Increases with the
 * affinity.
 */
export function scoreTopic(reading: ConversationReading, topic: number, affinity: number): number {
  const { evidence, coverage, isRequested, interest, strongestEvidence } = reading;
  const own = affinity * (evidence[topic] ?? 0);
  if (own === 0) return 0;
  return sumFeatures(
    own,
    own / strongestEvidence,
    affinity * (coverage[topic] ?? 0),
    affinity * (isRequested[topic] ?? 0),
    affinity * (interest[topic] ?? 0),
  );
}

/** Scores a campaign's own keywords like a topic, because no lexicon may know them. */
export function scoreKeywords(keywords: KeywordFeatures, { strongestEvidence }: ConversationReading): number {
  const { evidence, coverage, requested } = keywords;
  const share = evidence / Math.max(evidence, strongestEvidence, MIN_COMPETITION);
  return sumFeatures(evidence, share, coverage, requested, 0);
}

/** How well a campaign's words match, or an upper bound. */
export interface CampaignSignals {
  /** Log-odds added by the campaign's best topic. */
  topicScore: number;
  /** How strongly the user's latest message names one of its topics, from 0 to 1. */
  latest: number;
  keywords: KeywordFeatures;
}

/**
 * The log-odds that the ad is relevant: the score of its best topic or of its keywords, whichever is larger, plus terms
 * for the keywords, for the latest message, and for its likeness to the conversation. Never decreases when any input
 * increases.
 */
export function computeLogOdds(
  { topicScore, latest, keywords }: CampaignSignals,
  likeness: number,
  reading: ConversationReading,
  contextScore: number,
): number {
  const model = RELEVANCE_MODEL;
  // A keyword unknown to the lexicon has neither topic nor vector: if it was just said, it replaces both.
  const { evidence, unknown } = keywords;
  const { wishes, buys } = reading.latest.intent;
  const isNamed = Math.max(latest, keywords.latest) >= CONTEXT_WEIGHTS.clearPhrase;
  const named =
    (isNamed ? model.bought * buys : 0) +
    model.asked * keywords.latest * wishes +
    model.latest * Math.max(latest, unknown) +
    model.likeness * Math.max(likeness, unknown);
  const best = evidence === 0 ? topicScore : Math.max(topicScore, scoreKeywords(keywords, reading));
  return contextScore + best + model.keywords * evidence + named;
}

/**
 * The log-odds that a campaign meets the need in the latest message, whatever words it uses ("my puppy chews every shoe" and pet supplies):
 * from its likeness to the conversation and the probability of a wish. -Infinity if the message is no wish, or a chore.
 */
export function scoreNeed(likeness: number, { latest }: ConversationReading): number {
  const { need } = RELEVANCE_MODEL;
  if (latest.wish === 0 || latest.intent.chore > 0) return Number.NEGATIVE_INFINITY;
  return need.intercept + likeness * (need.likeness + need.wish * latest.wish);
}

/** The estimated probability, from 0 to 1, that the ad is relevant. */
export const toRelevance = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Minimum relevance when the best ad has this relevance: price decides only among ads that fit about equally. */
export const toRelativeThreshold = (relevance: number): number => RELEVANCE_MODEL.relativeThreshold * relevance;
