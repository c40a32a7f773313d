import { type Bid, isClicked, isServed } from '../../shared/ads/bids/bid.ts';
import { markCounted } from '../../shared/ads/bids/store.ts';
import { type Conversion, markConversionCounted } from '../../shared/ads/conversions/store.ts';
import { toCounts, totalRow } from '../../shared/budgets/counts.ts';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { findPublishedStats, publishSpendStats, shouldPublish } from '../../shared/campaigns/publish-stats.ts';
import { toSpendStats } from '../../shared/campaigns/spend-stats.ts';
import { createCounting, type ToCount } from '../../shared/http/workers/counting.ts';
import type { NotThrough } from '../../shared/http/workers/stream-worker.ts';
import { type RecordPosition, streamWorker } from '../../shared/http/workers/stream-worker.ts';
import type { WorkerEffects } from '../../shared/http/workers/worker.ts';
import { type KeyDayCounts, tallyOnce } from '../../shared/keys/key-tallies.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import type { Amounts } from '../../shared/platform/count-once.ts';
import { Unavailable } from '../../shared/platform/unavailable.ts';
import { toUsd } from '../../shared/platform/values/money.ts';
import { errorOf } from '../../shared/platform/values/typed.ts';
import { type BidFact, toBidFacts, toKeyCounts } from '../../shared/webhooks/events/facts.ts';

/**
 * Counts clicks and conversions of campaigns by UTC day and exactly once, and writes down what there is to count of keys, for `count-keys`.
 * Impressions and spend of campaigns were counted by their charge. Then bidding is told of the campaigns of the batch, where it matters.
 */
export default streamWorker('events/count', (effects) => {
  const countAll = createCounting(effects);
  const { publisherShare } = effects.config;

  return {
    changes: {
      async bids({ old, now }, place) {
        if (!now) return undefined;
        const facts = toBidFacts(old, now);
        const additions = facts.map((fact) => countBid(fact, old, place));
        const ofKey = toKeyCounts(old, now, publisherShare).map(({ mark, ...count }) => ({
          ...count,
          ...count.row.key,
          ...KEY,
          ...at(place),
          marks: [mark],
        }));
        const { campaignId, campaignOwner: owner } = now;
        return { additions, ofKey, ...(facts.length > 0 && { campaign: { campaignId, owner } }) };
      },

      async conversions({ old, now }, place) {
        if (!now || old || now.mode !== 'live') return undefined;
        const { campaignId, owner } = now;
        return { additions: [countConversion(now, place)], ofKey: [], campaign: { campaignId, owner } };
      },
    },

    async finish(touched: Touched[]) {
      const [left, leftOfKeys] = await Promise.all([
        countAll(touched.flatMap(({ additions }) => additions)),
        countKeys(touched.flatMap(({ ofKey }) => ofKey)),
      ]);
      const campaigns = touched.flatMap(({ campaign }) => campaign ?? []);
      const notThrough = [...left, ...leftOfKeys];
      try {
        await publishNews(effects, new Map(campaigns.map(({ campaignId, owner }) => [campaignId, owner])));
      } catch (error) {
        // A mistake of ours is to lose none of those that come again.
        if (error instanceof Unavailable || notThrough.length === 0) throw error;
        effects.log.error('bidding not told', { stack: errorOf(error).stack });
      }
      return notThrough;
    },
  };

  /** One write for all the keys of a batch; one that was parked adds to its key's day itself. */
  async function countKeys(ofKeys: KeyToCount[]): Promise<NotThrough[]> {
    const shard = ofKeys[0]?.place.shard;
    if (shard === undefined) return countAll(ofKeys);
    try {
      await tallyOnce(effects, shard, ofKeys);
      return [];
    } catch (cause) {
      return ofKeys.map(({ place: { at }, part }) => ({ at, part, cause }));
    }
  }
});

async function publishNews(effects: WorkerEffects, owners: ReadonlyMap<string, string>): Promise<void> {
  if (owners.size === 0) return;
  const published = await findPublishedStats(effects, owners);
  const performances = await ledgerStore(effects).performance([...owners.keys()]);
  const news = performances.filter((one) => shouldPublish(published.get(one.campaignId), one, effects.clock.now()));
  await Promise.all(news.map((one) => publishSpendStats(effects, owners.get(one.campaignId)!, toSpendStats(one))));
}

/** What a record adds to counts of its campaign and of its key, and the campaign whose own counts are among them. */
interface Touched {
  campaign?: { campaignId: string; owner: string };
  additions: ToCount[];
  ofKey: KeyToCount[];
}

type KeyToCount = ToCount & KeyDayCounts;

/** The parts of a record's work: what it adds to its campaign, and to its key. */
const CAMPAIGN = { part: 'campaign' };
const KEY = { part: 'key' };

const at = (place: RecordPosition) => ({ place, sequence: place.sequence });

/**
 * An impression was counted by its charge; one that an earlier version served is counted here, on the day it was charged to. A click
 * belongs to the day it happened. A click that comes before its charge (a legacy one may) waits for it, and the charge of an ad that
 * was clicked ends the wait: whichever of the two was stored first.
 */
function countBid(fact: BidFact, old: Bid | undefined, place: RecordPosition): ToCount {
  const { id, campaignId } = fact.bid;
  const common = { row: totalRow(campaignId), ...CAMPAIGN, ...at(place) };
  switch (fact.kind) {
    case 'impression': {
      const { day, charged, impressionCounted } = fact.bid;
      const inTotal: Amounts = old && isClicked(old) ? { unchargedClicks: -1 } : {};
      if (impressionCounted) return { ...common, marks: [markCounted(id, 'charge')], counts: inTotal };
      const measured = { Impressions: 1, Spend: toUsd(charged) };
      const counts = toCounts(day, { impressions: 1, spend: charged }, inTotal);
      return { ...common, marks: [markCounted(id, 'impression')], counts, measured };
    }
    case 'click': {
      const inTotal = { clicks: 1, ...(!isServed(fact.bid) && { unchargedClicks: 1 }) };
      const counts = toCounts(utcDay(fact.bid.click.at), { clicks: 1 }, inTotal);
      return { ...common, marks: [markCounted(id, 'click')], counts, measured: { Clicks: 1 } };
    }
  }
}

function countConversion(conversion: Conversion, place: RecordPosition): ToCount {
  const inTotal = { conversions: 1, ...(conversion.isUncharged && { unchargedConversions: 1 }) };
  return {
    row: totalRow(conversion.campaignId),
    ...CAMPAIGN,
    ...at(place),
    marks: [markConversionCounted(conversion)],
    counts: toCounts(utcDay(conversion.at), { conversions: 1 }, inTotal),
    measured: { Conversions: 1 },
  };
}
