import { changesSince } from '../campaigns/changes.ts';
import type { Effects } from '../platform/effects.ts';
import { yieldEvery } from '../platform/pauses.ts';
import type { CatalogEntries } from './entries.ts';
import { snapshotReader } from './snapshot-reader.ts';
import type { Snapshot, SnapshotStore } from './snapshot-store.ts';

/** Something read bit by bit. What failed goes on from where it was when it is called again. */
export type ResumableRead = () => Promise<void>;

/** Reads all campaigns from the index of changes, and forgets those that are no longer in it. */
export function readIndex(entries: CatalogEntries, effects: Pick<Effects, 'db' | 'clock'>): ResumableRead {
  let unseen: Map<string, number> | undefined;
  let seenUpTo = 0;
  return async () => {
    unseen ??= await versionsOf(entries, effects);
    for await (const change of yieldEvery(changesSince(effects, seenUpTo), effects.clock)) {
      entries.apply(change);
      if (change.kind === 'campaign') unseen.delete(change.campaign.id);
      seenUpTo = change.at;
    }
    for (const [id, version] of unseen) entries.forget(id, version); // its tombstone came and went, or its change was missed
  };
}

async function versionsOf(entries: CatalogEntries, { clock }: Pick<Effects, 'clock'>): Promise<Map<string, number>> {
  const versions = new Map<string, number>();
  for await (const [id, version] of yieldEvery(entries.versions(), clock)) versions.set(id, version);
  return versions;
}

/** Reads all campaigns: from a snapshot, or from the index where there is none, or none that is whole. */
export function readAll(
  snapshots: SnapshotStore,
  snapshot: Snapshot | undefined,
  entries: CatalogEntries,
  effects: Pick<Effects, 'db' | 'clock' | 'log'>,
): ResumableRead {
  const { clock, log } = effects;
  const readSnapshot = snapshot && snapshotReader(snapshots, snapshot, clock);
  entries.awaitBase(snapshot !== undefined);
  let index: ResumableRead | undefined;
  let isCarriedOn = false;

  return async () => {
    const startedAt = clock.now();
    const details = { from: snapshot ? 'snapshot' : 'index', isCarriedOn };
    isCarriedOn = true;
    const base = index ? undefined : await readSnapshot?.();
    if (base) await entries.takeBase(base, clock);
    else {
      if (snapshot && !index)
        log.warn('the snapshot is damaged: reading the index', { generation: snapshot.generation });
      entries.awaitBase(false);
      index ??= readIndex(entries, effects);
      await index();
    }
    log.info('campaigns read', { ...details, count: entries.size(), ms: clock.now() - startedAt });
  };
}
