import { AdsError } from '../client/error.ts';

/** What went wrong, for people. */
export function inWords(error: unknown): string {
  if (!(error instanceof AdsError)) return 'The service cannot be reached. Is it running?';
  const { status, message, details, requestId } = error;
  if (status === 401) return `${message}. Look into “Who am I?” at the top.`;
  if (status === 429) return 'Too many requests in a short time. Wait a moment and try again.';
  if (status >= 500) return `${message}. If it stays so, quote request ${requestId}.`;
  const fields = details.filter(({ path, message: fault }) => path !== '' && fault !== message);
  return [message, ...fields.map(({ path, message: fault }) => `${path}: ${fault}`)].join(' — ');
}

const OUTCOMES: Readonly<Record<string, string>> = {
  won: 'won',
  lower_rank: 'another was worth more',
  paused: 'not running now',
  country: 'not in this country',
  budget: 'budget used up',
  pacing: 'saving its budget for later today',
  below_floor: "below the publisher's floor",
  no_match: 'does not fit',
  below_threshold: 'fits too little',
  excluded_keyword: 'a word it excludes was said',
  sensitive_context: 'sensitive conversation',
  format: 'has no ad of this format',
};

const SILENCES: Readonly<Record<string, string>> = {
  sensitive_context: 'The conversation is sensitive: no ad, whatever matches.',
  small_talk: 'This is small talk: nothing to advertise to.',
  task: 'Something is to be done or answered; no product is behind it.',
  no_commercial_context: 'Nothing commercial is being talked about.',
  no_match: 'No campaign fits what is being talked about.',
  below_threshold: 'Campaigns fit, but too little to be worth an interruption.',
};

export const outcomeInWords = (outcome: string): string => OUTCOMES[outcome] ?? outcome;
export const silenceInWords = (silence: string | null): string =>
  (silence && (SILENCES[silence] ?? silence)) || 'Campaigns fit, but none of them may bid here.';

export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;
export const usd = (amount: number, decimals = 2): string => `$${amount.toFixed(decimals)}`;
