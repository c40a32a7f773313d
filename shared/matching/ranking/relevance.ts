import type { ConversationReading } from '../reading/reading.ts';
import type { KeywordFeatures } from './keywords.ts';
import { RELEVANCE_MODEL } from './model.ts';

/** Features of the conversation as a whole; the model's `context` has a weight for each. */
export function contextFeatures({ evidence, userWords, lexicon }: ConversationReading) {
  const request = evidence[lexicon.internalTopics.request] ?? 0;
  return { request: 1 - Math.exp(-request), length: Math.log(1 + userWords) };
}

/** What the conversation as a whole adds to every campaign's log-odds of being relevant. */
export function contextScore(reading: ConversationReading): number {
  const { intercept, context } = RELEVANCE_MODEL;
  const { request, length } = contextFeatures(reading);
  return intercept + context.request * request + context.length * length;
}

/** Steepness of evidence's logarithm: a fifth of a clear word already counts as half of one. */
const STEEPNESS = 60;
/** Keywords compete with a topic of at least this evidence. */
const LEAST_COMPETITION = 0.5;

/**
 * The weighted sum of the features of a topic or of keywords. They come as arguments, not as an object, because a match adds up
 * hundreds.
 */
function weightedSum(evidence: number, share: number, coverage: number, requested: number, interest: number): number {
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
 * What a topic adds to the log-odds of a campaign that has this affinity (0..1) to it; 0 when nothing speaks for it. Grows with the
 * affinity.
 */
export function topicScore(reading: ConversationReading, topic: number, affinity: number): number {
  const { evidence, coverage, isRequested, interest, strongestEvidence } = reading;
  const own = affinity * (evidence[topic] ?? 0);
  if (own === 0) return 0;
  return weightedSum(
    own,
    own / strongestEvidence,
    affinity * (coverage[topic] ?? 0),
    affinity * (isRequested[topic] ?? 0),
    affinity * (interest[topic] ?? 0),
  );
}

/** A campaign's own keywords, scored like a topic: they may be what no lexicon knows. */
export function keywordScore(keywords: KeywordFeatures, { strongestEvidence }: ConversationReading): number {
  const { evidence, coverage, requested } = keywords;
  const share = evidence / Math.max(evidence, strongestEvidence, LEAST_COMPETITION);
  return weightedSum(evidence, share, coverage, requested, 0);
}

/**
 * The log-odds that the ad is relevant, before calibration: by the score of its best topic or of its keywords, whichever is more, and
 * some more for the keywords. Never falls when either grows.
 */
export function logOdds(
  topicScore: number,
  keywords: KeywordFeatures,
  reading: ConversationReading,
  contextScore: number,
): number {
  const best = keywords.evidence === 0 ? topicScore : Math.max(topicScore, keywordScore(keywords, reading));
  return contextScore + best + RELEVANCE_MODEL.keywords * keywords.evidence;
}

/**
 * The estimated chance, 0..1, that the ad is relevant: the regression's log-odds, calibrated on how often it was right (beta
 * calibration: M. Kull, T. Silva Filho, P. Flach, AISTATS 2017). Grows with the log-odds.
 */
export function calibratedRelevance(logOdds: number): number {
  const { shift, low, high } = RELEVANCE_MODEL.calibration;
  const unlikely = Math.log1p(Math.exp(-logOdds));
  return 1 / (1 + Math.exp(-(shift - low * unlikely + high * (logOdds + unlikely))));
}
