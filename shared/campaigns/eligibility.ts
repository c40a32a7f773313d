import { utcDay } from '../platform/clock.ts';
import { OUTCOMES, type Outcome } from '../platform/values/outcomes.ts';
import type { Biddable } from './biddable.ts';
import { getDailyBudget } from './campaign.ts';
import { asOf } from './lifecycle.ts';
import type { MissingField } from './missing-fields.ts';
import { getDayBudget, type SpendStats } from './spend-stats.ts';

/** Outcomes that depend only on the campaign, not on the conversation or the publisher. */
type Code = Extract<
  Outcome,
  | 'draft'
  | 'paused'
  | 'creative_review'
  | 'completed'
  | 'cancelled'
  | 'ended'
  | 'not_started'
  | 'incomplete'
  | 'budget'
  | 'daily_budget'
>;

/** Why a campaign does not serve, or a warning, in words that its advertiser can act on. */
interface ServingReason {
  code: Code;
  /** Path of the field to change. */
  field: string;
  message: string;
}

const reason = (code: Code, field: string, message: string = OUTCOMES[code].means): ServingReason => ({
  code,
  field,
  message,
});

const DRAFT = reason('draft', 'status');
const PAUSED = reason('paused', 'status');
const COMPLETED = reason('completed', 'status');
const CANCELLED = reason('cancelled', 'status');
const ENDED = reason('ended', 'endDate');
const NOT_STARTED = reason('not_started', 'startDate');
const NO_MAX_CPB = reason(
  'incomplete',
  'maxCpb',
  'The maximum bid is 0. Set it to the highest CPM that the campaign may bid.',
);
const ZERO_TARGET_CPA = reason(
  'incomplete',
  'targetCpa',
  'The target CPA is 0, so every bid is 0. Set it to the value of a conversion.',
);
const NO_BUDGET = reason('budget', 'budget', 'The campaign has no budget. Set the total budget.');
const SPENT = reason('budget', 'budget', 'The total budget is spent. Raise it to continue.');
const NO_DAILY_BUDGET = reason(
  'daily_budget',
  'dailyBudget',
  'The daily budget is 0. Raise it, or clear it to use the total budget.',
);
const SPENT_TODAY = reason(
  'daily_budget',
  'dailyBudget',
  'The budget for this UTC day is spent. Raise the daily budget, or wait for the next day.',
);

/** Messages about missing fields that a campaign needs to serve. */
const MISSING_FIELDS: Record<MissingField, string> = {
  'creative.landingUrl': 'The ad has no landing page. Set its URL.',
  'creative.headline': 'The ad has no headline. Write one.',
  'targetAudience.keywords': 'The campaign has no keywords and no interests. Add some to match conversations.',
};

/** The fields that decide whether a campaign serves. */
type Checked = Pick<
  Biddable,
  | 'status'
  | 'pausedReason'
  | 'pausedDay'
  | 'startDate'
  | 'endDate'
  | 'budget'
  | 'dailyBudget'
  | 'bidStrategy'
  | 'maxCpb'
  | 'targetCpa'
  | 'review'
  | 'lacks'
>;

/**
 * Every reason why a campaign cannot take part in any auction now; empty if it can. An auction reports only the first reason; `serving`
 * reports all of them. The desk's form also uses this function, so it must run in browsers.
 */
export function findServingReasons(campaign: Checked, stats: SpendStats, now: number): readonly ServingReason[] {
  const { startDate, endDate, budget, bidStrategy, maxCpb, targetCpa, review, lacks = [] } = campaign;
  const { status, pausedReason } = asOf(campaign, now);
  const isPausedForMoney = pausedReason === 'budget' || pausedReason === 'daily_budget';
  const hasEnded = endDate !== null && now > Date.parse(endDate);
  const { limit, spentToday } = getDayBudget(campaign, stats, utcDay(now));
  const found: ServingReason[] = [];
  if (status === 'draft') found.push(DRAFT);
  if (status === 'cancelled') found.push(CANCELLED);
  if (status === 'completed' && !hasEnded) found.push(COMPLETED);
  if (status === 'paused' && !isPausedForMoney) found.push(PAUSED);
  if (hasEnded) found.push(ENDED);
  if (startDate !== null && now < Date.parse(startDate)) found.push(NOT_STARTED);
  if (review) {
    const message = `The ad addresses a language model instead of a person, or links to another site: “${review.passage}”. Rewrite this passage, or ask the operator to allow it.`;
    found.push(reason('creative_review', review.field, message));
  }
  for (const field of lacks) found.push(reason('incomplete', field, MISSING_FIELDS[field]));
  if (maxCpb === 0) found.push(NO_MAX_CPB);
  if (bidStrategy === 'target_cpa' && targetCpa === 0) found.push(ZERO_TARGET_CPA);
  if (budget === 0) found.push(NO_BUDGET);
  else if (pausedReason === 'budget' || stats.spent >= budget) found.push(SPENT);
  else if (getDailyBudget(campaign) === 0) found.push(NO_DAILY_BUDGET);
  else if (pausedReason === 'daily_budget' || limit <= spentToday) found.push(SPENT_TODAY);
  return found;
}

const ABOVE_BUDGET = reason(
  'daily_budget',
  'dailyBudget',
  'The daily budget is higher than the total budget, so it never takes effect.',
);
const SMALL_BUDGET = reason(
  'budget',
  'budget',
  'The remaining budget is less than the price of 1,000 impressions at the maximum bid.',
);
const NO_TARGET_CPA = reason(
  'incomplete',
  'targetCpa',
  'Without a target CPA, target_cpa bids like auto. Set the value of a conversion.',
);

const NO_MATCHES = reason(
  'incomplete',
  'targetAudience.keywords',
  'None of the keywords and interests can match a conversation. Choose others.',
);

/** Likely mistakes that do not exclude the campaign from auctions. */
export function findServingWarnings(campaign: Biddable, { spent }: SpendStats): ServingReason[] {
  const { budget, dailyBudget, bidStrategy, maxCpb, targetCpa, profile, lacks = [] } = campaign;
  const left = budget - spent;
  const isProfileEmpty = profile.k === '' && profile.t.length === 0;
  return [
    ...(dailyBudget !== null && budget > 0 && dailyBudget > budget ? [ABOVE_BUDGET] : []),
    ...(left > 0 && left < maxCpb ? [SMALL_BUDGET] : []),
    ...(bidStrategy === 'target_cpa' && targetCpa === null ? [NO_TARGET_CPA] : []),
    ...(isProfileEmpty && !lacks.includes('targetAudience.keywords') ? [NO_MATCHES] : []),
  ];
}
