import { type Bid, isClicked, isServed, toDimensions } from '../../shared/ads/bids/bid.ts';
import { markCounted } from '../../shared/ads/bids/store.ts';
import { createClickerNames, isTooFast } from '../../shared/ads/bids/suspect-clicks.ts';
import {
  type Conversion,
  forgetBrokenDown,
  getCountedValue,
  isCounted,
  markConversionCounted,
} from '../../shared/ads/conversions/store.ts';
import { accountDayStore } from '../../shared/budgets/account-days.ts';
import { getOpenDays, toCounts, totalRow } from '../../shared/budgets/counts.ts';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { createTermHashes } from '../../shared/budgets/monthly-terms.ts';
import { getOverviewStart } from '../../shared/budgets/overview.ts';
import { listBillableDays } from '../../shared/budgets/statements.ts';
import type { TermCounts } from '../../shared/budgets/term-counts.ts';
import { findPublishedStats, publishSpendStats, shouldPublish } from '../../shared/campaigns/publish-stats.ts';
import { toSpendStats } from '../../shared/campaigns/spend-stats.ts';
import { type ClickToCount, createClickerCounting } from '../../shared/http/workers/count-clickers.ts';
import { createTermCounting, type TermsToCount } from '../../shared/http/workers/count-terms.ts';
import { createCounting, type ToCount } from '../../shared/http/workers/counting.ts';
import { type NotThrough, type Park, parkRefused } from '../../shared/http/workers/parking.ts';
import { type RecordPosition, streamWorker } from '../../shared/http/workers/stream-worker.ts';
import type { WorkerEffects } from '../../shared/http/workers/worker.ts';
import { createTally, type TallyGroup, toBreakdowns } from '../../shared/keys/key-tallies.ts';
import { breakDown, firstPage, pageRow } from '../../shared/platform/breakdowns.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import { type Amounts, writeOnce } from '../../shared/platform/count-once.ts';
import type { Values } from '../../shared/platform/database.ts';
import { Unavailable } from '../../shared/platform/unavailable.ts';
import { toUsd } from '../../shared/platform/values/money.ts';
import { toError } from '../../shared/platform/values/typed.ts';
import {
  type BidFact,
  toBidFacts,
  toKeyCounts,
  toReaderReports,
  toWonTerms,
} from '../../shared/webhooks/events/facts.ts';

/**
 * Counts clicks and conversions of campaigns by UTC day, exactly once; the charge already counted impressions and spend. Stores one tally
 * per batch for `count-keys`, and publishes new spend stats to bidding.
 */
export default streamWorker('events/count', (effects) => {
  const countAll = createCounting(effects);
  const countTerms = createTermCounting(effects);
  const countClickers = createClickerCounting(effects);
  const nameClicker = createClickerNames(effects);
  const { hashConversation } = createTermHashes(effects);
  const { publisherShare } = effects.config;

  return {
    changes: {
      async bids({ old, now }, place) {
        if (!now) return undefined;
        const facts = toBidFacts(old, now);
        const additions = facts.map((fact) => countBid(fact, old, place));
        additions.push(...toReaderReports(old, now).map((one) => countReport(one, place)));
        const terms = await findTerms(old, now);
        const keyAdditions = toKeyCounts(old, now, publisherShare).map((count, index) => ({
          ...count,
          ...(index === 0 && { terms }),
          ...KEY,
          ...at(place),
        }));
        const clickerClicks = await findClicker(facts, place);
        const { campaignId, campaignOwner: owner } = now;
        return { additions, keyAdditions, clickerClicks, ...(facts.length > 0 && { campaign: { campaignId, owner } }) };
      },

      async conversions({ old, now }, place) {
        if (!now || old || !isCounted(now)) return undefined;
        const { campaignId, owner } = now;
        const campaign = { campaignId, owner };
        const additions = countConversion(now, place);
        return { additions, keyAdditions: [], clickerClicks: [], campaign, conversion: now };
      },
    },

    async finish(records: RecordCounts[], park) {
      const failures = await Promise.all([
        countAll(
          records.flatMap(({ additions }) => additions),
          park,
        ),
        countKeys(
          records.flatMap(({ keyAdditions }) => keyAdditions),
          park,
        ),
      ]);
      // Not at the same time: a transaction on rows that are being written would conflict.
      failures.push(
        await countClickers(
          records.flatMap(({ clickerClicks }) => clickerClicks),
          park,
        ),
      );
      const campaigns = records.flatMap(({ campaign }) => campaign ?? []);
      const notThrough = failures.flat();
      try {
        await noteLateCounts(effects, records);
        await forgetCounted(effects, records, new Set(notThrough.map(({ at }) => at)));
        await publishChangedStats(effects, new Map(campaigns.map(({ campaignId, owner }) => [campaignId, owner])));
      } catch (error) {
        // Throwing would discard `notThrough`, so a bug in publishing must not throw while there are records to retry.
        if (error instanceof Unavailable || notThrough.length === 0) throw error;
        effects.log.error('batch counted but not finished', { stack: toError(error).stack });
      }
      return notThrough;
    },
  };

  /** What a change of a bid adds to the terms of its campaign. Of the conversation, it keeps only short keyed hashes. */
  async function findTerms(old: Bid | undefined, now: Bid): Promise<TermCounts[]> {
    const { terms, conversation } = toWonTerms(old, now);
    return Promise.all(
      terms.map(async (term) => ({
        ...term,
        seen: conversation ? await hashConversation(term, conversation.owner, conversation.code) : '',
      })),
    );
  }

  /** The click of a change of a bid, if it counts for those who share its address. */
  async function findClicker(facts: readonly BidFact[], place: RecordPosition): Promise<ClickToCount[]> {
    const clicked = facts.find((fact) => fact.kind === 'click')?.bid;
    const clicker = clicked && (await nameClicker(clicked));
    if (!clicker) return [];
    const { id: bidId, campaignId, keyId, click } = clicked;
    return [{ clicker, bidId, campaignId, keyId, at: click.at, ...at(place) }];
  }

  /** Stores the key counts of a batch in one write. A parked record has no shard and adds to the rows directly. */
  async function countKeys(additions: KeyToCount[], park: Park): Promise<NotThrough[]> {
    const shard = additions[0]?.place.shard;
    if (shard === undefined) {
      const failures = [
        countAll(additions.flatMap(toRows), park),
        countTerms(additions.flatMap(toTermsOfParked), park),
      ];
      return (await Promise.all(failures)).flat();
    }
    const tally = createTally(effects, shard);
    try {
      await writeOnce(effects, shard, additions, tally);
      return [];
    } catch (cause) {
      // A tally of nothing: with the counts of the last one, `count-keys` would add them again.
      const refusing = {
        ...KEY,
        subjectOf: ({ keyId }: KeyToCount) => ({ keyId }),
        skip: (position: Values) => tally([], position),
      };
      return parkRefused(effects, park, refusing, additions, cause);
    }
  }
});

/** Publishes the spend stats of campaigns that changed enough to affect bidding. @param owners by campaign id */
async function publishChangedStats(effects: WorkerEffects, owners: ReadonlyMap<string, string>): Promise<void> {
  if (owners.size === 0) return;
  const published = await findPublishedStats(effects, owners);
  const performances = await ledgerStore(effects).performance([...owners.keys()]);
  const changed = performances.filter((one) => shouldPublish(published.get(one.campaignId), one, effects.clock.now()));
  await Promise.all(changed.map((one) => publishSpendStats(effects, owners.get(one.campaignId)!, toSpendStats(one))));
}

/** Marks the days whose stored sums lack these counts, so that `bill-day` sums them again. It sums later days in every run anyway. */
async function noteLateCounts(effects: WorkerEffects, records: readonly RecordCounts[]): Promise<void> {
  const now = effects.clock.now();
  const [start, end] = [getOverviewStart(now), listBillableDays(now)[0]!];
  const dates = new Set(
    records.flatMap(({ additions }) => additions.flatMap(({ counts }) => [...getOpenDays(counts).keys()])),
  );
  const { noteLate } = accountDayStore(effects);
  for (const date of dates) if (start <= date && date < end) await noteLate(date, effects.ids.uuid());
}

/** A later delivery of a record counts from its image, so the stored conversion is not needed for it. @param waiting indexes of records */
async function forgetCounted(
  { db }: WorkerEffects,
  records: readonly RecordCounts[],
  waiting: ReadonlySet<number>,
): Promise<void> {
  const counted = records.filter(({ additions }) => !additions.some(({ place }) => waiting.has(place.at)));
  await Promise.all(counted.flatMap(({ conversion }) => (conversion ? db.write(forgetBrokenDown(conversion)) : [])));
}

/** What one stream record adds to the counts of its campaign and its API key. */
interface RecordCounts {
  /** Set if the campaign's own counts change. */
  campaign?: { campaignId: string; owner: string };
  additions: ToCount[];
  keyAdditions: KeyToCount[];
  clickerClicks: ClickToCount[];
  /** Set for the record of a conversion. */
  conversion?: Conversion;
}

/** Counts of a bid for its key, and for the breakdowns of its key and campaign. */
type KeyToCount = TallyGroup & Pick<ToCount, 'place' | 'sequence' | 'part'> & { mark: string };

/** The rows to which a parked record adds: the day of its key, and the breakdown of its campaign. */
const toRows = ({ mark, ...one }: KeyToCount): ToCount[] =>
  toBreakdowns(one).map(({ page, values }) => ({
    ...one,
    row: pageRow(page),
    counts: 'keyId' in page.subject ? one.counts : {},
    marks: [],
    breakdown: { page, values, mark },
  }));

/** A record that was parked with all counts of its key still needs its terms. */
const toTermsOfParked = ({ terms = [], place, sequence, mark }: KeyToCount): TermsToCount[] =>
  terms.length > 0
    ? [{ terms, place: place.part === KEY.part ? { ...place, part: undefined } : place, sequence, mark }]
    : [];

/** The parts of a record are retried and parked independently. */
const CAMPAIGN = { part: 'campaign' };
const KEY = { part: 'key' };
const BREAKDOWN = { part: 'breakdown' };

const at = (place: RecordPosition) => ({ place, sequence: place.sequence });

/**
 * The charge counts the impression, except for ads served by an earlier version, which are counted here on the day of the charge. A click
 * counts on the day it happened. A legacy click may precede its charge: the click raises `unchargedClicks` and the charge lowers it, in
 * either order.
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
      const ofDay = { clicks: 1, ...(isTooFast(fact.bid) && { tooFastClicks: 1 }) };
      const inTotal = { ...ofDay, ...(!isServed(fact.bid) && { unchargedClicks: 1 }) };
      const counts = toCounts(utcDay(fact.bid.click.at), ofDay, inTotal);
      return { ...common, marks: [markCounted(id, 'click')], counts, measured: { Clicks: 1 } };
    }
  }
}

/** Counts on the day of the impression: the bid does not store when the reader reported it, and the rate of the day is exact. */
const countReport = (
  { report, count, bid: { id, campaignId, day } }: ReturnType<typeof toReaderReports>[number],
  place: RecordPosition,
): ToCount => ({
  row: totalRow(campaignId),
  ...CAMPAIGN,
  ...at(place),
  marks: [markCounted(id, report)],
  counts: toCounts(day, { [count]: 1 }, { [count]: 1 }),
});

function countConversion(conversion: Conversion, place: RecordPosition): ToCount[] {
  const { campaignId, owner, conversionId, isUncharged, at: recordedAt } = conversion;
  const ofDay = { conversions: 1, conversionValue: getCountedValue(conversion) };
  const inTotal = { ...ofDay, ...(isUncharged && { unchargedConversions: 1 }) };
  const day = utcDay(recordedAt);
  const page = firstPage({ campaignId }, day);
  const values = breakDown(page.subject, toDimensions(conversion), ofDay);
  return [
    {
      // A parked record may be older than what the row already names as the last conversion.
      row: { ...totalRow(campaignId), ...(place.shard !== undefined && { set: { lastConversionAt: recordedAt } }) },
      ...CAMPAIGN,
      ...at(place),
      marks: [markConversionCounted(conversion)],
      counts: toCounts(day, ofDay, inTotal),
      measured: { Conversions: 1 },
    },
    {
      row: pageRow(page),
      ...BREAKDOWN,
      ...at(place),
      marks: [],
      counts: {},
      breakdown: { page, values, mark: `conversion#${owner}#${conversionId}` },
    },
  ];
}
