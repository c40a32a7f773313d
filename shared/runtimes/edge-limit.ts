import { campaignsIn } from '../catalog/snapshot-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { Unavailable } from '../platform/unavailable.ts';

/** After so long it is seen whether there are few enough campaigns by now. */
const FULL_MS = 3_600_000;

interface Options {
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Called when there are too many: what is known of them can go. */
  onFull(): void;
}

/** How many campaigns a Worker may hold. Where there are more they are not read, or no further, and nothing is read for an hour. */
export function campaignLimit(most: number, { clock, log, onFull }: Options) {
  let fullUntil = 0;
  const isFull = (): boolean => most === 0 || clock.now() < fullUntil;

  /** @throws Unavailable where there are too many: whatever reads them ends */
  function admit(campaigns: number): void {
    if (campaigns > most && !isFull()) {
      fullUntil = clock.now() + FULL_MS;
      log.warn('more campaigns than a Worker may hold: bids pass on', { most });
      onFull();
    }
    if (isFull()) throw new Unavailable('more campaigns than a Worker may hold');
  }

  return {
    isFull,

    /** A store that gives nothing more once there are too many. @param size how many are known so far */
    bounded: (db: Database, size: () => number): Database => ({
      ...db,
      async get(table, key) {
        admit(size());
        const item = await db.get(table, key);
        if (item && 'lengths' in item) admit(campaignsIn(item)); // the head of a snapshot: before its slices are read
        return item;
      },
      async *query(query) {
        for await (const item of db.query(query)) {
          admit(size());
          yield item;
        }
      },
    }),
  };
}
