import type { Message } from '../matching/index.ts';

/** The parts of an ad that a judge reads. */
export interface AdText {
  name: string;
  headline: string;
  description: string;
}

/** A conversation, not redacted, and the ads that could follow it. */
export interface JudgeQuestion {
  messages: readonly Message[];
  ads: readonly AdText[];
}

export interface Opinion {
  /** Whether any ad is appropriate here. */
  safe: boolean;
  /** The probability that each ad would be welcome now, from 0 to 1, in the order of the question. */
  welcome: readonly number[];
}

/**
 * Why there is no opinion: a timeout, an error, a malformed response, not asked because of too many recent failures, or not asked because
 * the deadline is too close.
 */
export const NO_ANSWER = ['late', 'failed', 'unreadable', 'circuit_open', 'no_time'] as const;
export type NoAnswer = (typeof NO_ANSWER)[number];
export type Judgment = { result: 'answered'; opinion: Opinion } | { result: NoAnswer };

/** The texts that describe a campaign. */
export interface CampaignText extends AdText {
  keywords: readonly string[];
  interests: readonly string[];
  categories: readonly string[];
}

/** A message of a user who needs what the campaign offers, and the probability, from 0 to 1, that the ad is welcome after it. */
export interface Phrase {
  text: string;
  weight: number;
}
export type Suggestion = { result: 'answered'; phrases: readonly Phrase[] } | { result: NoAnswer };

/** A language model that judges ads. It never throws; on failure the result is a `NoAnswer`. */
export interface Judge {
  /** Gives a second opinion on matched ads. */
  opine(question: JudgeQuestion): Promise<Judgment>;
  /** Suggests phrases that people who need the campaign's offer would write. Takes up to a minute. */
  suggest(campaign: CampaignText): Promise<Suggestion>;
}
