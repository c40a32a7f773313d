import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../../infra/local/functions.ts';
import { createServing } from '../../../shared/ads/bids/serve.ts';
import type { Campaign } from '../../../shared/campaigns/campaign.ts';
import { listActivity, presentActivity } from '../../../shared/platform/activity.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import type { Gate, MemoryChange } from '../../memory/database.ts';
import { createBudgetService, OWNER } from '../../memory/service.ts';
import { createTestClock } from '../../service.ts';
import { streamRecord } from '../../stream-record.ts';

const MIDNIGHT = Date.UTC(2026, 10, 21);
const EVENING = MIDNIGHT - 60_000;

/** The service on the evening before `MIDNIGHT`. Its streams are delivered on request. */
function evening() {
  const service = createBudgetService('activity', createTestClock(EVENING));
  const { db, effects } = service;
  const changes = (): MemoryChange[] => db.changes.filter(({ table }) => table === 'campaigns');
  const fanOut = async (some: MemoryChange[] = changes(), by = effects) =>
    (await loadWorker('events/fan-out', by))({
      Records: some.map(({ old, now }) => streamRecord(old, now, 'campaigns')),
    });
  return {
    ...service,
    changes,
    fanOut,
    show: async (campaign: Campaign) => createServing(effects)(await service.bid(campaign, 4)),
    startDay: async () => (await loadWorker('schedules/start-day', effects))({} as never),
    /** What the service did, newest first, and how many entries there are. */
    async byService() {
      const { entries } = await listActivity(effects, OWNER, { limit: 100 });
      return entries
        .map(presentActivity)
        .filter(({ actor }) => actor === 'service')
        .map(({ time, reason, userId, changes }) => ({ time, reason, userId, changes }));
    },
    stored: () => db.items('activity').length,
  };
}

const ACTIVE = { status: 'active', pausedReason: null };
const becoming = (
  reason: string,
  time: number,
  before: { status: string; pausedReason: string | null },
  after: typeof before,
) => ({
  reason,
  time: new Date(time).toISOString(),
  userId: null,
  changes: [
    { field: 'status', before: before.status, after: after.status },
    ...(before.pausedReason === after.pausedReason
      ? []
      : [{ field: 'pausedReason', before: before.pausedReason, after: after.pausedReason }]),
  ],
});
const paused = (pausedReason: string) => ({ status: 'paused', pausedReason });

describe('What the service changes in a campaign', () => {
  it.each([
    ['the total budget', { budget: 0.004 }, 'budget'],
    ['the budget of the day', { budget: 1, dailyBudget: 0.004 }, 'daily_budget'],
  ])('is recorded from the stream, not by the charge: %s is spent', async (_, budgets, reason) => {
    const world = evening();
    const campaign = await world.campaign(budgets);
    expect(world.stored()).toBe(1); // the creation
    await world.show(campaign);
    expect(world.stored()).toBe(1);
    await world.fanOut();
    expect(await world.byService()).toEqual([becoming(reason, EVENING, ACTIVE, paused(reason))]);
  });

  it('is recorded once, although the stream repeats and reorders its records', async () => {
    const world = evening();
    const campaign = await world.campaign({ budget: 1, dailyBudget: 0.004 });
    await world.show(campaign);
    world.clock.set(MIDNIGHT);
    await world.startDay();
    await world.fanOut([...world.changes(), ...world.changes()].reverse());
    await world.fanOut();
    expect(await world.byService()).toEqual([
      becoming('new_day', MIDNIGHT, paused('daily_budget'), ACTIVE),
      becoming('daily_budget', EVENING, ACTIVE, paused('daily_budget')),
    ]);
  });

  it('is recorded after a failure of the store', async () => {
    const world = evening();
    await world.show(await world.campaign({ budget: 0.004 }));
    const failing: Gate = async ({ writes }, act) => {
      if (writes.some(({ table }) => table === 'activity')) throw new Unavailable('not now');
      return act();
    };
    const { batchItemFailures } = (await world.fanOut(world.changes(), world.instance(failing)))!;
    expect(batchItemFailures).toHaveLength(1);
    expect(await world.byService()).toEqual([]);
    await world.fanOut();
    expect(await world.byService()).toHaveLength(1);
  });

  it('took effect when the day began, even if the next charge stores it and pauses the campaign again', async () => {
    const world = evening();
    const campaign = await world.campaign({ budget: 1, dailyBudget: 0.004 });
    await world.show(campaign);
    world.clock.set(MIDNIGHT + 7_000);
    await world.show(campaign);
    await world.fanOut();
    expect(await world.byService()).toEqual([
      becoming('daily_budget', MIDNIGHT + 7_000, ACTIVE, paused('daily_budget')),
      becoming('new_day', MIDNIGHT, paused('daily_budget'), ACTIVE),
      becoming('daily_budget', EVENING, ACTIVE, paused('daily_budget')),
    ]);
  });

  it('includes the end, at the end date, even if a change by the user stores it', async () => {
    const world = evening();
    const endDate = new Date(EVENING + 5_000).toISOString();
    const ended = await world.campaign({ endDate });
    const renamed = await world.campaign({ endDate, name: 'Other shoes' });
    world.clock.set(MIDNIGHT);
    await world.update(renamed, { name: 'Last shoes' });
    await world.startDay();
    await world.fanOut();
    const end = becoming('end_date', EVENING + 5_001, ACTIVE, { status: 'completed', pausedReason: null });
    expect(await world.byService()).toEqual([end, end]);
    const { entries } = await listActivity(world.effects, OWNER, { subject: renamed.id, limit: 1 });
    expect(entries.map(presentActivity)).toMatchObject([
      { actor: 'user', changes: [{ field: 'name', before: 'Other shoes', after: 'Last shoes' }] },
    ]);
    expect(ended.id).not.toBe(renamed.id);
  });

  it('does not include what a change by the user causes at once', async () => {
    const world = evening();
    const campaign = await world.campaign({ budget: 1 });
    await world.show(campaign);
    await world.update(campaign, { budget: 0.004 });
    await world.update(campaign, { budget: 1 });
    await world.update(campaign, { status: 'paused' });
    await world.update(campaign, { status: 'active' });
    await world.remove(campaign);
    await world.fanOut();
    expect(await world.byService()).toEqual([]);
    const { entries } = await listActivity(world.effects, OWNER, { limit: 10 });
    expect(entries.map(({ action }) => action)).toEqual(['deleted', ...Array(4).fill('updated'), 'created']);
    expect(entries[4]?.changes).toEqual([
      { field: 'budget', before: 1, after: 0.004 },
      { field: 'dailyBudget', before: 1, after: 0.004 },
      { field: 'status', before: 'active', after: 'paused' },
      { field: 'pausedReason', before: null, after: 'budget' },
    ]);
  });

  it('does not include a change by a user through the previous version, which records none', async () => {
    const world = evening();
    const campaign = await world.campaign();
    const { changes } = world;
    await world.update(campaign, { name: 'Other shoes', status: 'paused' });
    await world.update(campaign, { status: 'active' });
    for (const { owner, id } of world.db.items('activity'))
      await world.db.write({ table: 'activity', key: { owner, id }, remove: true });
    await world.fanOut(changes());
    expect(world.stored()).toBe(0);
  });
});
