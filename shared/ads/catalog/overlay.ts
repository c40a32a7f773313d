import type { Biddable } from '../../campaigns/biddable.ts';
import { hasHistory, isOlder, type SpendStats } from '../../campaigns/spend-stats.ts';
import { Texts, TextTable } from '../../matching/index.ts';
import { createKept } from '../../platform/values/cache.ts';
import { parseFactsRow, parseStatsRow, type SnapshotColumns, withoutWords } from './snapshot-shape.ts';

/** Campaigns are kept as objects once they were candidates: as many as have so many characters in their rows. An object takes at most some three bytes for each. */
const MAX_CACHED_CHARACTERS = 3_000_000;

/** The campaigns of a snapshot, and their money, as they were then: objects are made of the bytes for those that are asked for. */
interface Base {
  campaign(id: string): Biddable | undefined;
  stats(id: string): SpendStats | undefined;
  campaigns(): Iterable<Biddable>;
}

const EMPTY_BASE: Base = { campaign: () => undefined, stats: () => undefined, campaigns: () => [] };

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

/** Campaigns and spend stats: a base (the snapshot) with newer changes on top. */
export function createOverlay() {
  let base = EMPTY_BASE;
  /** Campaigns that may bid, and the money of any campaign: one that may not bid now may do so again. */
  const [campaigns, stats] = [new Map<string, Biddable>(), new Map<string, SpendStats>()];
  /** Of deleted campaigns too: the index of changes may answer late. Who has one here is no longer as the base has it. */
  const versions = new Map<string, number>();

  const getCampaign = (id: string): Biddable | undefined => (versions.has(id) ? campaigns.get(id) : base.campaign(id));
  const getSpendStats = (id: string): SpendStats | undefined => stats.get(id) ?? base.stats(id);

  return {
    getCampaign,
    getSpendStats,

    /** Whether a version is newer than the known one. Records it, so that a second call returns false. */
    isNewer(id: string, version: number): boolean {
      if ((versions.get(id) ?? base.campaign(id)?.version ?? 0) >= version) return false;
      versions.set(id, version);
      return true;
    },

    /** Notes a campaign whose version was news, or that it may not bid. */
    put(id: string, campaign: Biddable | undefined): void {
      // The index has the words in a shorter form; kept twice they would be most of what a campaign takes.
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

    /** Adopts a campaign from the next base, unless a newer version is known. @returns whether it did */
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
