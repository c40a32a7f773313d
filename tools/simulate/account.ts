import { asOf } from '../../shared/campaigns/as-of.ts';
import { type Biddable, biddableOf } from '../../shared/campaigns/biddable.ts';
import type { Campaign } from '../../shared/campaigns/campaign.ts';
import { whenSpent } from '../../shared/campaigns/lifecycle.ts';
import { isNews, noSpendStats, type SpendStats, spendStatsOf } from '../../shared/campaigns/spend-stats.ts';
import type { Balance } from '../../shared/ledgers/balance.ts';
import { settlement } from '../../shared/ledgers/settlement.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import type { Micros } from '../../shared/values/money.ts';
import { type Contender, fullLedger } from './campaigns.ts';

/** A campaign during the simulation: what is stored of it, and what bidding knows, which is a little older. */
export interface Account extends Contender {
  stored: Campaign;
  balance: Balance;
  clicks: number;
  conversions: number;
  /** As bidding has it. */
  known: { campaign: Biddable; stats: SpendStats; changedAt: number };
  /** Micro-dollars by UTC day. */
  byDay: Map<string, number>;
  /** When a budget ran out: epoch milliseconds. */
  exhaustedAt: number | null;
}

export const openAccount = (contender: Contender, now: number): Account => ({
  ...contender,
  stored: contender.campaign,
  balance: fullLedger(contender.campaign, now),
  clicks: 0,
  conversions: 0,
  known: { campaign: biddableOf(contender.campaign), stats: noSpendStats(contender.campaign.id), changedAt: now },
  byDay: new Map(),
  exhaustedAt: null,
});

/** An ad is retrieved: the charge as the service makes it. Whether the ad was served. */
export function deliver(account: Account, cost: Micros, now: number): boolean {
  if (asOf(account.stored, now).status !== 'active') return false;
  const settled = settlement(account.balance, cost, utcDay(now));
  const lifecycle = whenSpent(asOf(account.stored, now), settled);
  account.balance = settled.balance;
  if (lifecycle) {
    account.stored = { ...account.stored, ...lifecycle, changedAt: now };
    account.exhaustedAt ??= now;
  }
  const { day } = settled.balance;
  account.byDay.set(day, (account.byDay.get(day) ?? 0) + settled.charged);
  return settled.charged > 0;
}

/** What the stream brings to bidding once a second: a changed campaign, and its stats where they are news. */
export function publish(account: Account, now: number): void {
  const { balance, clicks, conversions, stored, known } = account;
  const performance = { ...balance, clicks, chargedClicks: clicks, conversions, chargedConversions: conversions };
  const { stats, changedAt } = isNews(known, performance, now)
    ? { stats: spendStatsOf(performance), changedAt: now }
    : known;
  account.known = { campaign: biddableOf(stored), stats, changedAt };
}
