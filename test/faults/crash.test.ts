import { describe, expect, it } from 'vitest';
import { loadEndpoint } from '../../infra/local/functions.ts';
import { type Issued, toClickId } from '../../shared/ads/bids/bid.ts';
import { createServing } from '../../shared/ads/bids/serve.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { createConversionStore } from '../../shared/ads/conversions/store.ts';
import { findBalance } from '../../shared/budgets/balance.ts';
import { closeBalance } from '../../shared/budgets/shards/close-shards.ts';
import { openShards } from '../../shared/budgets/shards/shard.ts';
import { lambdaHandler } from '../../shared/http/runtimes/lambda.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { crashAt, SHARDS } from '../memory/gates.ts';
import { CLICK, createBudgetService, filterCountable, kinds, OWNER } from '../memory/service.ts';
import { createTestClock, httpEvent } from '../service.ts';

const DAY = 24 * 60 * 60 * 1000;
const MORE_THAN_ENOUGH = 50;

/** A retrieval as an instance performs it: reads the bid, then serves it. */
async function retrieve(effects: Effects, { id }: Issued) {
  const bid = await createBidStore(effects).find(id);
  return createServing(effects)(bid!);
}

describe('A crash in any store call of a retrieval, followed by a retry', () => {
  it.each([
    ['in the middle of a budget', { budget: 10 }, 0, 4_000, ['created']],
    ['at the first impression of a day', { budget: 10, dailyBudget: 5 }, DAY, 4_000, ['created']],
    ['at the end of the total', { budget: 0.003 }, 0, 3_000, ['created', 'budget_exhausted', 'paused']],
    ['at the end of the day', { budget: 10, dailyBudget: 0.003 }, 0, 3_000, ['created', 'paused']],
  ])('charges once %s', async (name, budgets, later, spent, facts) => {
    let crashes = 0;
    for (const when of ['before', 'after'] as const) {
      for (let nth = 1; nth < MORE_THAN_ENOUGH; nth++) {
        const service = createBudgetService(`crash ${name} ${when} ${nth}`);
        const campaign = await service.campaign(budgets);
        service.clock.advance(later);
        const bid = await service.bid(campaign, 4);
        const { gate, crashed } = crashAt(nth, when);
        const first = await retrieve(service.instance(gate), bid).catch(() => undefined);
        if (!crashed()) break;
        crashes++;
        expect(first).toBeUndefined();
        expect((await retrieve(service.effects, bid)).outcome).toBe('served');
        await service.count();
        expect(await service.performance(campaign)).toMatchObject({ spent, impressions: 1 });
        expect(await service.days(campaign)).toEqual([
          {
            date: service.today(),
            impressions: 1,
            clicks: 0,
            conversions: 0,
            spend: spent,
            conversionValue: 0,
            notRelevant: 0,
            viewableImpressions: 0,
            tooFastClicks: 0,
            tooManyClicks: 0,
          },
        ]);
        expect(kinds(service.facts(campaign))).toEqual(facts);
      }
    }
    expect(crashes).toBeGreaterThanOrEqual(6); // before and after each of: the bid, the campaign, the charge
  });

  it('charges once with the budget open in shards, and loses no granted money', async () => {
    let crashes = 0;
    for (const when of ['before', 'after'] as const) {
      for (let nth = 1; nth < MORE_THAN_ENOUGH; nth++) {
        const service = createBudgetService(`crash in shards ${when} ${nth}`, createTestClock(), SHARDS.settings);
        const campaign = await service.campaign({ budget: 0.1 });
        await retrieve(service.effects, await service.bid(campaign, 4)); // so that the balance has a current day
        await service.db.write(openShards((await findBalance(service.db, campaign.id))!, 1));
        const bid = await service.bid(campaign, 4);
        const { gate, crashed } = crashAt(nth, when);
        await retrieve(service.instance(gate), bid).catch(() => undefined);
        if (!crashed()) break;
        crashes++;
        expect((await retrieve(service.effects, bid)).outcome).toBe('served');
        expect(await service.performance(campaign)).toMatchObject({ spent: 8_000, remaining: 92_000, impressions: 2 });
        const { phase } = await closeBalance(service.effects, campaign.id);
        expect(phase).toBeUndefined();
        expect(await service.performance(campaign)).toMatchObject({ spent: 8_000, remaining: 92_000, impressions: 2 });
      }
    }
    expect(crashes).toBeGreaterThanOrEqual(14); // before and after each of: the bid, the campaign, three charges, both steps of a grant
  });

  it('is at worst a 500 over HTTP, and the retry returns the ad', async () => {
    const statuses = new Set<number>();
    for (let nth = 1; nth <= 4; nth++) {
      const service = createBudgetService(`crash over HTTP ${nth}`);
      const campaign = await service.campaign();
      const { key, secret } = await service.key();
      const { id } = await service.bid(campaign, 4, { keyId: key.id });
      const request = async (effects: Effects) => {
        const { event } = httpEvent('GET', `/api/v1/ssp/ad/${id}`, { headers: { 'x-api-key': secret } });
        return (await lambdaHandler('ssp/ad', await loadEndpoint('ssp/ad', effects))(event)).statusCode;
      };
      statuses.add((await request(service.instance(crashAt(nth, 'after').gate)))!);
      expect(await request(service.effects)).toBe(200);
      expect(await service.performance(campaign)).toMatchObject({ spent: 4_000, impressions: 1 });
    }
    expect([...statuses]).toEqual([500]);
  });
});

describe('A crash in any store call while a batch is counted, followed by the batch again', () => {
  /** Three impressions of two campaigns, two clicks, and a conversion. */
  async function traffic(seed: string) {
    const service = createBudgetService(seed);
    const [one, two] = [await service.campaign(), await service.campaign()];
    const bids = [await service.bid(one, 4), await service.bid(two, 3), await service.bid(one, 2)] as const;
    for (const bid of bids) await createServing(service.effects)(bid);
    for (const { id } of bids.slice(0, 2)) {
      await createBidStore(service.effects).attemptClick(id, { ...CLICK, at: service.clock.now() }, null);
    }
    const bought = { clickId: toClickId(bids[0].id), conversionType: 'purchase', value: 12.5 };
    await createConversionStore(service.effects).record(OWNER, bought);
    return { service, one, two, batch: filterCountable(service.db.changes) };
  }

  it('counts everything once, and bidding gets the exact figures', async () => {
    let crashes = 0;
    for (const when of ['before', 'after'] as const) {
      for (let nth = 1; nth < MORE_THAN_ENOUGH; nth++) {
        const { service, one, two, batch } = await traffic(`count ${when} ${nth}`);
        const { gate, crashed } = crashAt(nth, when);
        await service.count(service.instance(gate), batch).catch(() => undefined);
        if (!crashed()) break;
        crashes++;
        // A crash is not a record's error: no process is left to park it. The batch is retried.
        expect(await service.count(service.effects, batch)).toEqual({ batchItemFailures: [] });
        const [first, second] = [
          { impressions: 2, clicks: 1, conversions: 1 },
          { impressions: 1, clicks: 1, conversions: 0 },
        ];
        const date = '2026-11-20';
        const bought = {
          conversionValue: 12_500_000,
          notRelevant: 0,
          viewableImpressions: 0,
          tooFastClicks: 1,
          tooManyClicks: 0,
        };
        const none = { conversionValue: 0, notRelevant: 0, viewableImpressions: 0, tooFastClicks: 1, tooManyClicks: 0 };
        expect(await service.days(one)).toEqual([{ date, spend: 6_000, ...first, ...bought }]);
        expect(await service.days(two)).toEqual([{ date, spend: 3_000, ...second, ...none }]);
        expect(await service.stats(one)).toMatchObject({ spent: 6_000, spentToday: 6_000, ...first });
        expect(await service.stats(two)).toMatchObject({ spent: 3_000, spentToday: 3_000, ...second });
      }
    }
    expect(crashes).toBeGreaterThanOrEqual(12); // before and after each of: three counts, the figures, two publications
  });
});
