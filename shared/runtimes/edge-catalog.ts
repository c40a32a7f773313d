import { createCatalog } from '../catalog/catalog.ts';
import type { CatalogEffects } from '../catalog/known-campaigns.ts';
import type { Lexicon } from '../matching/index.ts';
import { campaignLimit } from './edge-limit.ts';
import { createEdgeReading } from './edge-reading.ts';

type Catalog = ReturnType<typeof createCatalog>;
export type EdgeCatalog = ReturnType<typeof createEdgeCatalog>;

/**
 * The catalog as a Worker may have it: one request at a time reads, the others go on with what is known; a reading that was stopped is
 * gone on with; and campaigns that are too many for its memory are let go of.
 * @param most how many campaigns it may hold
 */
export function createEdgeCatalog(effects: CatalogEffects, lexicon: Lexicon, most: number) {
  const reading = createEdgeReading(effects.clock);
  const limit = campaignLimit(most, { ...effects, onFull: () => beginAnew() });
  let catalog: Catalog;
  beginAnew();

  function beginAnew(): void {
    reading.beginAnew();
    const db = limit.bounded(effects.db, () => catalog.size());
    // Not swept: a Worker seldom lives long enough for that, and no request has the time that it takes.
    catalog = createCatalog({ ...effects, clock: reading.clock, db }, lexicon, { isSwept: false });
  }

  return {
    async refresh(): Promise<void> {
      if (limit.isFull()) return;
      const begun = reading.begin();
      if (begun === 'other') return;
      if (begun === 'stopped') catalog.cutOff();
      await catalog.refresh();
    },

    /** Whether a bid can be made here, now: all campaigns are known, and news of them are not overdue. */
    isReady: (): boolean => !limit.isFull() && catalog.isComplete() && !reading.isOverdue(),

    match: ((messages, options) => catalog.match(messages, options)) satisfies Catalog['match'],
    find: ((id) => catalog.find(id)) satisfies Catalog['find'],
    size: (): number => catalog.size(),
    isComplete: (): boolean => catalog.isComplete(),
  };
}
