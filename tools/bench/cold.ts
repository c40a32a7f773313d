/** One instance that has just started, as a process of its own: bids until it knows every campaign, and says how that went. */
import { setTimeout as pause } from 'node:timers/promises';
import { localClient } from '../../infra/local/dynamodb.ts';
import { loadEndpoint } from '../../infra/local/load.ts';
import { machineEffects } from '../../infra/local/machine.ts';
import { createCatalogEntries } from '../../shared/catalog/entries.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { createLog } from '../../shared/platform/log.ts';
import { bareEvent } from '../../shared/runtimes/lambda.ts';
import { metered } from './metered.ts';

const [endpoint = '', prefix = '', secret = ''] = process.argv.slice(2);
const config = readConfig({ CAMPAIGN_REFRESH_SECONDS: '1', TABLE_PREFIX: prefix }, true);
let read: { from: string; count: number; at: number } | undefined;
const log = createLog('info', (line) => {
  const { message, ...fields } = JSON.parse(line);
  if (message === 'campaigns read') read = { ...fields, at: performance.now() };
});
const effects = machineEffects(config, log);
const { db, meter } = metered(openDatabase({ prefix, ...effects, client: localClient(endpoint) }));
const handler = await loadEndpoint('ssp/bid', { ...effects, db });
const messages = [{ role: 'user' as const, content: 'Which hotel in Rome would you book for a weekend?' }];
const event = {
  ...bareEvent('POST', '/api/v1/ssp/bid'),
  headers: { 'x-api-key': secret, 'content-type': 'application/json' },
  body: JSON.stringify({ countryCode: 'US', messages }),
};

// As a deployed instance is warmed up before its first caller; compiling is not loading.
await handler({ ...event, headers: {} });
const warmUp = createCatalogEntries(lexicon());
for (let i = 0; i < 50; i++) warmUp.match(messages, { bid: () => 0 });

globalThis.gc!();
/** Turns of the event loop: the longest by the clock, and by the processor time that this thread had in it. */
const stalls = { wall: 0, cpu: 0 };
let [at, used] = [performance.now(), cpuMs()];
const watch = setInterval(() => {
  const [now, spent] = [performance.now(), cpuMs()];
  stalls.wall = Math.max(stalls.wall, now - at - 1);
  stalls.cpu = Math.max(stalls.cpu, spent - used);
  [at, used] = [now, spent];
}, 1);
const before = heap();
const startedAt = performance.now();
const usedBefore = cpuMs();
const answers: number[] = [];
while (!read) {
  const askedAt = performance.now();
  const { statusCode, body } = await handler(event);
  if (statusCode !== 200) throw new Error(body);
  answers.push(performance.now() - askedAt);
  if (!read) await pause(70); // a key has 15 bids a second
}
clearInterval(watch);
globalThis.gc!();
console.log(
  JSON.stringify({
    ...read,
    ...meter,
    first: answers[0],
    slowest: Math.max(...answers),
    complete: read.at - startedAt,
    processor: cpuMs() - usedBefore,
    stalls,
    heap: heap() - before,
  }),
);
process.exit();

function heap(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
