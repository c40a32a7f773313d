/**
 * `npm run bench -- load [size…]`: the time until a new instance bids correctly, with and without the snapshot. Each instance is the
 * bundle in a new process, with generated campaigns on a stand-in in memory. With `--snapshot`, the campaigns go directly to the
 * snapshot writer, which saves hundreds of thousands of writes to the stand-in.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { fixture } from '../../events/fixture.ts';
import { bundleFolder, bundleFunctions } from '../../infra/bundle.ts';
import { lambdaEnvironment } from '../../infra/lambda-environment.ts';
import { createLocalTables, startDynamoDb } from '../../infra/local/dynamodb.ts';
import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { createSnapshotWriter } from '../../shared/ads/catalog/snapshot-writer.ts';
import { addApiKey } from '../../shared/keys/create-key.ts';
import { readConfig } from '../../shared/platform/config.ts';
import type { Database } from '../../shared/platform/database.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { systemIds } from '../../shared/platform/ids.ts';
import { systemClock } from '../../shared/platform/system-clock.ts';
import { createGeneratedQuery, storeCampaigns } from './generated-campaigns.ts';
import { meterSnapshots } from './snapshot-meter.ts';

const PREFIX = 'bench-';
const OUT = '.build/load';
/** Measure the heap once per this many writes, because a measurement takes longer than a write. */
const GC_EVERY = 40;
const config = readConfig({ CAMPAIGN_REFRESH_SECONDS: '1' }, true);
const isSnapshotAlone = process.argv.includes('--snapshot');
const sizes = process.argv.slice(2).map(Number).filter(Boolean);
const rows: Record<string, unknown>[] = [];

await bundleFunctions(OUT, ['ssp/bid']);
for (const size of sizes.length > 0 ? sizes : [1_000, 10_000, 100_000]) await measure(size);
console.table(rows);

async function measure(size: number): Promise<void> {
  const dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  try {
    if (!isSnapshotAlone) await storeCampaigns(dynamoDb.client, PREFIX, size, getLexicon());
    await createLocalTables(dynamoDb.client, PREFIX);
    const { db, meter } = meterSnapshots(
      openDatabase({ prefix: PREFIX, clock: systemClock, ids: systemIds, client: dynamoDb.client }),
    );
    const effects = { db, config, clock: systemClock, ids: systemIds };
    const { secret } = await addApiKey(effects, 'publisher', { name: 'Bench', mode: 'live', bidFloor: 0 });
    const bidder = () => coldBidder(String(dynamoDb.client.endpoint), secret);
    if (!isSnapshotAlone) await bidder();
    const source: Database = isSnapshotAlone ? { ...db, query: createGeneratedQuery(size, getLexicon()) } : db;
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
    await createSnapshotWriter({ ...effects, db: watched }, getLexicon())();
    const { user, system } = process.cpuUsage(used);
    console.log(
      `${size} campaigns: written in ${whole(performance.now() - startedAt)} ms, of them ${whole((user + system) / 1_000)} ms processor; ` +
        `${tenth(meter.bytes / 1e6)} MB, ${whole(meter.writeUnits)} write units, ${whole(meter.readUnits)} read units to read; ` +
        `${tenth((most - before) / 1e6)} MB of heap at most`,
    );
    await bidder();
  } finally {
    await dynamoDb.stop();
  }
}

/** Used bytes of the heap after a garbage collection. */
function heap(): number {
  globalThis.gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function coldBidder(endpoint: string, secret: string): Promise<void> {
  const path = `${OUT}/event.json`;
  const messages = [{ role: 'user', content: 'Which hotel in Rome would you book for a weekend?' }];
  writeFileSync(
    path,
    JSON.stringify({
      ...fixture('ssp/bid'),
      headers: { 'x-api-key': secret, 'content-type': 'application/json' },
      body: JSON.stringify({ countryCode: 'US', messages }),
    }),
  );
  const args = [
    '--expose-gc',
    join(import.meta.dirname, 'cold-instance.mjs'),
    resolve(bundleFolder('ssp/bid', OUT), 'index.mjs'),
    path,
  ];
  const env = { ...lambdaEnvironment(endpoint, PREFIX), LOG_LEVEL: 'info', CAMPAIGN_REFRESH_SECONDS: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const { from, count, loaded, first, complete, right, processor, stalls, held, rss } = JSON.parse(stdout);
  rows.push({
    campaigns: count,
    from,
    'first response ms': whole(first),
    'all known ms': whole(complete),
    'right bid ms': whole(right),
    'processor ms': whole(processor),
    'of it to load the code': whole(loaded),
    'longest turn ms': tenth(stalls.wall),
    'of it processor ms': tenth(stalls.cpu),
    'held MB': whole(held / 1e6),
    'RSS MB': whole(rss / 1e6),
  });
  console.log(JSON.stringify(rows.at(-1)));
}

function whole(figure: number): number {
  return Math.round(figure);
}

function tenth(figure: number): number {
  return Math.round(10 * figure) / 10;
}
