import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { lambdaEnvironment } from '../../infra/lambda-environment.ts';
import { createLocalTables, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { listen } from '../../infra/local/gateway.ts';
import { addApiKey } from '../../shared/api-keys/add.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { snapshotWriter } from '../../shared/catalog/snapshot-writer.ts';
import type { Message } from '../../shared/matching/index.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { systemIds } from '../../shared/platform/ids.ts';
import { queryOfGenerated } from './stock.ts';

const PREFIX = 'start-';
/** As many bids of a key as its limit lets through at once. */
export const BIDS_OF_A_KEY = 10;

/** What stands in for the cache of a data centre here runs in the same process: without it the figures are the Worker's own. */
export const NO_CACHE = 'globalThis.caches = undefined;';

const QUESTION: Message[] = [{ role: 'user', content: 'Which hotel in Rome would you book for a weekend?' }];

type Ends = (() => unknown)[];

/** An origin that answers everything with nothing. */
export async function startEmptyOrigin(ends: Ends): Promise<string> {
  const origin = createServer((request, response) => void request.resume().on('end', () => response.end('{}')));
  ends.push(() => origin.close());
  return `http://127.0.0.1:${await listen(origin, 0)}`;
}

/** A store with a snapshot of generated campaigns, and keys to bid with. */
export async function stockedStore(campaigns: number, keyCount: number, ends: Ends) {
  const dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  ends.push(dynamoDb.stop);
  await createLocalTables(dynamoDb.client, PREFIX);
  const db = openDatabase({ prefix: PREFIX, clock: systemClock, ids: systemIds, client: dynamoDb.client });
  const effects = { db, config: readConfig({}, true), clock: systemClock, ids: systemIds };
  await snapshotWriter({ ...effects, db: { ...db, query: queryOfGenerated(campaigns, lexicon()) } }, lexicon())();
  const keys: string[] = [];
  for (let key = 0; key < keyCount; key++)
    keys.push((await addApiKey(effects, 'publisher', { name: `Bench ${key}`, mode: 'live', bidFloor: 0 })).secret);
  return { environment: lambdaEnvironment(String(dynamoDb.client.endpoint), PREFIX), keys };
}

/** Asks for a bid: whether there was one; undefined where the Worker left it to its origin, or had no time for it. */
export async function bidAt(url: string, key: string, messages = QUESTION): Promise<'bid' | 'none' | undefined> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ countryCode: 'US', messages });
  const answer = await fetch(`${url}/api/v1/ssp/bid`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok || answer.headers.get('x-runtime') !== 'edge') return undefined;
  return text.includes('"bid"') ? 'bid' : 'none';
}

/** Asks until the Worker bids by itself: until then it learns the campaigns. @throws Error where it makes none, or never answers itself */
export async function untilBid(url: string, key: string, mostMs = 180_000): Promise<void> {
  for (const until = performance.now() + mostMs; ; ) {
    const answer = await bidAt(url, key);
    if (answer === 'bid') return;
    if (answer === 'none') throw new Error('no bid');
    if (performance.now() >= until)
      throw new Error(`the Worker has left all bids to its origin for ${mostMs / 1000} s`);
    await pause(50);
  }
}
