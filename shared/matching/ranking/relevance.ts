import { isNonEnglish } from '../language/detector.ts';
import { CONTEXT_WEIGHTS } from '../reading/context-weights.ts';
import type { ConversationReading } from '../reading/read-conversation.ts';
import { RELEVANCE_MODEL } from './relevance-model.ts';

/** How a campaign's own keywords match a conversation. */
export interface KeywordFeatures {
  /** 0 nothing, 1 when a salient keyword was said whole just now. */
  evidence: number;
  /** Largest share that a keyword said whole has in what its message says, 0..1. */
  coverage: number;
  /** 1 when it was said in a message that asks for something. */
  requested: number;
  /** 1 when one was said whole in the newest message of the user; and when the rarest word of one that was is in no lexicon. */
  latest: number;
  unknown: number;
}

export const NO_KEYWORD_FEATURES: KeywordFeatures = { evidence: 0, coverage: 0, requested: 0, latest: 0, unknown: 0 };

/** Evidence of a way of asking that says all that it can. */
const MAX_INTENT_EVIDENCE = 2;

/** Figures of the conversation as a whole and of its newest message; the model's `context` has a weight for each. */
export function getContextFeatures(reading: ConversationReading): Record<keyof typeof RELEVANCE_MODEL.context, number> {
  const { evidence, latest, lexicon } = reading;
  const { request, manage, deviceCommand, trivia, task, statement } = lexicon.internalTopics;
  const said = (topic: number) => Math.min(MAX_INTENT_EVIDENCE, evidence[topic] ?? 0);
  const lately = (topic: number) => latest.topics[topic] ?? 0;
  return {
    seeks: said(request),
    manages: said(manage),
    deviceCommand: lately(deviceCommand),
    trivia: lately(trivia),
    task: lately(task),
    statement: lately(statement),
    smallTalk: reading.smallTalkShare,
    strongest: Math.log1p(reading.strongestEvidence),
    userWords: Math.log1p(Math.max(0, reading.userWords)),
    latestWords: Math.log1p(latest.wordCount),
    explained: latest.explained / (latest.explained + latest.unexplained + CONTEXT_WEIGHTS.unseenContent),
    unexplained: Math.log1p(latest.unexplained),
    request: reading.isRequest[latest.message] ?? 0,
    question: latest.text.includes('?') ? 1 : 0,
    length: Math.log1p(latest.text.length / 100),
    foreign: isNonEnglish(reading.language) ? 1 : 0,
    wishes: latest.intent.wishes,
    chore: latest.intent.chore,
  };
}

/** How readily an ad is shown in such a conversation. */
function getLeniency({ language, latest: { intent, hasEarlierMessage } }: ConversationReading): number {
  const { foreign, foreignStatement, severalTurns, answer, aside, wish, statement, chore } = RELEVANCE_MODEL.leniency;
  const { wishes, chore: isChore, isUnclear } = intent;
  const later = wishes ? severalTurns : isUnclear ? answer : aside;
  const english = hasEarlierMessage ? later : wishes ? wish : statement;
  const shape = isNonEnglish(language) ? (wishes ? foreign : foreignStatement) : english;
  return shape + chore * isChore;
}

/** What the conversation as a whole adds to every campaign's log-odds of being relevant. */
export function scoreContext(reading: ConversationReading): number {
  const { intercept, context } = RELEVANCE_MODEL;
  const figures: Readonly<Record<string, number>> = getContextFeatures(reading);
  let score = intercept + getLeniency(reading);
  for (const [name, weight] of Object.entries(context)) score += weight * (figures[name] ?? 0);
  return score;
}

/** Steepness of evidence's logarithm: a fifth of a clear word already counts as half of one. */
const STEEPNESS = 60;
/** Keywords compete with a topic of at least this evidence. */
const MIN_COMPETITION = 0.5;

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
export function scoreTopic(reading: ConversationReading, topic: number, affinity: number): number {
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
export function scoreKeywords(keywords: KeywordFeatures, { strongestEvidence }: ConversationReading): number {
  const { evidence, coverage, requested } = keywords;
  const share = evidence / Math.max(evidence, strongestEvidence, MIN_COMPETITION);
  return weightedSum(evidence, share, coverage, requested, 0);
}

/** What of its words speaks for a campaign, or the most that can. */
export interface CampaignSignals {
  /** What the best of its topics adds to its log-odds. */
  topicScore: number;
  /** How strongly the newest message of the user names one of its topics, 0..1. */
  latest: number;
  keywords: KeywordFeatures;
}

/**
 * The log-odds that the ad is relevant: by the score of its best topic or of its keywords, whichever is more, some more for the
 * keywords and for what was said last, and by its likeness to the conversation. Never falls when any of them grows.
 */
export function computeLogOdds(
  { topicScore, latest, keywords }: CampaignSignals,
  likeness: number,
  reading: ConversationReading,
  contextScore: number,
): number {
  const model = RELEVANCE_MODEL;
  // What no lexicon knows has neither topic nor vector: a keyword of it said just now stands for both.
  const { evidence, unknown } = keywords;
  const { intent, isOpening, isPlain } = reading.latest;
  const { wishes, buys } = intent;
  const { said, saidPlainly, bought } = model.leniency;
  const asked =
    keywords.latest * ((model.asked + model.leniency.asked) * wishes + said * isOpening + saidPlainly * isPlain) +
    (Math.max(latest, keywords.latest) >= CONTEXT_WEIGHTS.clearPhrase ? bought * buys : 0);
  const named = asked + model.latest * Math.max(latest, unknown) + model.likeness * Math.max(likeness, unknown);
  const best = evidence === 0 ? topicScore : Math.max(topicScore, scoreKeywords(keywords, reading));
  return contextScore + best + model.keywords * evidence + named;
}

/** The estimated chance, 0..1, that the ad is relevant. */
export const toRelevance = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Least relevance beside an ad of this one: money decides among those that fit about alike. */
export const toRelativeThreshold = (relevance: number): number => RELEVANCE_MODEL.relativeThreshold * relevance;
