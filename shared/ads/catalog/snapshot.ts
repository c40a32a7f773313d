import { getMarginMs } from '../../campaigns/changes.ts';
import { TOMBSTONE_MS } from '../../campaigns/items.ts';
import { ColumnReader, type Lengths, type Lexicon } from '../../matching/index.ts';
import { type Clock, ttlAt } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { getSnapshotName, SNAPSHOT_SHAPE, type SnapshotColumns, type SnapshotShape } from './snapshot-shape.ts';
import { unpackSlice } from './snapshot-slices.ts';

/** Ignore snapshots older than this. Must stay below tombstone retention, or deleted campaigns reappear. */
export const MAX_SNAPSHOT_AGE_MS = TOMBSTONE_MS / 10;
/** Adds an hour for instances that are still reading the snapshot when it becomes too old. */
const SNAPSHOT_TTL_MS = MAX_SNAPSHOT_AGE_MS + 3_600_000;

/** The head of a complete snapshot. */
export interface Snapshot {
  /** Whose slices these are: every writing of a snapshot has its own, so that writers never mix theirs. */
  generation: string;
  slices: number;
  /** Campaigns and stats in it, and how long its columns are. */
  entries: number;
  lengths: Lengths<SnapshotShape>;
  /** Epoch milliseconds: changes before this, less the margin, are in it. */
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
 * Snapshots of what bidding needs, one for each version of the lexicon: matching profiles mean nothing under another. Slices are items of
 * their own, by generation and number, written once and never changed; the head says which generation is there whole. Each has a
 * partition key of its own: many instances may begin at once, and one partition would give them three slices a second or so.
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

/** Slices read by one call of the store: a call takes a millisecond of the processor beside what its bytes take. */
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
        unpacked.buffer.transfer(0); // frees it now: sixty megabytes of it would have the whole heap looked through again and again
        await clock.pause();
      }
    }
    return columns.columns();
  };
}
