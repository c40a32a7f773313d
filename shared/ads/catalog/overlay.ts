import type { Biddable } from '../../campaigns/biddable.ts';
import { hasHistory, isOlder, type SpendStats } from '../../campaigns/spend-stats.ts';
import { Texts, TextTable } from '../../matching/index.ts';
import { createKept } from '../../platform/values/cache.ts';
import { parseFactsRow, parseStatsRow, type SnapshotColumns, withoutWords } from './snapshot-shape.ts';

/** Cache limit for parsed campaigns, in characters of their rows. A parsed object takes at most about three bytes per character. */
const MAX_CACHED_CHARACTERS = 3_000_000;

/** The campaigns and spend stats of a snapshot. Rows are parsed on access. */
interface Base {
  campaign(id: string): Biddable | undefined;
  stats(id: string): SpendStats | undefined;
  campaigns(): Iterable<Biddable>;
}

const EMPTY_BASE: Base = { campaign: () => undefined, stats: () => undefined, campaigns: () => [] };

/** @param version the version of the lexicon that the snapshot was built with */
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

/** Campaigns and spend stats: a base (the snapshot) with newer changes on top. */
export function createOverlay() {
  let base = EMPTY_BASE;
  /** Campaigns that may bid, and spend stats of all campaigns, because a campaign that cannot bid now may bid again later. */
  const [campaigns, stats] = [new Map<string, Biddable>(), new Map<string, SpendStats>()];
  /** The newest version of each campaign that differs from the base. Includes deleted ones, because an old change may arrive after a deletion. */
  const versions = new Map<string, number>();

  const getCampaign = (id: string): Biddable | undefined => (versions.has(id) ? campaigns.get(id) : base.campaign(id));
  const getSpendStats = (id: string): SpendStats | undefined => stats.get(id) ?? base.stats(id);

  return {
    getCampaign,
    getSpendStats,

    /** Records a version if it is newer than the known one. Returns whether it is newer. */
    recordIfNewer(id: string, version: number): boolean {
      if ((versions.get(id) ?? base.campaign(id)?.version ?? 0) >= version) return false;
      versions.set(id, version);
      return true;
    },

    /** Stores a campaign after `recordIfNewer`; undefined if it may not bid. */
    put(id: string, campaign: Biddable | undefined): void {
      // The index already stores the words in a shorter form. A second copy would take most of a campaign's memory.
      if (campaign) campaigns.set(id, withoutWords(campaign));
      else campaigns.delete(id);
    },

    addSpendStats(now: SpendStats): void {
      const known = getSpendStats(now.id);
      if (known ? !isOlder(now, known) : hasHistory(now)) stats.set(now.id, now);
    },
    dropSpendStats: (id: string): boolean => stats.delete(id),

    /** Forgets a campaign, so that any version of it is accepted again. */
    forget(id: string): void {
      campaigns.delete(id);
      stats.delete(id);
      versions.set(id, 0);
    },

    /** The campaigns that may bid, each with its version. */
    *versions(): Generator<[id: string, version: number]> {
      for (const { id, version } of campaigns.values()) yield [id, version];
      for (const { id, version } of base.campaigns()) if (!versions.has(id)) yield [id, version];
    },

    /** Adopts a campaign from the next base, unless a newer version is known. @returns whether the campaign was adopted */
    adoptCampaign(next: Base, id: string): boolean {
      const then = next.campaign(id);
      if (!then || then.version < (versions.get(id) ?? 0)) return false;
      campaigns.set(id, then);
      versions.set(id, then.version);
      return true;
    },

    /** Adopts newer spend stats from the next base. Yields after each, so that the caller can pause. */
    *adoptSpendStats(next: Base): Generator<void> {
      for (const known of stats.values()) {
        const then = next.stats(known.id);
        if (then && isOlder(known, then)) stats.set(known.id, then);
        yield;
      }
    },

    replaceBase(next: Base): void {
      base = next;
    },
  };
}
