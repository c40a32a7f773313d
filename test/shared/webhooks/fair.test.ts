import type { SQSRecord } from 'aws-lambda';
import { expect, it } from 'vitest';
import { queueWorker } from '../../../shared/http/workers/queue-worker.ts';
import { queues } from '../../../shared/platform/queues.ts';
import { createDeliver } from '../../../shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '../../../shared/webhooks/deliveries.ts';
import { createSampleEvent } from '../../../shared/webhooks/events/samples.ts';
import type { Send } from '../../../shared/webhooks/send.ts';
import type { Webhook } from '../../../shared/webhooks/webhook.ts';
import { simulateDeliveries } from '../../memory/deliveries.ts';
import { MORNING } from '../../service.ts';

const SECOND = 1000;
/** Assumed duration of a run in addition to the request. */
const OVERHEAD_MS = 30;
const REQUEST_MS = 50;
const CONCURRENCY = 500;
const MAX_PER_OWNER = 62;
const NOISY_EVENTS = 1_000;
const SIMULATED_MS = 25 * SECOND;
const QUIET_EVERY_MS = 700;
/** How often Lambda adds a run while there is work. */
const GROWS_EVERY_MS = 200;

/** Lambda starts with five concurrent runs and adds 300 a minute. */
const fromCold = (ms: number) => Math.min(CONCURRENCY, 5 + Math.floor(ms / GROWS_EVERY_MS));
const warm = () => CONCURRENCY;

/**
 * Simulates concurrent runs of the function on a queue. The clock jumps from one event to the next. All events of an owner whose twenty
 * webhooks hang are in the queue at the start; those of another owner arrive one by one.
 * @param options.isFair whether the queue prefers owners with few messages in flight, as SQS fair queues do, or is first in, first out
 */
async function simulate(
  concurrencyAt: (ms: number) => number,
  { isFair, hangMs }: { isFair: boolean; hangMs: number },
) {
  const world = simulateDeliveries({ settings: { WEBHOOK_CONCURRENCY_PER_OWNER: String(MAX_PER_OWNER) } });
  const { clock, memoryQueue, effects } = world;
  const begin = clock.now();
  let wakes: number[] = [];
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      wakes.push(clock.now() + ms);
      clock.timer(ms, resolve);
    });

  const open = { noisy: 0, most: 0 };
  const sentAt = new Map<string, number>();
  const waits: number[] = [];
  const send: Send = async (url, _, body) => {
    const isNoisy = url.includes('hangs');
    if (isNoisy) open.most = Math.max(open.most, ++open.noisy);
    else waits.push(clock.now() - sentAt.get(JSON.parse(body).id)!);
    await wait(isNoisy ? hangMs : REQUEST_MS);
    if (isNoisy) open.noisy--;
    const isLate = isNoisy && hangMs >= 10 * SECOND;
    return { success: !isLate, statusCode: isLate ? null : 200, durationMs: hangMs, error: isLate ? 'hangs' : null };
  };
  const handler = queueWorker<DeliveryMessage>('events/deliver', 'deliveries', (given) => createDeliver(given, send))(
    effects,
  );

  let runs = 0;
  let underWay = 0;
  async function run(message: NonNullable<ReturnType<typeof memoryQueue.receive>>): Promise<void> {
    runs++;
    underWay++;
    const { receipt, body } = message;
    const { batchItemFailures } = await handler({ Records: [{ receiptHandle: receipt, body } as SQSRecord] });
    if (batchItemFailures.length === 0) memoryQueue.remove(message);
    await wait(OVERHEAD_MS);
    underWay--;
  }

  const put = async ({ owner, id }: Webhook, name: string) => {
    const event = createSampleEvent('ad.click', name, MORNING);
    sentAt.set(event.id, clock.now());
    const message = { owner, webhookId: id, event, sentAt: clock.now() };
    await effects.queue.send('deliveries', message, { group: owner });
  };
  const noisy: Webhook[] = [];
  for (let n = 0; n < 20; n++) noisy.push(await world.webhook('noisy', ['ad.click'], `hangs-${n}`));
  const quiet = await world.webhook('quiet');
  for (let n = 0; n < NOISY_EVENTS; n++) await put(noisy[n % 20]!, `noisy ${n}`);

  let quietAt = begin;
  while (clock.now() < begin + SIMULATED_MS) {
    const now = clock.now();
    if (now >= quietAt) {
      await put(quiet, `quiet ${now}`);
      quietAt += QUIET_EVERY_MS;
    }
    while (underWay < concurrencyAt(now - begin)) {
      const message = memoryQueue.receive(queues.deliveries.visibilitySeconds * SECOND, isFair);
      if (!message) break;
      void run(message);
    }
    await new Promise(setImmediate); // runs all work that does not wait for the clock
    wakes = wakes.filter((at) => at > now);
    const visibleAt = memoryQueue.nextAt() ?? quietAt;
    const visible = visibleAt > now ? [visibleAt] : []; // else it waits for room
    clock.set(Math.min(...wakes, ...visible, quietAt, now + GROWS_EVERY_MS));
  }
  return { answered: waits.length, longest: Math.max(...waits), mostOpen: open.most, runs };
}

it('twenty hanging webhooks of one owner use an eighth of all runs, and first attempts of others start within a second', async () => {
  const { answered, longest, mostOpen, runs } = await simulate(warm, { isFair: false, hangMs: 10 * SECOND });
  expect(mostOpen).toBe(MAX_PER_OWNER);
  expect(answered).toBe(Math.ceil(SIMULATED_MS / QUIET_EVERY_MS));
  expect(longest).toBeLessThan(SECOND);
  expect(runs).toBeLessThan(10 * NOISY_EVENTS); // deliveries that wait for a slot retry with growing delays
});

it('with five initial runs that all hang, a fair queue passes other owners’ events to the next run', async () => {
  const { answered, longest, mostOpen } = await simulate(fromCold, { isFair: true, hangMs: 9.9 * SECOND });
  expect(mostOpen).toBe(MAX_PER_OWNER);
  expect(answered).toBe(Math.ceil(SIMULATED_MS / QUIET_EVERY_MS));
  expect(longest).toBeLessThanOrEqual(SECOND);
});
