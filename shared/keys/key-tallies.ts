import { gunzipSync, gzipSync } from 'node:zlib';
import { ttlAt } from '../platform/clock.ts';
import type { PositionName } from '../platform/count-once.ts';
import { type Addition, type Amounts, addedUp, writeOnce } from '../platform/count-once.ts';
import { setting } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';

/**
 * The counts of one batch of the bids stream, by key and day. A key's report is updated from many tallies at once, so the cost of counting a
 * bid decreases with the traffic, regardless of the number of stream shards.
 */
export interface KeyTally {
  /** The shard and its stream. */
  shard: string;
  /** The counts by key and day, as compressed JSON. They are two thirds of the written bytes. */
  counts: string;
  ttl: number;
  /** Position in the shard. */
  [position: PositionName]: string;
}

declare module '../platform/items.ts' {
  interface Items {
    'key-tallies': KeyTally;
  }
}

/** Counts to add to a key's day. */
export interface KeyDayCounts {
  keyId: string;
  day: string;
  counts: Amounts;
}

type CountsByKey = Record<string, Record<string, Amounts>>;

/** Longer than stream records can be redelivered: a batch is retried for four hours, and the stream keeps records for a day. */
const KEPT_MS = 52 * 60 * 60 * 1000;

/** Stores the counts of a batch in one write. Counts each record once, even if the batch is received again. */
export async function tallyOnce(
  effects: Pick<Effects, 'db' | 'clock'>,
  shard: string,
  additions: readonly (Addition & KeyDayCounts)[],
): Promise<void> {
  await writeOnce(effects, shard, additions, (uncounted, position) => {
    const set = { counts: packTally(uncounted), ttl: ttlAt(effects.clock.now() + KEPT_MS), ...position };
    return { table: 'key-tallies', key: { shard }, update: `SET ${setting(Object.keys(set))}`, values: set };
  });
}

/** Adds up counts and compresses them. */
export function packTally(additions: readonly KeyDayCounts[]): string {
  const byKey: CountsByKey = {};
  for (const { keyId, day, counts } of additions) {
    const days = byKey[keyId] ?? {};
    byKey[keyId] = days;
    days[day] = addedUp([{ counts: days[day] ?? {} }, { counts }]);
  }
  return gzipSync(JSON.stringify(byKey)).toString('base64');
}

/** Decompresses the counts of a tally. */
export function unpackTally({ counts }: Pick<KeyTally, 'counts'>): KeyDayCounts[] {
  const byKey: CountsByKey = JSON.parse(gunzipSync(Buffer.from(counts, 'base64')).toString());
  return Object.entries(byKey).flatMap(([keyId, days]) =>
    Object.entries(days).map(([day, amounts]) => ({ keyId, day, counts: amounts })),
  );
}
