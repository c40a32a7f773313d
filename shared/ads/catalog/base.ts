import type { Biddable } from '../../campaigns/biddable.ts';
import type { SpendStats } from '../../campaigns/spend-stats.ts';
import { Texts, TextTable } from '../../matching/index.ts';
import { createKept } from '../../platform/values/kept.ts';
import { parseFactsRow, parseStatsRow, type SnapshotColumns } from './snapshot-shape.ts';

/** Campaigns are kept as objects once they were candidates: as many as have so many characters in their rows. An object takes at most some three bytes for each. */
const MAX_CACHED_CHARACTERS = 3_000_000;

/** The campaigns of a snapshot, and their money, as they were then: objects are made of the bytes for those that are asked for. */
export interface Base {
  campaign(id: string): Biddable | undefined;
  stats(id: string): SpendStats | undefined;
  campaigns(): Iterable<Biddable>;
}

export const EMPTY_BASE: Base = { campaign: () => undefined, stats: () => undefined, campaigns: () => [] };

/** @param version of the lexicon that its campaigns are placed by */
export function createBase(columns: SnapshotColumns, version: string): Base {
  const campaigns = new TextTable(columns.ids, columns.idLengths, columns.idTable);
  const facts = new Texts(columns.facts, columns.factLengths);
  const statsIds = new TextTable(columns.statsIds, columns.statsIdLengths, columns.statsIdTable);
  const stats = new Texts(columns.stats, columns.statsLengths);
  const kept = createKept<string, Biddable>(MAX_CACHED_CHARACTERS);

  return {
    campaign(id) {
      const known = kept.get(id);
      if (known) return known;
      const number = campaigns.find(id);
      if (number < 0) return undefined;
      const row = facts.at(number);
      const campaign = parseFactsRow(id, row, version);
      kept.keep(id, campaign, row.length);
      return campaign;
    },

    stats(id) {
      const number = statsIds.find(id);
      return number < 0 ? undefined : parseStatsRow(id, stats.at(number));
    },

    *campaigns() {
      for (let number = 0; number < campaigns.texts.count; number++)
        yield parseFactsRow(campaigns.texts.at(number), facts.at(number), version);
    },
  };
}
