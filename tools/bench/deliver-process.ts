/**
 * Runs the function that delivers events in a separate process, to measure its processor time. Invokes it concurrently until the queue
 * is empty, then prints the measurements.
 */

import { createLocalClient } from '../../infra/local/dynamodb.ts';
import { createLocalEffects } from '../../infra/local/effects.ts';
import { createQueuePoller, openQueueClient } from '../../infra/local/queue-poller.ts';
import { queueWorker } from '../../shared/http/workers/queue-worker.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { createLog } from '../../shared/platform/log.ts';
import { openQueue } from '../../shared/platform/queue.ts';
import { createDeliver } from '../../shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '../../shared/webhooks/deliveries.ts';
import { createSend } from '../../shared/webhooks/send.ts';

const [dynamoDb = '', sqs = '', prefix = '', runs = '1', calls = '0'] = process.argv.slice(2);
const config = readConfig({ WEBHOOK_CONCURRENCY_PER_OWNER: '62', WEBHOOK_ALLOW_LOCAL: 'true' }, true);
const outside = createLocalEffects(config, createLog('silent'));
const queueClient = createLocalClient(sqs);
const effects = {
  ...outside,
  db: openDatabase({ prefix, ...outside, client: createLocalClient(dynamoDb) }),
  queue: openQueue(prefix, queueClient),
};
const handler = queueWorker<DeliveryMessage>('events/deliver', 'deliveries', (given) =>
  createDeliver(given, createSend(given)),
)(effects);
const receiver = createQueuePoller(openQueueClient(queueClient, `${prefix}deliveries`), handler);

let [messages, batches] = [0, 0];
async function work(): Promise<void> {
  for (;;) {
    const received = await receiver.receive(10);
    if (received.length === 0) return;
    messages += received.length;
    batches++;
    await receiver.invoke(received);
  }
}

/** Elapsed and processor time of a call. */
async function timed(act: () => Promise<unknown>): Promise<{ ms: number; processorMs: number }> {
  const [begun, used] = [performance.now(), process.cpuUsage()];
  await act();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - begun, processorMs: (user + system) / 1000 };
}

async function readOneByOne(): Promise<void> {
  for (let call = 0; call < Number(calls); call++) await effects.db.get('limits', { subject: 'none' });
}

await receiver.invoke(await receiver.receive(10)); // do not measure one-time initialization
await readOneByOne();
const read = await timed(readOneByOne);
const delivered = await timed(() => Promise.all(Array.from({ length: Number(runs) }, work)));
console.log(JSON.stringify({ messages, batches, ...delivered, callMs: read.processorMs / Number(calls) }));
