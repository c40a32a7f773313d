import { getMarginMs } from '../../campaigns/changes.ts';
import { TOMBSTONE_MS } from '../../campaigns/items.ts';
import { ColumnReader, type Lengths, type Lexicon } from '../../matching/index.ts';
import { type Clock, ttlAt } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { getSnapshotName, SNAPSHOT_SHAPE, type SnapshotColumns, type SnapshotShape } from './snapshot-shape.ts';
import { unpackSlice } from './snapshot-slices.ts';

/** Ignore snapshots older than this. Must stay below tombstone retention, or deleted campaigns reappear. */
export const MAX_SNAPSHOT_AGE_MS = TOMBSTONE_MS / 10;
/** One more hour for instances that are still reading a snapshot when it becomes too old. */
const SNAPSHOT_TTL_MS = MAX_SNAPSHOT_AGE_MS + 3_600_000;

/** The head of a complete snapshot. */
export interface Snapshot {
  /** Identifies the slices of one write of the snapshot, so that concurrent writers never mix slices. */
  generation: string;
  slices: number;
  /** Number of campaigns and stats, and the lengths of the columns. */
  entries: number;
  lengths: Lengths<SnapshotShape>;
  /** Epoch milliseconds. Includes all changes before this time minus the margin. */
  upTo: number;
}

/** The head, and slices. */
type SnapshotItem = { name: string; part: string; ttl: number } & (Snapshot | { body: Uint8Array });

declare module '../../platform/items.ts' {
  interface Items {
    snapshots: SnapshotItem;
  }
}

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

/**
 * Snapshots of what bidding needs, one per lexicon version, because matching profiles are valid for one version only. Slices are separate
 * items, identified by generation and number, and never change; the head names the complete generation. Each slice has its own partition
 * key: many instances may start at once, and one partition serves only about three slices per second.
 */
export function createSnapshotStore(
  { db, clock, config }: Pick<Effects, 'db' | 'clock' | 'config'>,
  lexicon: Pick<Lexicon, 'version'>,
) {
  const name = getSnapshotName(lexicon);
  const headKey = { name, part: 'head' };
  const sliceKey = (generation: string, number: number) => ({
    name: `${name} ${generation} ${number}`,
    part: String(number),
  });
  const ttl = (upTo: number) => ttlAt(upTo + SNAPSHOT_TTL_MS);

  return {
    /** Finds the snapshot, unless it is too old or from the future (clock skew). */
    async find(): Promise<Snapshot | undefined> {
      const item = await db.get('snapshots', headKey);
      if (!item || !('upTo' in item)) return undefined;
      const age = clock.now() - item.upTo;
      return -getMarginMs(config) <= age && age < MAX_SNAPSHOT_AGE_MS ? item : undefined;
    },

    /** Reads `count` slices from `first` on. A missing slice is undefined. */
    async slices({ generation }: Snapshot, first: number, count: number): Promise<(Uint8Array | undefined)[]> {
      const keys = Array.from({ length: count }, (_, i) => sliceKey(generation, first + i));
      const bodies = new Map<string, Uint8Array>();
      for (const item of await db.getAll('snapshots', keys)) if ('body' in item) bodies.set(item.part, item.body);
      return keys.map(({ part }) => bodies.get(part));
    },

    async putSlice({ generation, upTo }: Pick<Snapshot, 'generation' | 'upTo'>, number: number, body: Uint8Array) {
      await db.write({ table: 'snapshots', put: { ...sliceKey(generation, number), body, ttl: ttl(upTo) } });
    },

    /** Publishes the head. Call it after all slices are written. */
    async publish(snapshot: Snapshot): Promise<void> {
      const { upTo } = snapshot;
      await db.write({
        table: 'snapshots',
        put: { ...headKey, ...snapshot, ttl: ttl(upTo) },
        // Concurrent or delayed writers: an older snapshot never replaces a newer one.
        when: 'attribute_not_exists(#name) OR #upTo < :upTo',
        values: { upTo },
      });
    },
  };
}

/** Slices per store call. Each call takes a millisecond of CPU time in addition to the time for its bytes. */
const SLICES_PER_READ = 4;

/**
 * Creates a function that reads a snapshot; it returns undefined if the snapshot is damaged. If the store fails, call it again to resume at
 * the slice that failed.
 */
export function createSnapshotReader(
  snapshots: SnapshotStore,
  snapshot: Snapshot,
  clock: Pick<Clock, 'pause'>,
): () => Promise<SnapshotColumns | undefined> {
  const columns = new ColumnReader(SNAPSHOT_SHAPE, snapshot.lengths);
  let next = 0;

  const fetchFrom = (first: number) => {
    const count = Math.min(SLICES_PER_READ, snapshot.slices - first);
    const slices = snapshots.slices(snapshot, first, count);
    slices.catch(() => {}); // avoids an unhandled rejection; the error is thrown where the read is awaited
    return slices;
  };

  return async () => {
    let fetched = next < snapshot.slices ? fetchFrom(next) : undefined;
    while (fetched) {
      const slices = await fetched;
      const after = next + slices.length;
      fetched = after < snapshot.slices ? fetchFrom(after) : undefined; // beside what is unpacked
      for (const slice of slices) {
        const unpacked = slice && unpackSlice(slice);
        if (!unpacked || !columns.take(unpacked)) return undefined;
        next++;
        unpacked.buffer.transfer(0); // free the memory now: holding 60 MB would cause repeated full garbage collections
        await clock.pause();
      }
    }
    return columns.columns();
  };
}
