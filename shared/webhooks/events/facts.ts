import { isDeepStrictEqual } from 'node:util';
import { type Bid, type Clicked, isClicked, isServed, type Served, toDimensions } from '../../ads/bids/bid.ts';
import { isTooFast } from '../../ads/bids/suspect-clicks.ts';
import { listReportableTerms } from '../../ads/bids/terms.ts';
import type { TermCounts } from '../../budgets/term-counts.ts';
import type { Campaign, Configuration } from '../../campaigns/campaign.ts';
import { asOf } from '../../campaigns/lifecycle.ts';
import { merge } from '../../campaigns/merge.ts';
import type { TallyGroup } from '../../keys/key-tallies.ts';
import { utcDay } from '../../platform/clock.ts';
import type { Amounts } from '../../platform/count-once.ts';
import { getKeys } from '../../platform/values/typed.ts';

/** A stored fact about a bid. Facts cause counts and events. */
export type BidFact = { kind: 'impression'; bid: Served } | { kind: 'click'; bid: Clicked };

/** Derives facts from a change of a bid's record. Bids in test mode have none. */
export function toBidFacts(old: Bid | undefined, now: Bid | undefined): BidFact[] {
  if (!now || now.mode === 'test') return [];
  const facts: BidFact[] = [];
  if (isServed(now) && !(old && isServed(old))) facts.push({ kind: 'impression', bid: now });
  if (isClicked(now) && !(old && isClicked(old))) facts.push({ kind: 'click', bid: now });
  return facts;
}

/** What readers report about a served ad, and the counts to which the reports add. */
const READER_REPORTS = [
  { report: 'notRelevant', count: 'notRelevant' },
  { report: 'viewable', count: 'viewableImpressions' },
] as const;

/** The first reports of readers about an ad that a change of its bid's record contains. Bids in test mode have none. */
export const toReaderReports = (old: Bid | undefined, now: Bid) =>
  now.mode === 'test' || !isServed(now)
    ? []
    : READER_REPORTS.filter(({ report }) => now[report] && !(old && isServed(old) && old[report])).map((one) => ({
        ...one,
        bid: now,
      }));

/** A stored fact about a campaign. */
export type CampaignFact =
  | { kind: 'created' | 'paused' | 'budget_exhausted'; campaign: Campaign }
  | { kind: 'updated'; campaign: Campaign; changed: string[] };

/**
 * Derives facts from a change of a campaign. The old state is evaluated at the time of the change, even if it was not stored: a pause after
 * the end of a daily pause is a new pause. The status change is not also an update if an exhausted budget pauses an active campaign; it is
 * if an owner changes the status of an inactive campaign.
 */
export function toCampaignFacts(stored: Campaign | undefined, now: Campaign | undefined): CampaignFact[] {
  if (!now || 'deleted' in now) return [];
  if (!stored) return [{ kind: 'created', campaign: now }, ...pause(undefined, now)];
  const old = asOf(stored, now.changedAt);
  const paused = pause(old, now);
  const changed = changedFields(stored, now);
  if (old.status !== now.status && !changed.includes('status')) changed.push('status');
  const isPausedByMoney = paused.length > 0 && now.pausedReason !== 'user' && old.status === 'active';
  const asked = changed.filter((field) => field !== 'status' || !isPausedByMoney);
  return [
    ...(asked.length > 0 ? [{ kind: 'updated' as const, campaign: now, changed: asked }] : []),
    ...(now.exhaustions > old.exhaustions ? [{ kind: 'budget_exhausted' as const, campaign: now }] : []),
    ...paused,
  ];
}

/** A pause is new if the campaign was not paused, or if a budget pauses it for another reason or on another day. */
function pause(old: Campaign | undefined, now: Campaign): CampaignFact[] {
  if (now.status !== 'paused') return [];
  const goesOn =
    old?.status === 'paused' &&
    (now.pausedReason === 'user' || (old.pausedReason === now.pausedReason && old.pausedDay === now.pausedDay));
  return goesOn ? [] : [{ kind: 'paused', campaign: now }];
}

/** Counts that a fact adds to a day of the bid's key, and to the breakdowns of its key and campaign. */
interface KeyCount extends TallyGroup {
  /** Names the fact, so that a retried parked record is not counted twice. */
  mark: string;
}

/** What a change of a bid's record adds to the terms by which its campaign won. */
interface WonTerms {
  terms: Omit<TermCounts, 'seen'>[];
  /** Set if the bid names its conversation, and its key is not of the advertiser. */
  conversation?: { owner: string; code: string };
}

/**
 * Derives what a change adds to the terms of a campaign; nothing for bids in test mode. A bid names its terms once it is served, so the
 * click of an ad that is served later counts with its impression.
 */
export function toWonTerms(old: Bid | undefined, now: Bid | undefined): WonTerms {
  const [first, ...others] = toBidFacts(old, now);
  if (!first || !isServed(first.bid)) return { terms: [] };
  const { campaignId, campaignOwner, keyOwner } = first.bid;
  const isShown = first.kind === 'impression';
  const isClick = !isShown || others.length > 0 || (old !== undefined && isClicked(old));
  const day = first.kind === 'click' ? utcDay(first.bid.click.at) : first.bid.day;
  const counts = { impressions: isShown ? 1 : 0, clicks: isClick ? 1 : 0 };
  const month = day.slice(0, 'YYYY-MM'.length);
  const code = isShown ? old?.conversationCode : undefined;
  return {
    terms: listReportableTerms(first.bid).map((term) => ({ campaignId, month, term, ...counts })),
    ...(code && keyOwner !== campaignOwner && { conversation: { owner: keyOwner, code } }),
  };
}

/**
 * Derives the counts that a change of a bid's record adds to its key's report; none for bids in test mode. An impression counts on the day
 * it was charged, as do the reports of its reader; a click counts on the day of the click.
 * @param share the publisher's share in ten-thousandths. Charges are summed separately per share, so a new share does not change earlier
 * earnings
 */
export function toKeyCounts(old: Bid | undefined, now: Bid | undefined, share: number): KeyCount[] {
  if (!now || now.mode === 'test') return [];
  const { keyId, campaignId } = now;
  const dimensions = toDimensions(now);
  const count = (fact: string, day: string, counts: Amounts): KeyCount => {
    return { keyId, campaignId, day, dimensions, counts, mark: `${now.id}#${fact}` };
  };
  const issued = old ? [] : [count('bid', utcDay(now.issuedAt), { bids: 1, [`fill_${now.level ?? 'balanced'}`]: 1 })];
  const since = toBidFacts(old, now).map((fact) =>
    fact.kind === 'click'
      ? count('click', utcDay(fact.bid.click.at), { clicks: 1, ...(isTooFast(fact.bid) && { tooFastClicks: 1 }) })
      : count('impression', fact.bid.day, { impressions: 1, [`charged_${share}`]: fact.bid.charged }),
  );
  const reported = toReaderReports(old, now).map(({ report, bid, count: name }) =>
    count(report, bid.day, { [name]: 1 }),
  );
  return [...issued, ...since, ...reported];
}

/** The names of the fields in which two configurations differ. */
function changedFields(before: Configuration | Campaign, after: Configuration | Campaign): string[] {
  const [one, other] = [merge({}, before), merge({}, after)]; // a default that was not stored before is no change
  return getKeys(one).filter((field) => !isDeepStrictEqual(one[field], other[field]));
}
