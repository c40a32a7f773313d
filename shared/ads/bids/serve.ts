import type { Balance } from '../../budgets/balance.ts';
import { canPayInFull, charge, moveDayCounts, replaceBalance, settle } from '../../budgets/charge.ts';
import { createShards, type PickedShard } from '../../budgets/shards/charge-shards.ts';
import { chargeShard, isShard, type ShardSizes } from '../../budgets/shards/shard.ts';
import type { Campaign } from '../../campaigns/campaign.ts';
import type { ConversationItem } from '../../campaigns/conversation-terms.ts';
import { getShownCreative } from '../../campaigns/creative-versions.ts';
import { pauseIfSpent, writeLifecycle } from '../../campaigns/lifecycle.ts';
import { utcDay } from '../../platform/clock.ts';
import type { Write } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Item } from '../../platform/items.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import { type Micros, micros, toUsd } from '../../platform/values/money.ts';
import { countAd, getEndedConversation } from '../conversations/conversations.ts';
import { type Bid, getCost, hasCreative, type Issued, isServed, type Served } from './bid.ts';
import { createCampaignReader } from './campaigns-to-charge.ts';
import { createServingCheck } from './may-serve.ts';
import { createBidStore, serveBid } from './store.ts';
import { toServedTerms } from './terms.ts';

/** Result of serving a bid. */
export type Serving = { outcome: 'served'; bid: Served } | { outcome: 'expired' } | { outcome: 'campaign_missing' };

/** Maximum attempts while other requests keep changing the balance; then 503. */
const MAX_CHARGE_ROUNDS = 20;

/** Dependencies of serving, including an instance's state between requests: the shard that it charges, and its caches. */
type ServingContext = ReturnType<typeof createServingContext>;

function createServingContext(
  effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config' | 'metrics'>,
  sizes?: ShardSizes,
) {
  return {
    ...effects,
    bids: createBidStore(effects),
    shards: createShards(effects, sizes),
    readCampaign: createCampaignReader(effects),
    mayServe: createServingCheck(effects),
  };
}

/** Binds `serve` to one instance. */
export function createServing(
  effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config' | 'metrics'>,
  sizes?: ShardSizes,
): (bid: Bid) => Promise<Serving> {
  const context = createServingContext(effects, sizes);
  return (bid) => serve(context, bid);
}

/**
 * Charges an ad (api 4.3) at its first delivery: exactly once, in one transaction with the bid's change of state, and never beyond the
 * budgets. A repeated delivery returns the served bid.
 */
async function serve(context: ServingContext, bid: Bid): Promise<Serving> {
  if (context.clock.now() >= bid.validUntil) return { outcome: 'expired' };
  if (isServed(bid)) return { outcome: 'served', bid };
  const serving = await redeem(context, bid);
  if (serving.outcome === 'served') return serving;
  // A concurrent request for the same bid may have spent the last of the budget. Both get the same ad.
  const stored = await context.bids.find(bid.id);
  return stored && isServed(stored) ? { outcome: 'served', bid: stored } : serving;
}

/** Charges an issued bid and marks it as served. Retries if the balance, the campaign, or the conversation changes between read and write. */
async function redeem(
  { db, clock, config, metrics, shards, readCampaign, mayServe }: ServingContext,
  bid: Issued,
): Promise<Serving> {
  const { campaignId } = bid;
  let balance: Balance | undefined;
  let ended: ConversationItem | undefined;
  let conflicts = 0;
  /** Reused after a conflict, which does not mean that the campaign has changed. */
  let unchanged: Campaign | undefined;
  for (let round = 0; round < MAX_CHARGE_ROUNDS; round++) {
    const shard = shards.pick(campaignId);
    const campaign = shard || !unchanged ? await readCampaign(bid, shard?.opening) : unchanged;
    if (!campaign) return { outcome: 'campaign_missing' };
    if (!(await mayServe(bid, campaign))) return { outcome: 'expired' };
    const { served, writes } = prepareCharge(bid, campaign, { balance, shard }, clock.now());
    if (writes.length === 0) return { outcome: 'expired' };
    const counted = served && bid.conversation ? [countAd(bid.conversation, campaignId, clock.now(), ended)] : [];
    const written = await db.transact([...writes, ...counted], config.budgetShards ? 'report' : 'try again');
    if (written.ok) {
      if (!served) return { outcome: 'expired' };
      countImpression(served, metrics);
      return { outcome: 'served', bid: served };
    }
    if (written.isConflict) {
      const found = await shards.afterConflict(campaignId, shard, getCost(bid), ++conflicts);
      if (found && settle(found, getCost(bid), utcDay(clock.now())).charged === 0) return { outcome: 'expired' };
      [balance, unchanged] = [found ?? balance, campaign];
      round--;
      continue;
    }
    unchanged = undefined;
    const refusedCount = counted.length > 0 ? written.refused[writes.length] : undefined;
    const [refusedBid, refusedBalance] = served ? written.refused : [undefined, written.refused[0]];
    if (refusedBid) return toRefusedServing(refusedBid.old);
    if (refusedCount) {
      const wasToReplace = ended !== undefined;
      ended = getEndedConversation(refusedCount.old, clock.now());
      // Another ad restarted the conversation, or the TTL deleted the expired one: retry, because there may be room.
      if (!ended && !wasToReplace) return { outcome: 'expired' };
      continue;
    }
    const old = refusedBalance?.old;
    if (refusedBalance && shard) {
      await shards.refill(shard, old && 'row' in old && isShard(old) ? old : undefined, getCost(bid));
    } else if (refusedBalance) {
      if (!old || !('remaining' in old)) return { outcome: 'campaign_missing' };
      balance = await shards.enter(old, getCost(bid));
    }
    // Otherwise the campaign changed during its pause: retry.
  }
  throw new Unavailable('the balance changed too often');
}

function countImpression({ mode, charged }: Served, metrics: Effects['metrics']): void {
  if (mode === 'test') return;
  metrics.add('Impressions');
  metrics.add('Spend', toUsd(charged));
}

/** The result if another request has served the bid, or the bid is void. */
const toRefusedServing = (bid: Item<'bids' | 'ledgers' | 'campaigns' | 'conversations'> | undefined): Serving =>
  bid && 'state' in bid && isServed(bid) ? { outcome: 'served', bid } : { outcome: 'expired' };

/** The writes that serve a bid, and the resulting bid; undefined if no money is left. */
interface ChargeAttempt {
  served?: Served;
  writes: Write<'bids' | 'ledgers' | 'campaigns'>[];
}

interface ChargeSource {
  /** From a refused attempt. */
  balance: Balance | undefined;
  /** The shard to charge, while the balance is sharded. */
  shard: PickedShard | undefined;
}

function prepareCharge(bid: Issued, campaign: Campaign, { balance, shard }: ChargeSource, now: number): ChargeAttempt {
  const today = utcDay(now);
  if (bid.mode === 'test') {
    const served = toServed(bid, campaign, now, micros(0), today);
    return { served, writes: [serveBid(served)] };
  }
  const cost = getCost(bid);
  if (shard) {
    const served = toServed(bid, campaign, now, cost, shard.day);
    return { served, writes: [serveBid(served), chargeShard(shard, cost)] };
  }
  if (!balance || canPayInFull(balance, cost, today)) {
    const served = toServed(bid, campaign, now, cost, balance?.day ?? today);
    return { served, writes: [serveBid(served), charge(bid.campaignId, cost, served.day)] };
  }
  return prepareExactCharge(bid, campaign, balance, now);
}

/** Charges a known balance: starts its day, charges what is left, and pauses the campaign if nothing remains. */
function prepareExactCharge(bid: Issued, campaign: Campaign, balance: Balance, now: number): ChargeAttempt {
  const settled = settle(balance, getCost(bid), utcDay(now));
  const lifecycle = pauseIfSpent(campaign, settled);
  const pause = lifecycle ? [writeLifecycle(campaign, lifecycle, now)] : [];
  const settling = [replaceBalance(balance, settled.balance), ...moveDayCounts(balance, settled.balance), ...pause];
  if (settled.charged === 0) return { writes: pause.length > 0 ? settling : [] };
  const served = toServed(bid, campaign, now, settled.charged, settled.balance.day);
  return { served, writes: [serveBid(served), ...settling] };
}

const toServed = (bid: Issued, campaign: Campaign, now: number, charged: Micros, day: string): Served => ({
  ...bid,
  ...(hasCreative(bid) ? {} : getShownCreative(campaign)),
  terms: toServedTerms(bid, campaign),
  state: 'served',
  servedAt: now,
  charged,
  day,
});
