import { marginMs, TOMBSTONE_MS } from '../campaigns/store.ts';
import type { Effects } from '../effects.ts';
import type { Lexicon } from '../matching/index.ts';
import { type Part, unpack } from './part.ts';

/** Raised when what a part holds changes its shape: instances of both versions then go by a snapshot of their own. */
const SHAPE = 2;
/** A snapshot that nobody has renewed for so long is not gone by; well before tombstones go, which say what has left it. */
export const MOST_AGE_MS = TOMBSTONE_MS / 10;
/** Parts are renewed at least every quarter day, by the publisher's reading everything. */
const KEEP_MS = 4 * MOST_AGE_MS;

/** What makes the parts a whole. */
export interface Snapshot {
  buckets: number;
  /** Epoch milliseconds: changes before this, less the margin, are in it. */
  upTo: number;
  /** When all of it was last read from the campaigns themselves. */
  rebuiltAt: number;
  /** By bucket, what its part is up to, at least. */
  parts: number[];
}

export type SnapshotStore = ReturnType<typeof snapshotStore>;

/** Snapshots of what bidding needs, one for each version of the lexicon: placements mean nothing under another. */
export function snapshotStore(
  { db, clock, config }: Pick<Effects, 'db' | 'clock' | 'config'>,
  lexicon: Pick<Lexicon, 'version'>,
) {
  const name = `bidding ${SHAPE} ${lexicon.version}`;
  const partKey = (bucket: number, buckets: number) => ({ name, part: `${bucket}/${buckets}` });
  const wholeKey = { name, part: 'whole' };
  // Settles the race of two publishers, and of one that was held up: nothing is replaced by what is not newer.
  const isNewer = 'attribute_not_exists(#name) OR #upTo < :upTo';
  const ttl = (upTo: number) => Math.ceil((upTo + KEEP_MS) / 1000);

  return {
    /** The snapshot, unless it is too old to go by, or from a clock that is wrong. */
    async find(): Promise<Snapshot | undefined> {
      const item = await db.get('snapshots', wholeKey);
      if (!item) return undefined;
      const age = clock.now() - item.upTo;
      return -marginMs(config) <= age && age < MOST_AGE_MS ? (item as Snapshot) : undefined;
    },

    /** A bucket of a snapshot. Undefined when it is missing, damaged, or older than the snapshot says. */
    async part({ buckets, parts }: Snapshot, bucket: number): Promise<Part | undefined> {
      const item = await db.get('snapshots', partKey(bucket, buckets));
      return item && item.upTo >= parts[bucket]! ? unpack(item.body) : undefined;
    },

    /** Whether it was stored: not when another publisher is ahead. */
    async putPart(bucket: number, buckets: number, upTo: number, body: Uint8Array): Promise<boolean> {
      const { ok } = await db.write({
        table: 'snapshots',
        put: { ...partKey(bucket, buckets), upTo, body, ttl: ttl(upTo) },
        when: isNewer,
        values: { upTo },
      });
      return ok;
    },

    /** Says that all parts are there: comes last. */
    async publish(snapshot: Snapshot): Promise<void> {
      const { upTo } = snapshot;
      await db.write({
        table: 'snapshots',
        put: { ...wholeKey, ...snapshot, ttl: ttl(upTo) },
        when: isNewer,
        values: { upTo },
      });
    },
  };
}
