import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lambdaEnvironment } from '../../infra/lambda-environment.ts';
import { createLocalTables, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { listen } from '../../infra/local/gateway.ts';
import { addApiKey } from '../../shared/api-keys/add.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { snapshotWriter } from '../../shared/catalog/snapshot-writer.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { systemIds } from '../../shared/platform/ids.ts';
import { keysOf } from '../../shared/values/typed.ts';
import { median } from '../median.ts';
import { queryOfGenerated } from './stock.ts';
import { cpuMs, residentMb, startWorkerd } from './workerd.ts';

const PREFIX = 'start-';
const SIZES = [1_000, 30_000];
const STARTS = 3;
/** Bids after the first, and as many of each key as its limit lets through at once. */
const BIDS = 60;
const BIDS_OF_A_KEY = 10;
/** How long nothing may happen before what a process has resident is taken for what it keeps. */
const QUIET_MS = 500;

const EMPTY = { 'empty.mjs': 'export default { fetch: () => new Response() };' };
/** What stands in for the cache of a data centre here runs in the same process: without it the figures are the Worker's own. */
const NO_CACHE = 'globalThis.caches = undefined;';
const BID = JSON.stringify({
  countryCode: 'US',
  messages: [{ role: 'user', content: 'Which hotel in Rome would you book for a weekend?' }],
});

/** What a Worker's start takes, from the process's start on: of the processor, and of memory. @param ends what is to be ended after it */
export async function startUp(ends: (() => unknown)[]): Promise<void> {
  const origin = createServer((request, response) => void request.resume().on('end', () => response.end('{}')));
  const ORIGIN_URL = `http://127.0.0.1:${await listen(origin, 0)}`;
  ends.push(() => origin.close());
  const none = await medians(async () => {
    const worker = await startWorkerd({ modules: EMPTY, bindings: {} });
    await fetch(worker.url);
    const used = cpuMs(worker.pid);
    await worker.stop();
    return { used };
  });
  console.log(
    `\nstart-up: processor ms of workerd beyond an empty Worker's ${none.used}, MB resident (medians of ${STARTS})`,
  );
  console.log('campaigns   slices from   script   to the first bid   MB before   after it   after 60');
  for (const size of SIZES) {
    const { endpoint, keys } = await stockedStore(size, ends);
    const bindings = { ...lambdaEnvironment(endpoint, PREFIX), ORIGIN_URL, EDGE_MOST_CAMPAIGNS: String(size) };
    const storage = await mkdtemp(join(tmpdir(), 'edge-'));
    ends.push(() => rm(storage, { recursive: true }));
    const ways = { store: { before: NO_CACHE }, cache: { storage } };
    await start({ bindings, ...ways.cache }, keys); // fills it
    for (const from of keysOf(ways)) {
      const { script, bid, before, after, later } = await medians(() => start({ bindings, ...ways[from] }, keys));
      const cells = [script - none.used, bid - none.used, before, after, later].map(Math.round);
      console.log([size, from, ...cells].map((cell) => String(cell).padStart(9)).join('   '));
    }
  }
}

/** A store with a snapshot of generated campaigns, and keys to bid with. */
async function stockedStore(size: number, ends: (() => unknown)[]) {
  const dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  ends.push(dynamoDb.stop);
  await createLocalTables(dynamoDb.client, PREFIX);
  const db = openDatabase({ prefix: PREFIX, clock: systemClock, ids: systemIds, client: dynamoDb.client });
  const effects = { db, config: readConfig({}, true), clock: systemClock, ids: systemIds };
  await snapshotWriter({ ...effects, db: { ...db, query: queryOfGenerated(size, lexicon()) } }, lexicon())();
  const key = async () => (await addApiKey(effects, 'publisher', { name: 'Bench', mode: 'live', bidFloor: 0 })).secret;
  const keys = await Promise.all(Array.from({ length: BIDS / BIDS_OF_A_KEY }, key));
  return { endpoint: String(dynamoDb.client.endpoint), keys };
}

/** One start: the script's alone, then to the first bid that the Worker makes itself, then some more bids. */
async function start(options: Parameters<typeof startWorkerd>[0], keys: readonly string[]) {
  const worker = await startWorkerd(options);
  await fetch(`${worker.url}/api/v1/health`);
  const script = cpuMs(worker.pid);
  const before = residentMb(worker.pid);
  const bid = async (key: string) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const answer = await fetch(`${worker.url}/api/v1/ssp/bid`, { method: 'POST', headers, body: BID });
    const text = await answer.text();
    if (answer.headers.get('x-runtime') !== 'edge') return false; // its origin's: it learns the campaigns still
    if (!text.includes('"bid"')) throw new Error(`no bid: ${answer.status} ${text}`);
    return true;
  };
  while (!(await bid(keys[0]!))) await pause(50);
  const used = cpuMs(worker.pid);
  await pause(QUIET_MS);
  const after = residentMb(worker.pid);
  for (const key of keys) for (let count = 0; count < BIDS_OF_A_KEY; count++) await bid(key);
  await pause(QUIET_MS);
  const later = residentMb(worker.pid);
  await worker.stop();
  return { script, bid: used, before, after, later };
}

async function medians<T extends Record<string, number>>(run: () => Promise<T>): Promise<T> {
  const runs: T[] = [];
  for (let count = 0; count < STARTS; count++) runs.push(await run());
  const names = keysOf(runs[0]!);
  return Object.fromEntries(names.map((name) => [name, median(runs.map((one) => one[name]!))])) as T;
}
