/**
 * How soon an instance that has just started knows the market, with the snapshot and without: generated markets on a stand-in in
 * memory, each instance a process of its own. The smallest market shows what is not loading. Run: npm run bench:load [size…];
 * with --snapshot the campaigns go straight to the publisher, which spares the stand-in the hundred thousands of writes
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { createLocalTables, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { addApiKey } from '../../shared/api-keys/add.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { snapshotWriter } from '../../shared/catalog/snapshot-writer.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { readConfig } from '../../shared/platform/config.ts';
import type { Database } from '../../shared/platform/database.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { systemIds } from '../../shared/platform/ids.ts';
import { metered } from './metered.ts';
import { generated, stock } from './stock.ts';

const PREFIX = 'bench-';
/** Writes between two looks at the heap, which take longer than a write. */
const GC_EVERY = 40;
const config = readConfig({ CAMPAIGN_REFRESH_SECONDS: '1' }, true);
const isSnapshotAlone = process.argv.includes('--snapshot');
const sizes = process.argv.slice(2).map(Number).filter(Boolean);
const rows: Record<string, unknown>[] = [];

for (const size of sizes.length > 0 ? sizes : [100, 10_000, 100_000]) await measure(size);
console.table(rows);

async function measure(size: number): Promise<void> {
  const dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  try {
    if (!isSnapshotAlone) await stock(dynamoDb.client, PREFIX, size, lexicon());
    await createLocalTables(dynamoDb.client, PREFIX);
    const { db, meter } = metered(
      openDatabase({ prefix: PREFIX, clock: systemClock, ids: systemIds, client: dynamoDb.client }),
    );
    const effects = { db, config, clock: systemClock, ids: systemIds };
    const { secret } = await addApiKey(effects, 'publisher', { name: 'Bench', mode: 'live', bidFloor: 0 });
    const bidder = () => coldBidder(String(dynamoDb.client.endpoint), secret);
    if (!isSnapshotAlone) await bidder();
    const source: Database = isSnapshotAlone ? { ...db, query: straight(size) } : db;
    const before = heap();
    let most = before;
    let writes = 0;
    const watched: Database = {
      ...source,
      async write(write, returning) {
        if (writes++ % GC_EVERY === 0) most = Math.max(most, heap());
        return source.write(write, returning);
      },
    };
    const startedAt = performance.now();
    const used = process.cpuUsage();
    await snapshotWriter({ ...effects, db: watched }, lexicon())();
    const { user, system } = process.cpuUsage(used);
    console.log(
      `${size} campaigns: published in ${whole(performance.now() - startedAt)} ms, ` +
        `of them ${whole((user + system) / 1_000)} ms processor, ${whole(meter.writeUnits)} write units, ` +
        `${tenth((most - before) / 1e6)} MB of heap at most`,
    );
    await bidder();
  } finally {
    await dynamoDb.stop();
  }
}

/** Campaigns as the index gives them, each time anew, but made beforehand: making them is not publishing. */
function straight(size: number): Database['query'] {
  const items = [...generated(size, lexicon())].flat().map((item) => serialize(item));
  return async function* () {
    for (const item of items) yield deserialize(item);
  };
}

/** Bytes that are in use. */
function heap(): number {
  globalThis.gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function coldBidder(endpoint: string, secret: string): Promise<void> {
  const file = join(import.meta.dirname, 'cold.ts');
  const args = ['--expose-gc', file, endpoint, PREFIX, secret];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { from, count, bytes, readUnits, first, slowest, complete, processor, stalls, heap } = JSON.parse(stdout);
  rows.push({
    campaigns: count,
    from,
    'MB read': tenth(bytes / 1e6),
    'read units': whole(readUnits),
    'first answer ms': whole(first),
    'slowest answer ms': whole(slowest),
    'complete ms': whole(complete),
    'processor ms': whole(processor),
    'longest turn ms': tenth(stalls.wall),
    'of it processor ms': tenth(stalls.cpu),
    'heap MB': whole(heap / 1e6),
  });
  console.log(JSON.stringify(rows.at(-1)));
}

function whole(figure: number): number {
  return Math.round(figure);
}

function tenth(figure: number): number {
  return Math.round(10 * figure) / 10;
}
