import { type Bid, costOf, type Issued, isServed, type Served } from '../bids/bid.ts';
import { serveBid } from '../bids/store.ts';
import type { Campaign } from '../campaigns/campaign.ts';
import { campaignStore, changeStanding, whenSpent } from '../campaigns/store.ts';
import { utcDay } from '../clock.ts';
import { Unavailable } from '../database.ts';
import type { Effects } from '../effects.ts';
import { settlement } from '../ledgers/settlement.ts';
import { charge, type Money, settle } from '../ledgers/store.ts';
import { micros } from '../money.ts';

/** What became of a bid that somebody came to redeem. */
export type Serving = { outcome: 'served'; bid: Served } | { outcome: 'expired' } | { outcome: 'campaign_missing' };

/** Rounds of settling with a ledger that others change meanwhile, before another request is told to come again. */
const ROUNDS = 20;

/**
 * The charge (decisions, section 4): at the first delivery of an ad, exactly once, in one transaction with the bid's change
 * of state, never beyond the budgets. A repeated delivery answers from the record.
 */
export function createServing(effects: Pick<Effects, 'db' | 'clock' | 'ids'>) {
  const { db, clock } = effects;
  const campaigns = campaignStore(effects);

  return async function serve(bid: Bid): Promise<Serving> {
    if (clock.now() >= bid.validUntil) return { outcome: 'expired' };
    if (isServed(bid)) return { outcome: 'served', bid };
    let money: Money | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      const campaign = await campaigns.find(bid.campaignOwner, bid.campaignId);
      if (!campaign) return { outcome: 'campaign_missing' };
      if (!honoured(campaign)) return { outcome: 'expired' };
      const attempt =
        bid.mode === 'test' ? freeOfCharge(bid, campaign) : money ? exact(bid, campaign, money) : common(bid, campaign);
      const written = await db.transact(attempt.writes);
      if (written.ok) return attempt.served ? { outcome: 'served', bid: attempt.served } : { outcome: 'expired' };
      const [refusedBid, refusedMoney] = written.refused;
      if (attempt.served && refusedBid) {
        const old = refusedBid.old as Bid | undefined;
        return old && isServed(old) ? { outcome: 'served', bid: old } : { outcome: 'expired' };
      }
      const found = attempt.served ? refusedMoney : refusedBid;
      if (found) {
        if (!found.old) return { outcome: 'campaign_missing' };
        money = found.old as Money;
      }
      // Otherwise the campaign changed under its pause: look again.
    }
    throw new Unavailable('the ledger changed too often');
  };

  /** More than the cost is left, in total and today: no look at the ledger first. */
  function common(bid: Issued, campaign: Campaign) {
    const now = clock.now();
    const served = servedOf(bid, campaign, now, costOf(bid));
    return { served, writes: [serveBid(served), charge(bid.campaignId, served.charged, served.day)] };
  }

  function freeOfCharge(bid: Issued, campaign: Campaign) {
    const now = clock.now();
    const served = servedOf(bid, campaign, now, micros(0));
    return { served, writes: [serveBid(served)] };
  }

  /** By the ledger's own values: rolls the day, charges what is left, and pauses the campaign whose budget that was. */
  function exact(bid: Issued, campaign: Campaign, money: Money) {
    const now = clock.now();
    const { charged, money: after, exhausted } = settlement(money, costOf(bid), utcDay(now));
    const served = charged > 0 ? { ...servedOf(bid, campaign, now, charged), day: after.day } : undefined;
    return {
      served,
      writes: [
        ...(served ? [serveBid(served)] : []),
        settle(money, after),
        ...(exhausted ? [changeStanding(campaign, whenSpent(campaign, exhausted, after.day), now)] : []),
      ],
    };
  }
}

/** A bid of a campaign that meanwhile ran out or was cancelled is void; one merely paused by its user is honoured. */
const honoured = ({ status, pausedReason }: Campaign): boolean =>
  status === 'active' || (status === 'paused' && pausedReason === 'user');

const servedOf = (bid: Issued, { creative }: Campaign, now: number, charged: Served['charged']): Served => ({
  ...bid,
  state: 'served',
  servedAt: now,
  creative,
  charged,
  day: utcDay(now),
});
