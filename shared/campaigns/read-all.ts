import type { Effects } from '../effects.ts';
import { inLanes } from '../lanes.ts';
import { inSlices } from '../slices.ts';
import type { Snapshot, SnapshotStore } from '../snapshots/store.ts';
import type { Roster } from './roster.ts';
import { type CampaignStore, marginMs } from './store.ts';

/** Parts of a snapshot read at once. */
const LANES = 4;

/** Something read in slices. What failed goes on from where it was when it is called again. */
export type Reading<T> = () => Promise<T>;

/** Reads what changed since a moment, oldest first. */
export function readChanges(store: CampaignStore, since: number, roster: Roster, { clock }: Pick<Effects, 'clock'>) {
  let seenUpTo = since;
  return async (see: (id: string) => void = () => {}): Promise<void> => {
    for await (const change of inSlices(store.changedSince(seenUpTo), clock)) {
      roster.apply(change);
      if (change.kind === 'campaign') see(change.campaign.id);
      seenUpTo = change.at;
    }
  };
}

/** Reads all campaigns from the index of changes, and forgets those that are no longer in it. */
export function readIndex(store: CampaignStore, roster: Roster, effects: Pick<Effects, 'clock'>): Reading<void> {
  const unseen = roster.versions();
  const read = readChanges(store, 0, roster, effects);
  return async () => {
    await read((id) => unseen.delete(id));
    for (const [id, version] of unseen) roster.forget(id, version); // its tombstone came and went, or its change was missed
  };
}

/** Reads a snapshot. Whether it is whole; what was read of it is right in any case. */
function readSnapshot(
  snapshots: SnapshotStore,
  snapshot: Snapshot,
  roster: Roster,
  { clock }: Pick<Effects, 'clock'>,
): Reading<boolean> {
  const left = new Set(snapshot.parts.keys());
  return async () => {
    const damaged: number[] = [];
    await inLanes(LANES, [...left], async (bucket) => {
      const part = await snapshots.part(snapshot, bucket);
      if (!part) return void damaged.push(bucket);
      for await (const campaign of inSlices(part.campaigns, clock)) roster.add(campaign);
      for await (const funds of inSlices(part.funds, clock)) roster.apply({ kind: 'funds', funds, at: snapshot.upTo });
      left.delete(bucket);
    });
    return damaged.length === 0;
  };
}

/** Reads all campaigns: from the snapshot and what changed since, or from the index. Gives the moment that they are known up to. */
export function readAll(
  store: CampaignStore,
  snapshots: SnapshotStore,
  roster: Roster,
  effects: Pick<Effects, 'clock' | 'config' | 'log'>,
): Reading<number> {
  const { clock, config, log } = effects;
  let snapshot: Snapshot | undefined;
  let parts: Reading<boolean> | undefined;
  let rest: { startedAt: number; read: Reading<void> } | undefined;

  async function readParts(): Promise<boolean> {
    if (!parts) {
      snapshot = await snapshots.find();
      parts = snapshot ? readSnapshot(snapshots, snapshot, roster, effects) : async () => false;
    }
    return parts();
  }

  return async () => {
    const isCarriedOn = parts !== undefined;
    const startedAt = clock.now();
    if (!rest) {
      const isWhole = await readParts();
      if (snapshot && !isWhole) log.warn('the snapshot is damaged: reading the index', { upTo: snapshot.upTo });
      const read = isWhole
        ? readChanges(store, snapshot!.upTo - marginMs(config), roster, effects)
        : readIndex(store, roster, effects);
      rest = { startedAt: clock.now(), read };
    }
    await rest.read();
    log.info('campaigns read', {
      from: snapshot ? 'snapshot' : 'index',
      count: roster.size(),
      ms: clock.now() - startedAt,
      isCarriedOn,
    });
    return rest.startedAt;
  };
}
