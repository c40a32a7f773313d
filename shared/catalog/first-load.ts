import type { Effects } from '../platform/effects.ts';
import { type ChangeFollower, type ChangeReaders, followChanges } from './changes.ts';
import { type ResumableRead, readAll } from './read-all.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** Reads all campaigns once, from the snapshot where there is one. Requests share the reading; what failed is gone on with by a later one. */
export function createFirstLoad(
  effects: Pick<Effects, 'db' | 'clock' | 'config' | 'log'>,
  snapshots: SnapshotStore,
  readers: ChangeReaders,
) {
  const { entries, age, note } = readers;
  let changes: ChangeFollower | undefined;
  let readRest: ResumableRead | undefined;
  let running: Promise<void> | undefined;
  let completeSince: number | undefined;

  async function start(startedAt: number): Promise<ChangeFollower> {
    const snapshot = await snapshots.find();
    const follower = followChanges(effects, readers, snapshot?.upTo ?? startedAt);
    if (!snapshot) follower.startAfresh(startedAt);
    readRest = readAll(snapshots, snapshot, entries, effects);
    return follower;
  }

  /**
   * Changes come before the snapshot that they are since: whatever is known of a campaign is then what it is now, however old the
   * snapshot, and requests may be answered while the rest is read.
   */
  async function load(startedAt: number): Promise<void> {
    changes ??= await start(startedAt);
    await changes.catchUp(startedAt, false);
    if (!age.isKnown()) return;
    await readRest?.();
    completeSince = startedAt;
  }

  return {
    /** The changes since what is loaded; undefined until that is found. */
    changes: (): ChangeFollower | undefined => changes,

    running: (): Promise<void> | undefined => running,

    /** When the reading began that has read all campaigns; undefined until it has. */
    completeSince: (): number | undefined => completeSince,

    begin(): Promise<void> {
      const mine = load(effects.clock.now())
        .catch((error) => note('campaigns could not be read', error))
        .finally(() => {
          if (running === mine) running = undefined;
        });
      running = mine;
      return mine;
    },

    /** Waits no longer for what is under way. */
    cutOff(): void {
      running = undefined;
      changes?.cutOff();
    },
  };
}
