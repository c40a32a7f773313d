import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { createLocalTables, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { createLocalEffects } from '../../infra/local/effects.ts';
import { getPort } from '../../infra/local/port.ts';
import { startSqs } from '../../infra/local/sqs.ts';
import { defaultProduction } from '../../infra/settings.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { createLog } from '../../shared/platform/log.ts';
import { openQueue } from '../../shared/platform/queue.ts';
import type { DeliveryMessage } from '../../shared/webhooks/deliveries.ts';
import { createSampleEvent } from '../../shared/webhooks/events/samples.ts';
import { addWebhook } from '../../shared/webhooks/webhook-store.ts';
import { BILLED_MS } from '../cost/cost.ts';
import { BATCH_SIZES } from '../cost/counts.ts';
import { startMeter } from '../cost/meter.ts';

const PREFIX = 'ads-';
/** Number of users that share the events, so that none reaches the limit of concurrent deliveries. */
const OWNERS = 16;
const SENT_TOGETHER = BATCH_SIZES.adsInFanOut;
/** The number of events for which request units are counted. */
const COUNTED = 160;
/** The number of reads that are timed for comparison. */
const CALLS = 200;
const GOAL = 500;

interface DeliveryRun {
  messages: number;
  batches: number;
  ms: number;
  processorMs: number;
  /** Processor time of one read of the store. */
  callMs: number;
}

/**
 * `npm run bench -- deliveries --events 2000 --runs 8`: one process of the function delivers queued events to a receiver that responds
 * immediately. The stand-ins and the receiver run on the same machine. Request units are counted first, in a separate run of a few events.
 */
async function bench(events: number, runs: number): Promise<void> {
  const dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  const sqs = await startSqs(':memory:', PREFIX);
  let posted = 0;
  const receiver = createServer((request, response) => {
    posted++;
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const meter = await startMeter(String(dynamoDb.client.endpoint));
  try {
    await createLocalTables(dynamoDb.client, PREFIX);
    const url = `http://127.0.0.1:${getPort(receiver)}/`;
    const deliver = async (count: number, store: string, calls = 0): Promise<DeliveryRun> => {
      await enqueue(url, count, dynamoDb.client, sqs.client);
      posted = 0;
      const numbers = [runs, calls].map(String);
      const args = ['tools/bench/deliver-process.ts', store, String(sqs.client.endpoint), PREFIX, ...numbers];
      const worker = spawn(process.execPath, ['--import', './infra/ready.mjs', ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const done: DeliveryRun = JSON.parse(await text(worker.stdout));
      if (posted < count) throw new Error(`only ${posted} of ${count} events were delivered`);
      return done;
    };
    await deliver(COUNTED, meter.endpoint);
    const { writes, reads } = meter.read();
    const done = await deliver(events, String(dynamoDb.client.endpoint), CALLS);
    print(done, { writes: writes / COUNTED, reads: reads / COUNTED });
  } finally {
    meter.stop();
    receiver.close();
    await sqs.stop();
    await dynamoDb.stop();
  }
}

type Clients = Parameters<typeof openQueue>[1];

async function enqueue(
  url: string,
  events: number,
  dynamoDb: Parameters<typeof openDatabase>[0]['client'],
  sqs: Clients,
): Promise<void> {
  const outside = createLocalEffects(readConfig({}, true), createLog('silent'));
  const effects = { ...outside, db: openDatabase({ prefix: PREFIX, ...outside, client: dynamoDb }) };
  const queue = openQueue(PREFIX, sqs);
  const hooks: { owner: string; id: string }[] = [];
  for (let n = 0; n < OWNERS; n++) {
    const added = await addWebhook(effects, `user-${n}`, { url, events: ['ad.impression'], description: '' });
    if (added.outcome !== 'added') throw new Error(added.outcome);
    hooks.push(added.webhook);
  }
  // Send as fan-out does: all events of a batch for one user together.
  for (let at = 0; at < events; at += SENT_TOGETHER) {
    const { owner, id: webhookId } = hooks[(at / SENT_TOGETHER) % OWNERS]!;
    const sends = Array.from({ length: Math.min(SENT_TOGETHER, events - at) }, (_, n) => {
      const event = createSampleEvent('ad.impression', `event ${at + n} of ${events}`, Date.now());
      const message: DeliveryMessage = { owner, webhookId, event, sentAt: Date.now() };
      return queue.send('deliveries', message, { group: owner });
    });
    await Promise.all(sends);
  }
}

function print(
  { messages, batches, ms, processorMs, callMs }: DeliveryRun,
  each: { writes: number; reads: number },
): void {
  const { deliveryConcurrency } = defaultProduction();
  const perRun = messages / batches;
  const line = (what: string, value: string) => console.log(what.padEnd(52), value.padStart(10));
  line('deliveries per second on this machine', ((1000 * messages) / ms).toFixed(0));
  line('messages per run', perRun.toFixed(1));
  line('write units per delivery', each.writes.toFixed(2));
  line('read units per delivery', each.reads.toFixed(2));
  line('processor ms per delivery, in the function', (processorMs / messages).toFixed(2));
  line('processor ms per read of the store, for comparison', callMs.toFixed(2));
  line('deliveries per second that one processor allows', ((1000 * messages) / processorMs).toFixed(0));
  const runMs = BILLED_MS['events/deliver']!;
  const alone = (deliveryConcurrency * 1000) / runMs;
  line(`per second in ${deliveryConcurrency} runs of ${runMs} ms, one message each`, alone.toFixed(0));
  line(`concurrent runs for ${GOAL} per second, one message each`, ((GOAL * runMs) / 1000).toFixed(0));
}

const { values } = parseArgs({
  options: { events: { type: 'string', default: '2000' }, runs: { type: 'string', default: '8' } },
});
await bench(Number(values.events), Number(values.runs));
