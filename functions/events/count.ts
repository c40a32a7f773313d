import { type Bid, isClicked, isServed } from '../../shared/bids/bid.ts';
import { markCounted } from '../../shared/bids/store.ts';
import { isNews, spendStatsOf } from '../../shared/campaigns/spend-stats.ts';
import { publishSpendStats, toldSpendStats } from '../../shared/campaigns/stored-stats.ts';
import { type Conversion, markConversionCounted } from '../../shared/conversions/store.ts';
import { type BidFact, bidFacts } from '../../shared/events/facts.ts';
import { addCounts } from '../../shared/ledgers/counts.ts';
import { ledgerStore } from '../../shared/ledgers/store.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import type { MetricName } from '../../shared/platform/metrics.ts';
import { toUsd } from '../../shared/values/money.ts';
import { keysOf } from '../../shared/values/typed.ts';
import { streamWorker } from '../../shared/workers/worker.ts';

/**
 * Counts clicks and conversions by UTC day and in total, exactly once: the counts and the mark that they were made are one
 * transaction, so a record that is delivered again finds the mark and counts nothing. Impressions and spend were counted by their
 * charge. Then bidding is told of the campaigns of the batch, where it matters.
 */
export default streamWorker('events/count', (effects) => {
  const { metrics } = effects;
  const ledgers = ledgerStore(effects);

  async function countConversion(conversion: Conversion): Promise<Touched> {
    const { campaignId, owner, at } = conversion;
    const counts = addCounts(campaignId, utcDay(at), { conversions: 1 }, { conversions: 1 });
    const { ok: isNew } = await effects.db.transact([markConversionCounted(conversion), ...counts]);
    if (isNew) metrics.add('Conversions');
    return { campaignId, owner };
  }

  return {
    changes: {
      async bids({ old, now }) {
        const facts = bidFacts(old, now);
        for (const fact of facts) {
          const { mark, day, ofDay, inTotal, measured } = tally(fact, old);
          const counts = addCounts(fact.bid.campaignId, day, ofDay, inTotal);
          if (counts.length === 0) continue;
          const { ok: isNew } = await effects.db.transact([markCounted(fact.bid.id, mark), ...counts]);
          if (isNew) for (const name of keysOf(measured)) metrics.add(name, measured[name]);
        }
        return facts[0] && { campaignId: facts[0].bid.campaignId, owner: facts[0].bid.campaignOwner };
      },

      async conversions({ old, now }) {
        return now && !old && now.mode === 'live' ? countConversion(now) : undefined;
      },
    },

    async finish(touched: Touched[]) {
      const owners = new Map(touched.map(({ campaignId, owner }) => [campaignId, owner]));
      const told = await toldSpendStats(effects, owners);
      for (const performance of await ledgers.performance([...owners.keys()])) {
        const { campaignId } = performance;
        if (isNews(told.get(campaignId), performance, effects.clock.now()))
          await publishSpendStats(effects, owners.get(campaignId)!, spendStatsOf(performance));
      }
    },
  };
});

/** A campaign whose counts have changed. */
interface Touched {
  campaignId: string;
  owner: string;
}

/** What a fact adds to the counts of its day, to those in total and to the operators' graphs, and what marks it as counted. */
interface Tally {
  mark: 'impression' | 'click' | 'charge';
  day: string;
  ofDay: Record<string, number>;
  inTotal: Record<string, number>;
  measured: Partial<Record<MetricName, number>>;
}

/**
 * An impression was counted by its charge; one that an earlier version served is counted here, on the day it was charged to. A click
 * belongs to the day it happened. A click that comes before its charge (a legacy one may) waits for it, and the charge of an ad that
 * was clicked ends the wait: whichever of the two was stored first.
 */
function tally(fact: BidFact, old: Bid | undefined): Tally {
  switch (fact.kind) {
    case 'impression': {
      const { day, charged, impressionCounted } = fact.bid;
      const inTotal: Tally['inTotal'] = old && isClicked(old) ? { unchargedClicks: -1 } : {};
      if (impressionCounted) return { mark: 'charge', day, ofDay: {}, inTotal, measured: {} };
      const measured = { Impressions: 1, Spend: toUsd(charged) };
      return { mark: 'impression', day, ofDay: { impressions: 1, spend: charged }, inTotal, measured };
    }
    case 'click':
      return {
        mark: 'click',
        day: utcDay(fact.bid.click.at),
        ofDay: { clicks: 1 },
        inTotal: { clicks: 1, ...(!isServed(fact.bid) && { unchargedClicks: 1 }) },
        measured: { Clicks: 1 },
      };
  }
}
