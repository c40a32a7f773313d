import { isDeepStrictEqual } from 'node:util';
import { type Bid, type Clicked, isClicked, isServed, type Served } from '../../ads/bids/bid.ts';
import type { Campaign, Configuration } from '../../campaigns/campaign.ts';
import { asOf } from '../../campaigns/lifecycle.ts';
import { merge } from '../../campaigns/merge.ts';
import { createMark, keyDayRow } from '../../keys/key-day.ts';
import { utcDay } from '../../platform/clock.ts';
import type { Amounts } from '../../platform/count-once.ts';
import type { Write } from '../../platform/database.ts';
import { keysOf } from '../../platform/values/typed.ts';

/** Something that happened to a bid and is stored: the cause of counts and of events. */
export type BidFact = { kind: 'impression'; bid: Served } | { kind: 'click'; bid: Clicked };

/** What a change of a bid's record says has happened. Test mode changes no counts and sends nothing. */
export function toBidFacts(old: Bid | undefined, now: Bid | undefined): BidFact[] {
  if (!now || now.mode === 'test') return [];
  const facts: BidFact[] = [];
  if (isServed(now) && !(old && isServed(old))) facts.push({ kind: 'impression', bid: now });
  if (isClicked(now) && !(old && isClicked(old))) facts.push({ kind: 'click', bid: now });
  return facts;
}

/** Something that happened to a campaign and is stored. */
export type CampaignFact =
  | { kind: 'created' | 'paused' | 'budget_exhausted'; campaign: Campaign }
  | { kind: 'updated'; campaign: Campaign; changed: string[] };

/**
 * What a change of a campaign says has happened. It stood as time had left it, whether or not anybody had written that down: a
 * pause after a day's pause that had ended is a new one. When money pauses an active campaign, the pause is no update besides; a
 * user who asked for the status of one that was not active is told of an update.
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

/** A pause is new when the campaign was not paused, or money pauses it for another reason or another day. */
function pause(old: Campaign | undefined, now: Campaign): CampaignFact[] {
  if (now.status !== 'paused') return [];
  const goesOn =
    old?.status === 'paused' &&
    (now.pausedReason === 'user' || (old.pausedReason === now.pausedReason && old.pausedDay === now.pausedDay));
  return goesOn ? [] : [{ kind: 'paused', campaign: now }];
}

/** What a fact of a bid adds to a day of the key that it was made for. */
interface KeyCount {
  row: ReturnType<typeof keyDayRow>;
  counts: Amounts;
  /** In a transaction with what it adds: whoever puts a parked record through again counts nothing. */
  mark: Write<'key-days'>;
}

/**
 * What a change of a bid's record adds to the report of its key; test mode adds nothing. An impression belongs to the day that it was charged to, a click
 * to the one on which it happened. @param share the publisher's, in ten-thousandths: charges are added up apart for each share, so that another one changes
 * nothing of what was earned before
 */
export function toKeyCounts(old: Bid | undefined, now: Bid | undefined, share: number): KeyCount[] {
  if (!now || now.mode === 'test') return [];
  const count = (fact: string, day: string, counts: Amounts): KeyCount => {
    const row = keyDayRow(now.keyId, day);
    return { row, counts, mark: createMark(row, `${now.id}#${fact}`) };
  };
  const issued = old ? [] : [count('bid', utcDay(now.issuedAt), { bids: 1 })];
  const since = toBidFacts(old, now).map((fact) =>
    fact.kind === 'click'
      ? count('click', utcDay(fact.bid.click.at), { clicks: 1 })
      : count('impression', fact.bid.day, { impressions: 1, [`charged_${share}`]: fact.bid.charged }),
  );
  return [...issued, ...since];
}

/** The names of the fields in which two configurations differ. */
function changedFields(before: Configuration | Campaign, after: Configuration | Campaign): string[] {
  const [one, other] = [merge({}, before), merge({}, after)]; // a default that was not stored before is no change
  return keysOf(one).filter((field) => !isDeepStrictEqual(one[field], other[field]));
}
