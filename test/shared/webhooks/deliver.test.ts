import { describe, expect, it } from 'vitest';
import { listActivity } from '../../../shared/platform/activity.ts';
import { queues } from '../../../shared/platform/queues.ts';
import { createSampleEvent } from '../../../shared/webhooks/events/samples.ts';
import { presentWebhook } from '../../../shared/webhooks/present.ts';
import { createSlots } from '../../../shared/webhooks/slots.ts';
import type { Webhook } from '../../../shared/webhooks/webhook.ts';
import { createHealthRecorder } from '../../../shared/webhooks/webhook-health.ts';
import { changeWebhook, findWebhook, removeWebhook, rotateSecret } from '../../../shared/webhooks/webhook-store.ts';
import { type Arrival, FAULTS, simulateDeliveries } from '../../memory/deliveries.ts';

const SECOND = 1000;
const DAY = 24 * 3600 * SECOND;
type World = ReturnType<typeof simulateDeliveries>;

const event = (name = 'one', at = Date.UTC(2026, 10, 20, 9)) => createSampleEvent('ad.click', name, at);
const put = ({ effects }: World, { owner, id }: Webhook, sent = event()) =>
  effects.queue.send('deliveries', { owner, webhookId: id, event: sent });
/** Milliseconds from the end of each request to the beginning of the next. */
const gaps = (arrivals: Arrival[], requestMs = 20) =>
  arrivals.map(({ at }, i) => (i === 0 ? 0 : at - arrivals[i - 1]!.at - requestMs));
/** A receiver that fails until it is fixed. */
function breakable(settings?: Record<string, string>) {
  const state = { works: false };
  const world = simulateDeliveries({ answer: () => (state.works ? 200 : 500), settings });
  return { state, world };
}

describe('a delivery', () => {
  it('makes one request if the receiver accepts it', async () => {
    const world = simulateDeliveries({});
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverAll();
    expect(world.arrivals).toHaveLength(1);
    expect(await world.delivery(hook, event().id)).toMatchObject({
      status: 'delivered',
      failures: 0,
      attempts: [{ at: Date.UTC(2026, 10, 20, 9), success: true, statusCode: 200, durationMs: 20, error: null }],
    });
    expect(await world.read(hook)).toMatchObject({
      status: 'active',
      lastError: null,
      lastDeliveryAt: '2026-11-20T09:00:00.020Z',
    });
  });

  it('makes six requests 0, 1, 4, 16, 64, and 256 s after each failure, then fails with its webhook', async () => {
    const { world } = breakable();
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverAll();
    expect(gaps(world.arrivals)).toEqual([0, 1, 4, 16, 64, 256].map((seconds) => seconds * SECOND));
    const delivery = (await world.delivery(hook, event().id))!;
    expect(delivery).toMatchObject({ status: 'failed', failures: 6 });
    expect(delivery.attempts.map(({ at }) => at)).toEqual(world.arrivals.map(({ at }) => at));
    expect(await world.read(hook)).toMatchObject({ status: 'failed', lastError: 'answered 500' });
    expect(world.memoryQueue.on('deliveries')).toEqual([]);
    expect(world.memoryQueue.on('dead')).toEqual([{ owner: 'alice', webhookId: hook.id, event: event() }]);
  });

  it.each([1, 2, 3, 4, 5])(
    'that succeeds after %i failures is complete, and its webhook never becomes failed',
    async (n) => {
      let requests = 0;
      const world = simulateDeliveries({ answer: () => (++requests > n ? 204 : null) });
      const hook = await world.webhook();
      await put(world, hook);
      while (world.arrivals.length <= n) {
        if (!(await world.deliverOne())) world.clock.set(world.memoryQueue.nextAt()!);
        expect((await world.read(hook)).status).toBe('active');
      }
      expect(await world.delivery(hook, event().id)).toMatchObject({ status: 'delivered', failures: n });
      expect(world.memoryQueue.on('dead')).toEqual([]);
    },
  );

  it('uses the configured delays', async () => {
    const { world } = breakable({ WEBHOOK_BACKOFF_SECONDS: '2,3' });
    await put(world, await world.webhook());
    await world.deliverAll();
    expect(gaps(world.arrivals)).toEqual([0, 2000, 3000]);
  });

  it('sends the same body and id at every attempt, with a new signature', async () => {
    const { world } = breakable();
    await put(world, await world.webhook());
    await world.deliverAll();
    const headers = world.arrivals.map((arrival) => arrival.headers);
    expect(new Set(headers.map((each) => each['webhook-id']))).toEqual(new Set([event().id]));
    expect(new Set(headers.map((each) => each['service-signature'])).size).toBe(1);
    expect(headers.map((each) => Number(each['webhook-timestamp']))).toEqual(
      world.arrivals.map(({ at }) => Math.floor(at / 1000)),
    );
  });

  it('is made once if its message is duplicated', async () => {
    const world = simulateDeliveries({});
    const hook = await world.webhook();
    for (let copy = 0; copy < 3; copy++) await put(world, hook);
    await world.deliverAll();
    await put(world, hook);
    await world.deliverAll();
    expect(world.arrivals).toHaveLength(1);
    expect(world.db.items('deliveries')).toHaveLength(1);
  });

  it('keeps its schedule if a copy of its message arrives early', async () => {
    const { world } = breakable();
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverOne();
    await put(world, hook);
    await world.deliverAll();
    expect(gaps(world.arrivals)).toEqual([0, 1, 4, 16, 64, 256].map((seconds) => seconds * SECOND));
  });

  it('logs webhook, event, and result, but no secret and no signature', async () => {
    const { world } = breakable();
    const hook = await world.webhook();
    await rotateSecret(world.effects, 'alice', hook.id);
    await put(world, hook);
    await world.deliverAll();
    const text = world.lines.join('\n');
    expect(JSON.parse(world.lines[0]!)).toMatchObject({ message: 'delivery', webhookId: hook.id, statusCode: 500 });
    expect(text).not.toMatch(/whsec_|sha256=|v1,|public\.test/);
  });
});

describe('a webhook', () => {
  it('still gets new events when it is failed, and becomes active with the next success', async () => {
    const { state, world } = breakable();
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverAll();
    await put(world, hook, event('two'));
    await world.deliverOne();
    expect(world.arrivals).toHaveLength(7);
    expect((await world.read(hook)).status).toBe('failed');
    state.works = true;
    await world.deliverAll();
    expect(await world.read(hook)).toMatchObject({ status: 'active', lastError: null });
    expect((await world.read(hook)).failingSince).toBeUndefined();
  });

  it('shows how its last delivery ended, also after its owner turned it on again', async () => {
    const { state, world } = breakable();
    const hook = await world.webhook();
    const last = async () => presentWebhook(await world.read(hook)).lastDelivery;
    expect(await last()).toBeNull();
    await put(world, hook);
    await world.deliverOne();
    const failed = { time: '2026-11-20T09:00:00.020Z', status: 'pending', statusCode: 500, error: 'answered 500' };
    expect(await last()).toEqual(failed);
    await world.deliverAll();
    const final = { ...failed, time: expect.any(String), status: 'failed' };
    expect(await last()).toEqual(final);
    await changeWebhook(world.effects, 'alice', hook.id, { status: 'active' });
    expect(presentWebhook(await world.read(hook))).toMatchObject({
      status: 'active',
      lastError: null,
      lastDelivery: final,
    });
    state.works = true;
    await put(world, hook, event('two'));
    await world.deliverAll();
    expect(await last()).toMatchObject({ status: 'delivered', statusCode: 200, error: null });
  });

  it('shows no result of a delivery by the previous version, which records only its time and error', async () => {
    const { world } = breakable();
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverOne();
    const values = { time: '2026-11-20T09:01:00.000Z', none: null };
    await world.db.write({
      table: 'webhooks',
      key: { owner: hook.owner, id: hook.id },
      update: 'SET #lastDeliveryAt = :time, #lastError = :none',
      values,
    });
    expect(presentWebhook(await world.read(hook))).toMatchObject({ lastDeliveryAt: values.time, lastDelivery: null });
  });

  it('is disabled after exactly five days without a success', async () => {
    const { world } = breakable();
    const hook = await world.webhook();
    const begin = world.clock.now() + 20; // the end of the first request
    await put(world, hook);
    await world.deliverAll();
    world.clock.set(begin + 5 * DAY - 1 - 20);
    await put(world, hook, event('two'));
    await world.deliverOne();
    expect((await world.read(hook)).status).toBe('failed');
    const byService = async () => {
      const { entries } = await listActivity(world.effects, hook.owner, { subject: hook.id, limit: 10 });
      return entries.filter(({ reason }) => reason === 'failing_webhook').map(({ changes }) => changes);
    };
    expect(await byService()).toEqual([]);
    world.clock.set(begin + 5 * DAY - 20);
    await put(world, hook, event('three'));
    await world.deliverOne();
    expect((await world.read(hook)).status).toBe('disabled');
    expect(await byService()).toEqual([[{ field: 'status', before: 'failed', after: 'disabled' }]]);
    const requests = world.arrivals.length;
    await world.deliverAll();
    expect(await byService()).toHaveLength(1);
    expect(world.arrivals).toHaveLength(requests);
    expect(await world.delivery(hook, event('two').id)).toMatchObject({ status: 'failed' });
  });

  it('is not disabled if a single success interrupts the failures', async () => {
    const { state, world } = breakable();
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverAll();
    world.clock.advance(3 * DAY);
    state.works = true;
    await put(world, hook, event('two'));
    await world.deliverAll();
    state.works = false;
    world.clock.advance(3 * DAY);
    await put(world, hook, event('three'));
    await world.deliverAll();
    expect((await world.read(hook)).status).toBe('failed');
  });

  it('gets another five days when its owner enables it again', async () => {
    const { world } = breakable();
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverAll();
    world.clock.advance(5 * DAY);
    await put(world, hook, event('two'));
    await world.deliverAll();
    expect((await world.read(hook)).status).toBe('disabled');
    await changeWebhook(world.effects, 'alice', hook.id, { status: 'active' });
    expect(await world.read(hook)).toMatchObject({ status: 'active', lastError: null });
    await put(world, hook, event('three'));
    await world.deliverAll();
    expect((await world.read(hook)).status).toBe('failed');
  });

  it.each(['deleted', 'disabled'])(
    'that is %s between retries gets no more requests, and its delivery is removed',
    async (how) => {
      const { world } = breakable();
      const hook = await world.webhook();
      await put(world, hook);
      await world.deliverOne();
      if (how === 'deleted') await removeWebhook(world.effects, 'alice', hook.id);
      else await changeWebhook(world.effects, 'alice', hook.id, { status: 'disabled' });
      await world.deliverAll();
      expect(world.arrivals).toHaveLength(1);
      expect(await world.delivery(hook, event().id)).toMatchObject({ status: 'failed', failures: 1 });
      expect(await findWebhook(world.effects, 'alice', hook.id)).toEqual(
        how === 'deleted' ? undefined : expect.objectContaining({ status: 'disabled' }),
      );
    },
  );

  it.each(['deleted', 'disabled'])('that is %s during a request stays that way', async (how) => {
    const { world } = breakable({ WEBHOOK_BACKOFF_SECONDS: '0' });
    const hook = await world.webhook();
    await put(world, hook);
    const { get } = world.db;
    let reads = 0;
    world.effects.db.get = async (table, key) => {
      const item = await get(table, key);
      if (++reads === 2 && how === 'deleted') await removeWebhook(world.effects, 'alice', hook.id);
      if (reads === 2 && how === 'disabled')
        await changeWebhook(world.effects, 'alice', hook.id, { status: 'disabled' });
      return item;
    };
    await world.deliverAll();
    expect(await findWebhook(world.effects, 'alice', hook.id)).toEqual(
      how === 'deleted' ? undefined : expect.objectContaining({ status: 'disabled' }),
    );
  });

  it('uses a URL and secret that changed between retries', async () => {
    const { world } = breakable();
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverOne();
    await changeWebhook(world.effects, 'alice', hook.id, { url: 'https://public.test/moved' });
    await rotateSecret(world.effects, 'alice', hook.id);
    world.clock.set(world.memoryQueue.nextAt()!);
    await world.deliverOne();
    expect(world.arrivals.map(({ url }) => url)).toEqual(['https://public.test/hook', 'https://public.test/moved']);
    const signatures = world.arrivals.map(({ headers }) => headers['service-signature']!.split(','));
    expect(signatures.map((each) => each.length)).toEqual([1, 2]);
    expect(signatures[1]![1]).toBe(signatures[0]![0]);
  });

  it('keeps the last result of overlapping requests, regardless of which began first', async () => {
    const world = simulateDeliveries({});
    const hook = await world.webhook();
    const recordHealth = createHealthRecorder(world.effects);
    const failed = { status: 'failed' as const, statusCode: 500, error: 'answered 500' };
    const delivered = { status: 'delivered' as const, statusCode: 200, error: null };
    const seenBefore = await world.read(hook);
    await recordHealth(seenBefore, failed);
    expect((await world.read(hook)).status).toBe('failed');
    await recordHealth(seenBefore, delivered);
    expect((await world.read(hook)).status).toBe('active');
    // A failure after a success starts a new period, even if the webhook was read in the old one.
    await recordHealth(seenBefore, { ...failed, status: 'pending' });
    const failing = await world.read(hook);
    world.clock.advance(4 * DAY);
    await recordHealth(failing, delivered);
    world.clock.advance(2 * DAY);
    await recordHealth(failing, failed);
    expect((await world.read(hook)).status).toBe('failed');
  });
});

describe('a delivery that is thirteen days old', () => {
  const put13DaysAgo = async (world: World, { owner, id }: Webhook) => {
    await world.effects.queue.send('deliveries', { owner, webhookId: id, event: event(), sentAt: world.clock.now() });
    world.clock.advance(13 * DAY);
  };

  it('is attempted up to that age', async () => {
    const world = simulateDeliveries({});
    const hook = await world.webhook();
    await put13DaysAgo(world, hook);
    await world.deliverAll();
    expect(await world.delivery(hook, event().id)).toMatchObject({ status: 'delivered' });
  });

  it('fails a moment later without a request, with its webhook, and moves to the dead-letter queue', async () => {
    const world = simulateDeliveries({});
    const hook = await world.webhook();
    await put13DaysAgo(world, hook);
    world.clock.advance(1);
    await world.deliverAll();
    expect(world.arrivals).toEqual([]);
    expect(await world.delivery(hook, event().id)).toMatchObject({ status: 'failed', attempts: [], failures: 0 });
    expect(await world.read(hook)).toMatchObject({ status: 'failed', lastError: 'Not delivered within 13 days' });
    expect(world.memoryQueue.on('dead')).toEqual([{ owner: 'alice', webhookId: hook.id, event: event() }]);
    expect(world.memoryQueue.on('deliveries')).toEqual([]);
  });

  it('fails without a free slot, keeps its attempts, and can be redelivered', async () => {
    const { state, world } = breakable({ WEBHOOK_CONCURRENCY_PER_OWNER: '1' });
    const hook = await world.webhook();
    await put13DaysAgo(world, hook);
    await world.deliverOne(); // at thirteen days sharp
    world.clock.set(world.memoryQueue.nextAt()!);
    await createSlots(world.effects).take('alice', 60 * SECOND, 'another');
    await world.deliverOne();
    const delivery = (await world.delivery(hook, event().id))!;
    expect(delivery).toMatchObject({ status: 'failed', failures: 1, attempts: [{ statusCode: 500 }] });
    state.works = true;
    world.clock.advance(60 * SECOND);
    await world.redeliver(hook, event().id);
    await put(world, hook);
    await world.deliverAll();
    expect(await world.delivery(hook, event().id)).toMatchObject({ status: 'delivered' });
  });

  it('fails before the queue drops its message', () => {
    expect(queues.deliveries.retentionDays).toBe(14);
  });
});

describe('a redelivery', () => {
  it('gets all retries, and makes its webhook active again', async () => {
    const { state, world } = breakable();
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverAll();
    expect(await world.redeliver(hook, event().id)).toMatchObject({ status: 'pending', failures: 0 });
    await put(world, hook);
    await world.deliverAll();
    expect(gaps(world.arrivals.slice(6))).toEqual([0, 1, 4, 16, 64, 256].map((seconds) => seconds * SECOND));
    state.works = true;
    await world.redeliver(hook, event().id);
    await put(world, hook);
    await world.deliverAll();
    expect((await world.delivery(hook, event().id))!.attempts).toHaveLength(13);
    expect([(await world.delivery(hook, event().id))!.status, (await world.read(hook)).status]).toEqual([
      'delivered',
      'active',
    ]);
  });

  it.each([200, 500])('requested during a request that ends with %i makes a separate request', async (status) => {
    let requests = 0;
    const world = simulateDeliveries({
      answer: () => [500, status][requests++] ?? 200,
      settings: { WEBHOOK_BACKOFF_SECONDS: '1,1' },
    });
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverOne();
    const { get } = world.db;
    world.effects.db.get = async (table, key) => {
      const found = await get(table, key);
      if (table !== 'deliveries') return found;
      world.effects.db.get = get; // the second request is about to start
      await world.redeliver(hook, event().id);
      await put(world, hook);
      return found;
    };
    await world.deliverAll();
    expect(world.arrivals).toHaveLength(3);
    expect((await world.delivery(hook, event().id))!.status).toBe('delivered');
  });

  it('bounds the size of the record', async () => {
    const world = simulateDeliveries({});
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverAll();
    for (let round = 0; round < 70; round++) {
      await world.redeliver(hook, event().id);
      await put(world, hook);
      await world.deliverAll();
    }
    expect(world.arrivals).toHaveLength(71);
    const { attempts } = (await world.delivery(hook, event().id))!;
    expect([attempts.length, attempts.at(-1)!.at]).toEqual([60, world.arrivals.at(-1)!.at]);
  });
});

describe('a batch of ten deliveries to one receiver', () => {
  it('reads all records in one call, and the webhook at most three times', async () => {
    const calls: string[] = [];
    const settings = { WEBHOOK_CONCURRENCY_PER_OWNER: '10' };
    const world = simulateDeliveries({ faultOf: (call) => void calls.push(call), settings });
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverAll();
    calls.length = 0;
    for (let n = 0; n < 10; n++) await put(world, hook, event(`number ${n}`));
    expect(await world.deliverTogether(10)).toBe(10);
    const count = (name: string) => calls.filter((call) => call === name).length;
    expect(world.arrivals).toHaveLength(11);
    expect([count('getAll'), count('write')]).toEqual([1, 12]); // ten records, plus the writes that take and free the slots
    expect(count('get')).toBeLessThanOrEqual(3);
  });

  it('reads no key twice if a message is duplicated', async () => {
    const { world } = breakable({ WEBHOOK_BACKOFF_SECONDS: '1' });
    const hook = await world.webhook();
    const keys: unknown[][] = [];
    const { getAll } = world.db;
    world.effects.db.getAll = async (table, asked) => {
      keys.push(asked);
      return getAll(table, asked);
    };
    const sentAt = world.clock.now() - 13 * DAY - 1; // old deliveries need no slot, so both copies are processed
    const { owner, id: webhookId } = hook;
    for (const name of ['one', 'one', 'two'])
      await world.effects.queue.send('deliveries', { owner, webhookId, event: event(name), sentAt });
    await world.deliverTogether(3);
    expect(keys).toEqual([['one', 'two'].map((name) => ({ webhookId, eventId: event(name).id }))]);
    expect(world.db.items('deliveries')).toHaveLength(2);
  });
});

describe('a crash, an error, or a lost response at any call', () => {
  /** Runs one delivery to a receiver that works or fails, with a fault at its n-th call. */
  async function withFault(works: boolean, fault: (typeof FAULTS)[number] | undefined, n: number) {
    let calls = 0;
    const world = simulateDeliveries({
      answer: () => (works ? 200 : 500),
      faultOf: () => (++calls === n ? fault : undefined),
      settings: { WEBHOOK_BACKOFF_SECONDS: '1,4' },
    });
    const hook = await world.webhook();
    await put(world, hook);
    await world.deliverAll(100);
    return { world, hook, calls };
  }

  it.each(FAULTS)('never loses a delivery: %s', async (fault) => {
    const { calls } = await withFault(true, undefined, 0);
    for (let n = 1; n <= calls; n++) {
      const { world, hook } = await withFault(true, fault, n);
      expect(world.arrivals.length, `call ${n}`).toBeGreaterThanOrEqual(1);
      expect(world.arrivals.length, `call ${n}`).toBeLessThanOrEqual(2);
      expect(await world.delivery(hook, event().id), `call ${n}`).toMatchObject({ status: 'delivered' });
      expect(await world.read(hook), `call ${n}`).toMatchObject({ status: 'active', lastError: null });
      expect([world.db.items('deliveries').length, world.memoryQueue.on('deliveries').length]).toEqual([1, 0]);
    }
  });

  it.each(FAULTS)('always records the failure and sends the message to the dead-letter queue: %s', async (fault) => {
    const { calls } = await withFault(false, undefined, 0);
    for (let n = 1; n <= calls; n++) {
      const { world, hook } = await withFault(false, fault, n);
      expect(world.arrivals.length, `call ${n}`).toBeGreaterThanOrEqual(3);
      expect(world.arrivals.length, `call ${n}`).toBeLessThanOrEqual(4);
      expect(await world.delivery(hook, event().id), `call ${n}`).toMatchObject({ status: 'failed', failures: 3 });
      expect((await world.read(hook)).status, `call ${n}`).toBe('failed');
      expect(world.memoryQueue.on('deliveries'), `call ${n}`).toEqual([]);
      expect(world.memoryQueue.on('dead').length, `call ${n}`).toBeGreaterThanOrEqual(1);
    }
  });
});
