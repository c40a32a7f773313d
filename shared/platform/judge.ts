import type { Message } from '../matching/index.ts';

/** An ad as a judge reads it. */
export interface AdText {
  name: string;
  headline: string;
  description: string;
}

/** A conversation as it came, and the ads that might follow it. */
export interface JudgeQuestion {
  messages: readonly Message[];
  ads: readonly AdText[];
}

export interface Opinion {
  /** Whether this is a place for any ad. */
  safe: boolean;
  /** The chance, 0..1, that each ad would be welcome now, in the order of the question. */
  welcome: readonly number[];
}

/**
 * Why there is no answer: it did not come in time; an error; nothing that can be read; not asked since it has failed too often
 * lately; or since too little was left of the operation's time.
 */
export const NO_ANSWER = ['late', 'failed', 'unreadable', 'circuit_open', 'no_time'] as const;
export type NoAnswer = (typeof NO_ANSWER)[number];
export type Judgment = { result: 'answered'; opinion: Opinion } | { result: NoAnswer };

/** What a campaign says of itself. */
export interface CampaignText extends AdText {
  keywords: readonly string[];
  interests: readonly string[];
  categories: readonly string[];
}

/** A message of a user who needs what a campaign offers, and the probability that the ad is welcome then, from 0 to 1. */
export interface Phrase {
  text: string;
  weight: number;
}
export type Suggestion = { result: 'answered'; phrases: readonly Phrase[] } | { result: NoAnswer };

/** A language model that knows what people want. Never fails: then there is no answer. */
export interface Judge {
  /** A second opinion on what matching found. */
  opine(question: JudgeQuestion): Promise<Judgment>;
  /** Phrases of people who need what a campaign offers; takes up to a minute. */
  suggest(campaign: CampaignText): Promise<Suggestion>;
}
