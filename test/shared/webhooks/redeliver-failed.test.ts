import { expect, it } from 'vitest';
import { findDueDelivery, recordDelivery } from '../../../shared/webhooks/deliveries.ts';
import { createSampleEvent } from '../../../shared/webhooks/events/samples.ts';
import { redeliverFailed } from '../../../shared/webhooks/redeliver.ts';
import { createMemoryDatabase } from '../../memory/database.ts';
import { createTestClock, MORNING } from '../../service.ts';

const WEBHOOK = 'wh_1';

/** Deliveries of a webhook with the given results, oldest first. */
async function worldWith(ended: readonly ('delivered' | 'failed')[]) {
  const effects = { db: createMemoryDatabase(), clock: createTestClock() };
  for (const [n, status] of ended.entries()) {
    const event = createSampleEvent('ad.click', `${n}`, MORNING + n);
    const due = await findDueDelivery(effects, { owner: 'alice', webhookId: WEBHOOK, event });
    if (due.outcome !== 'due') throw new Error(due.outcome);
    await recordDelivery(effects, due.delivery, status, MORNING);
  }
  return effects;
}

/** Repeats the call until no delivery is left. */
async function allCalls(effects: Pick<Awaited<ReturnType<typeof worldWith>>, 'db'> & { clock: { now(): number } }) {
  const answers: Omit<Awaited<ReturnType<typeof redeliverFailed>>, 'next'>[] = [];
  let before: string | undefined;
  do {
    const { next, ...answer } = await redeliverFailed(
      { ...effects, clock: { ...createTestClock(), ...effects.clock } },
      WEBHOOK,
      before,
    );
    answers.push(answer);
    before = next ?? undefined;
  } while (before !== undefined);
  return answers;
}

const many = (count: number, status: 'delivered' | 'failed') => Array.from({ length: count }, () => status);

it('reaches every failed delivery and reads none twice', async () => {
  const effects = await worldWith([...many(120, 'failed'), ...many(2_100, 'delivered'), 'failed']);
  expect(await allCalls(effects)).toEqual([
    { redelivered: 1, remaining: 0, more: true },
    { redelivered: 100, remaining: 20, more: false },
    { redelivered: 20, remaining: 0, more: false },
  ]);
  expect(effects.db.items('deliveries').filter(({ status }) => status === 'failed')).toEqual([]);
  expect(await allCalls(effects)).toEqual([
    { redelivered: 0, remaining: 0, more: true },
    { redelivered: 0, remaining: 0, more: false },
  ]);
});

it('stops in time if the store is slow, and the next call continues there', async () => {
  const { db } = await worldWith(many(30, 'failed'));
  let now = MORNING;
  const slow = { now: () => (now += 300) };
  const answers = await allCalls({ db, clock: slow });
  expect(answers.length).toBeGreaterThan(1);
  expect(answers.map(({ more }) => more)).toEqual([...answers.slice(1).map(() => true), false]);
  expect(answers.reduce((sum, { redelivered }) => sum + redelivered, 0)).toBe(30);
});
