import { gunzipSync, gzipSync } from 'node:zlib';
import { ttlAt } from '../platform/clock.ts';
import type { PositionName } from '../platform/count-once.ts';
import { type Addition, type Amounts, addedUp, writeOnce } from '../platform/count-once.ts';
import { setting } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';

/**
 * What a batch of a shard of bids came to, for each key and day: the report of a key is written from many of these together, so that a
 * bid takes the less of a write the more there are, however many shards they come by.
 */
export interface KeyTally {
  /** The shard and its stream. */
  shard: string;
  /** The counts by key and day, as JSON, compressed: two thirds of what is written. */
  counts: string;
  ttl: number;
  /** How far it has come in the shard. */
  [position: PositionName]: string;
}

declare module '../platform/items.ts' {
  interface Items {
    'key-tallies': KeyTally;
  }
}

/** What something adds to a day of a key. */
export interface KeyDayCounts {
  keyId: string;
  day: string;
  counts: Amounts;
}

type CountsByKey = Record<string, Record<string, Amounts>>;

/** Longer than records of a shard can come again: it takes some for four hours, and its stream forgets after a day. */
const KEPT_MS = 52 * 60 * 60 * 1000;

/** Writes down what a batch of a shard adds to days of keys, in one write and each record once however often it comes. */
export async function tallyOnce(
  effects: Pick<Effects, 'db' | 'clock'>,
  shard: string,
  additions: readonly (Addition & KeyDayCounts)[],
): Promise<void> {
  await writeOnce(effects, shard, additions, (left, position) => {
    const set = { counts: packTally(left), ttl: ttlAt(effects.clock.now() + KEPT_MS), ...position };
    return { table: 'key-tallies', key: { shard }, update: `SET ${setting(Object.keys(set))}`, values: set };
  });
}

/** What additions come to, compressed. */
export function packTally(additions: readonly KeyDayCounts[]): string {
  const byKey: CountsByKey = {};
  for (const { keyId, day, counts } of additions) {
    const days = byKey[keyId] ?? {};
    byKey[keyId] = days;
    days[day] = addedUp([{ counts: days[day] ?? {} }, { counts }]);
  }
  return gzipSync(JSON.stringify(byKey)).toString('base64');
}

/** What a tally adds to days of keys. */
export function unpackTally({ counts }: Pick<KeyTally, 'counts'>): KeyDayCounts[] {
  const byKey: CountsByKey = JSON.parse(gunzipSync(Buffer.from(counts, 'base64')).toString());
  return Object.entries(byKey).flatMap(([keyId, days]) =>
    Object.entries(days).map(([day, amounts]) => ({ keyId, day, counts: amounts })),
  );
}
