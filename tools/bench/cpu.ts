import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bundleFolder, bundleFunctions, type FunctionName } from '../../infra/bundle.ts';
import { hotNames } from '../../infra/hot.ts';
import { lambdaEnvironment } from '../../infra/lambda-environment.ts';
import { createLocalTables, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { createLocalEffects } from '../../infra/local/effects.ts';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { DEMO_ADVERTISER } from '../../infra/local/seed.ts';
import { findCampaigns } from '../../shared/campaigns/find.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { createLog } from '../../shared/platform/log.ts';
import { median, percentile } from '../statistics.ts';
import { bundlePlain } from './plain/bundle.ts';
import { measureTranslation } from './translation.ts';

const PREFIX = 'ads-';
/** Rounds of `REQUESTS` requests; the first rounds only warm up. */
const TURNS = 40;
const COLD_TURNS = 10;
const REQUESTS = 50;

type Act = () => Promise<unknown>;

/** Blocked domains, as many as a large exchange sends. */
const BLOCKED = Array.from({ length: 1_000 }, (_, index) => `advertiser-${index}.example.com`);

/**
 * `npm run bench -- cpu`: processor time of the bundled bid, ad, and click functions, compared by turns with plain Hono functions that
 * make the same calls; the processor time that OpenRTB adds to a bid; and the response time of Trusted Match. The store is another
 * process and responds immediately.
 */
async function bench(): Promise<void> {
  const dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  const replay = spawn(process.execPath, ['tools/bench/replay-store.ts', String(dynamoDb.client.endpoint)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await createLocalTables(dynamoDb.client, PREFIX);
    const effects = createLocalEffects(readConfig({}, true), createLog('silent'));
    const stored = { ...effects, db: openDatabase({ prefix: PREFIX, ...effects, client: dynamoDb.client }) };
    await seedFixtures(stored);
    const [campaign] = await findCampaigns(stored, DEMO_ADVERTISER);
    if (!campaign) throw new Error('no campaign to bid with');
    const endpoint = await readAddress(replay);
    Object.assign(process.env, lambdaEnvironment(endpoint, PREFIX));
    await bundleFunctions(undefined, [...hotNames, 'trusted-match/context']);
    const plain = await bundlePlain();
    const match = await requestTo('trusted-match/context');
    const subjects: { name: FunctionName; ours: Act; theirs: Act }[] = [];
    for (const { name, file } of plain)
      subjects.push({ name, ours: await requestTo(name), theirs: await requestTo(name, file) });
    for (const act of [...subjects.map(({ ours }) => ours), match]) await waitForAnswer(act);
    await fetch(`${endpoint}/replay`);

    console.log('Processor ms per request, medians of rounds');
    for (const { name, ours, theirs } of subjects) {
      const turns = await measureByTurns(ours, theirs);
      const [our, their] = [turns.ours.toFixed(2), turns.theirs.toFixed(2)];
      console.log(`${name.padEnd(14)} ${our}, plain function ${their}, ratio ${turns.ratio.toFixed(2)}`);
    }
    console.log(
      '\nOpenRTB, what is translated (processor µs beyond a bid: median of turns, from the lower to the upper quarter)',
    );
    for (const [name, more] of Object.entries({ 'a request': {}, '1,000 blocked domains': { badv: BLOCKED } })) {
      const beyond = await measureTranslation(campaign, more);
      const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => Math.round(percentile(beyond, share)));
      console.log(`${name.padEnd(24)} ${middle} (${low} to ${high})`);
    }
    const [half, most] = (await measureElapsedMs(match)).map((ms) => ms.toFixed(1));
    console.log(`\nTrusted Match, with a store that responds immediately (ms): median ${half}, p95 ${most}`);
  } finally {
    replay.kill();
    await dynamoDb.stop();
  }
}

async function readAddress({ stdout }: ChildProcess): Promise<string> {
  const [line] = await once(stdout!, 'data');
  return String(line).trim();
}

/** Sends the fixture of an operation to its bundle, or to the plain function in a file. */
async function requestTo(name: FunctionName, file = `${bundleFolder(name)}/index.mjs`): Promise<Act> {
  const { handler } = await import(resolve(file));
  const event = JSON.parse(readFileSync(`events/${name}.json`, 'utf8'));
  return async function ask(tries = 3): Promise<void> {
    const { statusCode, body } = await handler(event);
    if (tries > 1 && (statusCode === 204 || body === 'null')) return ask(tries - 1); // on a busy machine a bid may time out
    if (statusCode === 204 || statusCode >= 400 || /^null$|"offers":\[\]/.test(body))
      throw new Error(`${name}: ${statusCode} ${body}`);
  };
}

/** A new instance has not loaded its campaigns, so its first requests may get no bid. */
async function waitForAnswer(act: Act): Promise<void> {
  for (let left = 50; ; left--) {
    try {
      await act();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await pause(100);
    }
  }
}

async function measureByTurns(act: Act, plain: Act) {
  const turns: { ours: number; theirs: number }[] = [];
  for (let turn = 0; turn < TURNS; turn++)
    turns.push({ ours: await measureProcessorMs(act), theirs: await measureProcessorMs(plain) });
  const kept = turns.slice(COLD_TURNS);
  return {
    ours: median(kept.map(({ ours }) => ours)),
    theirs: median(kept.map(({ theirs }) => theirs)),
    ratio: median(kept.map(({ ours, theirs }) => ours / theirs)),
  };
}

/** The median and 95th percentile of the durations of sequential requests. */
async function measureElapsedMs(act: Act): Promise<number[]> {
  const times: number[] = [];
  for (let request = 0; request < TURNS * REQUESTS; request++) {
    const startedAt = performance.now();
    await act();
    times.push(performance.now() - startedAt);
  }
  const kept = times.slice(COLD_TURNS * REQUESTS).sort((a, b) => a - b);
  return [0.5, 0.95].map((share) => percentile(kept, share));
}

/** The mean processor time per request, of this thread and its helpers. */
async function measureProcessorMs(act: Act): Promise<number> {
  const before = process.cpuUsage();
  for (let request = 0; request < REQUESTS; request++) await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / REQUESTS;
}

await bench();
