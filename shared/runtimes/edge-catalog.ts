import { createCatalog } from '../catalog/catalog.ts';
import type { CatalogEffects } from '../catalog/known-campaigns.ts';
import type { Lexicon } from '../matching/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Unavailable } from '../platform/unavailable.ts';

/** A reading ends itself by then, and the next request goes on from where it was: the runtime cuts off what runs 30 s after an answer. */
const READING_MS = 20_000;
/** What has not ended by then never will: it was cut off with its request. */
const CUT_OFF_MS = 45_000;
/** While a reading is under way, others bid with campaigns as they were so long ago at most. */
const MOST_AGE_MS = 60_000;
/** After so long it is seen whether there are few enough campaigns by now. */
const FULL_MS = 3_600_000;

type Catalog = ReturnType<typeof createCatalog>;
export type EdgeCatalog = ReturnType<typeof createEdgeCatalog>;

/**
 * The catalog as a Worker may have it. Sockets and promises end with the request that made them, so at most one request is
 * inside the catalog's refresh, and no other waits for it; nothing runs between requests; what is known is kept, and what was cut off
 * is gone on with; and what would not fit in memory is given up, before it is read where a snapshot says how much it is.
 */
export function createEdgeCatalog(effects: CatalogEffects, lexicon: Lexicon, most: number) {
  const { clock, log } = effects;
  const underWay = new Set<Promise<unknown>>();
  let [begunAt, endedAt, fullUntil] = [0, 0, 0];

  const within: Clock['within'] = (deadline, work) => {
    const result = clock.within(Math.min(deadline, clock.now() + READING_MS), work);
    if (result instanceof Promise) {
      underWay.add(result);
      const end = () => {
        if (underWay.delete(result)) endedAt = clock.now();
      };
      result.then(end, end);
    }
    return result;
  };

  function admit(campaigns: number): void {
    if (campaigns > most) giveUp();
    if (clock.now() < fullUntil) throw new Unavailable('more campaigns than a Worker may hold');
  }

  const db = bounded(effects.db, () => admit(catalog.size()));
  // No sweep: a Worker seldom lives long enough for one, and no request has the time that one takes.
  const begin = (): Catalog =>
    createCatalog({ ...effects, clock: { ...clock, within }, db }, lexicon, { isSwept: false, admit });
  let catalog = begin();

  function giveUp(): void {
    fullUntil = clock.now() + FULL_MS;
    log.warn('more campaigns than a Worker may hold: bids pass on', { most });
    underWay.clear();
    catalog = begin();
  }

  function isFull(): boolean {
    if (catalog.size() > most) giveUp();
    return clock.now() < fullUntil || most === 0;
  }

  return {
    async refresh(): Promise<void> {
      if (isFull()) return;
      if (underWay.size > 0) {
        if (clock.now() - begunAt < CUT_OFF_MS) return;
        underWay.clear();
        catalog.cutOff();
      }
      begunAt = clock.now();
      await catalog.refresh();
    },

    /** Whether a bid can be made here, now: all campaigns are known, and are not old for want of a reading that another began. */
    isReady(): boolean {
      if (isFull() || !catalog.isComplete()) return false;
      return underWay.size === 0 || clock.now() - endedAt < MOST_AGE_MS;
    },

    match: ((messages, options) => catalog.match(messages, options)) satisfies Catalog['match'],
    find: ((id) => catalog.find(id)) satisfies Catalog['find'],
    size: (): number => catalog.size(),
    isComplete: (): boolean => catalog.isComplete(),
  };
}

/** A store that gives nothing more once there is too much. @param demand throws by then */
const bounded = (db: Database, demand: () => void): Database => ({
  ...db,
  async get(table, key) {
    demand();
    return db.get(table, key);
  },
  async *query(query) {
    for await (const item of db.query(query)) {
      demand();
      yield item;
    }
  },
});
