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
 * Why there is no opinion: it did not come in time; an error, or no answer that can be read; not asked since it has failed too often
 * lately; or since too little was left of the operation's time.
 */
export const NO_OPINION = ['late', 'failed', 'circuit_open', 'no_time'] as const;
export type Judgment = { result: 'answered'; opinion: Opinion } | { result: (typeof NO_OPINION)[number] };

/** A second opinion on what matching found. Never fails: then there is none. */
export interface Judge {
  opine(question: JudgeQuestion): Promise<Judgment>;
}
