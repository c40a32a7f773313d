import { createCatalog } from '../catalog/catalog.ts';
import type { CatalogEffects } from '../catalog/known-campaigns.ts';
import type { Lexicon } from '../matching/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Unavailable } from '../platform/unavailable.ts';

/** A reading that has not ended after so long was cut off with the request that began it: the runtime lets none live longer. */
const CUT_OFF_MS = 31_000;
/** While a reading is under way, others bid with campaigns as they were so long ago at most. */
const MOST_AGE_MS = 60_000;
/** After so long it is seen whether there are few enough campaigns by now. */
const FULL_MS = 3_600_000;

type Catalog = ReturnType<typeof createCatalog>;
export type EdgeCatalog = ReturnType<typeof createEdgeCatalog>;

/** Campaigns as one Worker knows them, and what of reading them is under way. */
interface Reading {
  catalog: Catalog;
  begunAt: number;
  endedAt: number;
  underWay: number;
}

/**
 * The catalog as a Worker may have it. Sockets and promises end with the request that made them, so at most one request is
 * inside the catalog's refresh, and no other waits for it; nothing runs between requests; and what would not fit in memory is
 * given up.
 */
export function createEdgeCatalog(effects: CatalogEffects, lexicon: Lexicon, most: number) {
  const { clock, log } = effects;
  let reading = begin();
  let fullUntil = 0;

  function begin(): Reading {
    const now: Reading = { catalog: undefined as never, begunAt: 0, endedAt: 0, underWay: 0 };
    const isFull = () => now.catalog.size() > most;
    const follow: Clock['within'] = (deadline, work) => {
      const result = clock.within(deadline, work);
      if (result instanceof Promise) {
        now.underWay++;
        const end = () => {
          now.underWay--;
          now.endedAt = clock.now();
        };
        result.then(end, end);
      }
      return result;
    };
    now.catalog = createCatalog(
      { ...effects, clock: { ...clock, within: follow }, db: bounded(effects.db, isFull) },
      lexicon,
    );
    return now;
  }

  /** Gives up what has grown too large. */
  function giveUpIfFull(): boolean {
    if (reading.catalog.size() > most) {
      fullUntil = clock.now() + FULL_MS;
      log.warn('more campaigns than a Worker may hold: bids pass on', { most });
      reading = begin();
    }
    return clock.now() < fullUntil || most === 0;
  }

  return {
    async refresh(): Promise<void> {
      if (giveUpIfFull()) return;
      if (reading.underWay > 0) {
        if (clock.now() - reading.begunAt < CUT_OFF_MS) return;
        reading = begin();
      }
      reading.begunAt = clock.now();
      await reading.catalog.refresh();
    },

    /** Whether a bid can be made here, now: all campaigns are known, and are not old for want of a reading that another began. */
    isReady(): boolean {
      if (giveUpIfFull() || !reading.catalog.isComplete()) return false;
      return reading.underWay === 0 || clock.now() - reading.endedAt < MOST_AGE_MS;
    },

    match: ((messages, options) => reading.catalog.match(messages, options)) satisfies Catalog['match'],
    find: ((id) => reading.catalog.find(id)) satisfies Catalog['find'],
    size: (): number => reading.catalog.size(),
    isComplete: (): boolean => reading.catalog.isComplete(),
  };
}

/** A store that gives nothing more once enough was read. */
function bounded(db: Database, isFull: () => boolean): Database {
  const demand = () => {
    if (isFull()) throw new Unavailable('more campaigns than a Worker may hold');
  };
  return {
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
  };
}
