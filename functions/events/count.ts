import { type Bid, isClicked, isServed } from '../../shared/bids/bid.ts';
import { markCounted } from '../../shared/bids/store.ts';
import { isNews, spendStatsOf } from '../../shared/campaigns/spend-stats.ts';
import { publishSpendStats, toldSpendStats } from '../../shared/campaigns/stored-stats.ts';
import { type Conversion, markConversionCounted } from '../../shared/conversions/store.ts';
import { type BidFact, bidFacts } from '../../shared/events/facts.ts';
import { type Addition, type Amounts, countOnce } from '../../shared/ledgers/count-once.ts';
import { addCounts, type CountsRow, countsOf, totalRow } from '../../shared/ledgers/counts.ts';
import { ledgerStore } from '../../shared/ledgers/store.ts';
import { tidy } from '../../shared/ledgers/tidy.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import type { Write } from '../../shared/platform/database.ts';
import type { MetricName } from '../../shared/platform/metrics.ts';
import { toUsd } from '../../shared/values/money.ts';
import { errorOf, keysOf } from '../../shared/values/typed.ts';
import type { NotThrough } from '../../shared/workers/parking.ts';
import { type RecordPlace, streamWorker, type WorkerEffects } from '../../shared/workers/worker.ts';

/**
 * Counts clicks and conversions by UTC day and in total, exactly once: all that a batch adds to a campaign is one write, which takes
 * the row's position in the shard along, so records that come again are passed over. A record that comes without its shard was
 * parked, and is counted in a transaction with a mark. Impressions and spend were counted by their charge. Then bidding is told of
 * the campaigns of the batch, where it matters.
 */
export default streamWorker('events/count', (effects) => {
  const { db, metrics } = effects;

  /** Counts what a batch adds to a campaign, the records of one shard or those that were parked. Resolves to those not through. */
  async function countAll(campaignId: string, additions: readonly ToCount[]): Promise<NotThrough[]> {
    const shard = additions[0]?.place.shard;
    if (shard === undefined) return countParked(additions);
    try {
      const { counted, row } = await countOnce(effects, totalRow(campaignId), shard, additions);
      measure(counted);
      if (row && row.row === 'total') await tidyUp(row);
      return [];
    } catch (cause) {
      return additions.map(({ place: { at } }) => ({ at, cause }));
    }
  }

  /** What was counted is through, whether or not its row can be tidied now: a later batch does it. */
  async function tidyUp(row: CountsRow): Promise<void> {
    try {
      await tidy(effects, row);
    } catch (cause) {
      effects.log.warn('totals not tidied', { campaignId: row.campaignId, stack: errorOf(cause).stack });
    }
  }

  async function countParked(additions: readonly ToCount[]): Promise<NotThrough[]> {
    const left: NotThrough[] = [];
    for (const addition of additions) {
      const { campaignId, counts, marks, place } = addition;
      try {
        const { ok: isNew } = await db.transact([...marks, ...addCounts(campaignId, counts)]);
        if (isNew) measure([addition]);
      } catch (cause) {
        left.push({ at: place.at, cause });
      }
    }
    return left;
  }

  function measure(additions: readonly ToCount[]): void {
    for (const { measured } of additions) for (const name of keysOf(measured)) metrics.add(name, measured[name]);
  }

  return {
    changes: {
      async bids({ old, now }, place) {
        const facts = bidFacts(old, now);
        if (!now || facts.length === 0) return undefined;
        const { campaignId, campaignOwner } = now;
        return { campaignId, owner: campaignOwner, additions: facts.map((fact) => ofBid(fact, old, place)) };
      },

      async conversions({ old, now }, place) {
        if (!now || old || now.mode !== 'live') return undefined;
        const { campaignId, owner } = now;
        return { campaignId, owner, additions: [ofConversion(now, place)] };
      },
    },

    async finish(touched: Touched[]) {
      const additions = touched.flatMap((one) => one.additions).filter(({ counts }) => Object.keys(counts).length > 0);
      const counting = [...Map.groupBy(additions, ({ campaignId }) => campaignId)];
      const left = await Promise.all(counting.map(([campaignId, its]) => countAll(campaignId, its)));
      await tellBidding(effects, new Map(touched.map(({ campaignId, owner }) => [campaignId, owner])));
      return left.flat();
    },
  };
});

async function tellBidding(effects: WorkerEffects, owners: ReadonlyMap<string, string>): Promise<void> {
  if (owners.size === 0) return;
  const told = await toldSpendStats(effects, owners);
  const performances = await ledgerStore(effects).performance([...owners.keys()]);
  const news = performances.filter((one) => isNews(told.get(one.campaignId), one, effects.clock.now()));
  await Promise.all(news.map((one) => publishSpendStats(effects, owners.get(one.campaignId)!, spendStatsOf(one))));
}

/** A record that concerns a campaign, and what it adds to its counts. */
interface Touched {
  campaignId: string;
  owner: string;
  additions: ToCount[];
}

/** What a fact adds to the counts and to the operators' graphs, and what marks it as counted where its place in a shard does not. */
interface ToCount extends Addition {
  campaignId: string;
  place: RecordPlace;
  marks: Write<'bids' | 'conversions'>[];
  measured: Partial<Record<MetricName, number>>;
}

/**
 * An impression was counted by its charge; one that an earlier version served is counted here, on the day it was charged to. A click
 * belongs to the day it happened. A click that comes before its charge (a legacy one may) waits for it, and the charge of an ad that
 * was clicked ends the wait: whichever of the two was stored first.
 */
function ofBid(fact: BidFact, old: Bid | undefined, place: RecordPlace): ToCount {
  const { id, campaignId } = fact.bid;
  const common = { campaignId, place, sequence: place.sequence };
  switch (fact.kind) {
    case 'impression': {
      const { day, charged, impressionCounted } = fact.bid;
      const inTotal: Amounts = old && isClicked(old) ? { unchargedClicks: -1 } : {};
      if (impressionCounted) return { ...common, marks: [markCounted(id, 'charge')], counts: inTotal, measured: {} };
      const measured = { Impressions: 1, Spend: toUsd(charged) };
      const counts = countsOf(day, { impressions: 1, spend: charged }, inTotal);
      return { ...common, marks: [markCounted(id, 'impression')], counts, measured };
    }
    case 'click': {
      const inTotal = { clicks: 1, ...(!isServed(fact.bid) && { unchargedClicks: 1 }) };
      const counts = countsOf(utcDay(fact.bid.click.at), { clicks: 1 }, inTotal);
      return { ...common, marks: [markCounted(id, 'click')], counts, measured: { Clicks: 1 } };
    }
  }
}

function ofConversion(conversion: Conversion, place: RecordPlace): ToCount {
  return {
    campaignId: conversion.campaignId,
    place,
    sequence: place.sequence,
    marks: [markConversionCounted(conversion)],
    counts: countsOf(utcDay(conversion.at), { conversions: 1 }, { conversions: 1 }),
    measured: { Conversions: 1 },
  };
}
