import { expect, it } from 'vitest';
import { createServing } from '../../../shared/ads/bids/serve.ts';
import { ledgerStore } from '../../../shared/budgets/ledger.ts';
import type { Campaign } from '../../../shared/campaigns/campaign.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { createBudgetService } from '../../memory/service.ts';

const [FRIDAY, SATURDAY] = ['2026-11-20', '2026-11-21'];
const evening = Date.UTC(2026, 10, 20, 23);
const morning = Date.UTC(2026, 10, 21, 1);

async function world(seed: string) {
  const service = createBudgetService(seed);
  service.clock.set(evening);
  const campaign = await service.campaign({ budget: 1_000, dailyBudget: 500 });
  const serve = createServing(service.effects);
  const win = async (times: number) => {
    for (let n = 0; n < times; n++) await serve(await service.bid(campaign, 4));
  };
  const money = () => service.db.get('ledgers', { campaignId: campaign.id, row: 'money' });
  return { service, campaign, win, money };
}

const shown = (days: readonly { date: string; impressions: number; spend: number }[]) =>
  days.map(({ date, impressions, spend }) => [date, impressions, spend]);

it('a charge counts itself without a stream, and moves the counts of the previous day to its row', async () => {
  const { service, campaign, win } = await world('fold');
  expect(shown(await service.days(campaign))).toEqual([]);
  await win(3);
  expect(shown(await service.days(campaign))).toEqual([[FRIDAY, 3, 12_000]]);
  service.clock.set(morning);
  await win(2);
  await service.count();
  const both = [
    [FRIDAY, 3, 12_000],
    [SATURDAY, 2, 8_000],
  ];
  expect(shown(await service.days(campaign))).toEqual(both);
  const day = await service.db.get('ledgers', { campaignId: campaign.id, row: `day#${FRIDAY}` });
  expect(day).toMatchObject({ impressions: 3, spend: 12_000, folded: true });
});

it('a report counts a day once if it moves to its row between two reads', async () => {
  const { service, campaign, win } = await world('race');
  await win(3);
  service.clock.set(morning);
  const { db } = service;
  const folding: Database = {
    ...db,
    async *query(asked) {
      await win(1); // after the balance was read, before the rows are
      yield* db.query(asked);
    },
  };
  const [friday] = await ledgerStore({ db: folding }).days(campaign.id, FRIDAY, FRIDAY);
  expect(friday).toMatchObject({ impressions: 3, spend: 12_000 });
});

it('a balance of the previous release adds the counts of its stream to those of new charges', async () => {
  const { service, campaign, win, money } = await world('before');
  const { countDay, dayImpressions, daySpend, ...before } = (await money()) as unknown as Record<string, unknown>;
  expect([countDay, dayImpressions, daySpend]).toEqual([FRIDAY, 0, 0]);
  await service.db.write({ table: 'ledgers', put: before as never });
  await win(1);
  expect(await money()).toMatchObject({ countDay: FRIDAY, dayImpressions: 1, impressions: 1 });
  await servedBefore(service, campaign);
  await service.count();
  expect(shown(await service.days(campaign))).toEqual([[FRIDAY, 2, 8_000]]);
});

/** A bid served by the previous release, whose charge did not count it. */
async function servedBefore(service: ReturnType<typeof createBudgetService>, campaign: Campaign): Promise<void> {
  const bid = await service.bid(campaign, 4);
  const { creative } = campaign;
  await service.db.write({
    table: 'bids',
    put: { ...bid, state: 'served', servedAt: evening, creative, charged: 4_000, day: FRIDAY } as never,
  });
}
