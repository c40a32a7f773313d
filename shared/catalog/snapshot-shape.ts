import { createHash } from 'node:crypto';
import type { Biddable } from '../campaigns/biddable.ts';
import type { SpendStats } from '../campaigns/spend-stats.ts';
import { type Columns, INDEX_SHAPE, type Lexicon } from '../matching/index.ts';
import { keysOf } from '../values/typed.ts';

/** Raised when what a column or a field means changes: instances of both versions then go by a snapshot of their own. */
const SNAPSHOT_VERSION = 5;

/** A snapshot: an index, and rows of JSON beside it, which are read when a campaign is a candidate. */
export const SNAPSHOT_SHAPE = {
  ...INDEX_SHAPE,
  /** What bidding needs of the campaign in a slot: its fields, without their names. */
  facts: 'text',
  factLengths: 'int32',
  /** The stats of campaigns that something has happened to, whether they can bid or not, by a number of their own. */
  statsIds: 'text',
  statsIdLengths: 'int32',
  statsIdTable: 'int32',
  stats: 'text',
  statsLengths: 'int32',
} as const;

export type SnapshotShape = typeof SNAPSHOT_SHAPE;
export type SnapshotColumns = Columns<SnapshotShape>;

/** A campaign's fields in their order: a field more or less does not compile until it is so here, and makes another name. */
const CAMPAIGN_FIELDS: Record<Exclude<keyof Biddable, 'id'>, true> = {
  owner: true,
  name: true,
  version: true,
  status: true,
  pausedReason: true,
  pausedDay: true,
  budget: true,
  dailyBudget: true,
  bidStrategy: true,
  maxCpb: true,
  targetCpa: true,
  startDate: true,
  endDate: true,
  createdAt: true,
  placement: true,
  countries: true,
  categories: true,
  domain: true,
  frequencyCap: true,
  hasImage: true,
  hasVideo: true,
  lacks: true,
};
const STATS_FIELDS: Record<Exclude<keyof SpendStats, 'id'>, true> = {
  spent: true,
  day: true,
  spentToday: true,
  impressions: true,
  clicks: true,
  chargedClicks: true,
  conversions: true,
};
const CAMPAIGN_ORDER = keysOf(CAMPAIGN_FIELDS);
const STATS_ORDER = keysOf(STATS_FIELDS);

/** A campaign without the words of its matching profile, which its index has in a shorter form. */
export const withoutWords = (campaign: Biddable): Biddable => ({
  ...campaign,
  placement: { ...campaign.placement, k: '', x: '', w: '' },
});

/** The fields of a campaign as a row. What is absent is null there. */
export const factsOf = (campaign: Biddable): string => {
  const lean = withoutWords(campaign);
  return JSON.stringify(CAMPAIGN_ORDER.map((field) => lean[field]));
};

export function campaignOfFacts(id: string, facts: string): Biddable {
  const values: unknown[] = JSON.parse(facts);
  const campaign = { id, ...named(CAMPAIGN_ORDER, values) } as Biddable;
  if (!campaign.lacks) delete campaign.lacks;
  return campaign;
}

export const statsRowOf = (stats: SpendStats): string => JSON.stringify(STATS_ORDER.map((field) => stats[field]));

export const statsOfRow = (id: string, row: string): SpendStats =>
  ({ id, ...named(STATS_ORDER, JSON.parse(row)) }) as SpendStats;

function named(fields: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [i, field] of fields.entries()) object[field] = values[i];
  return object;
}

/** Instances that would read a snapshot otherwise, or place campaigns otherwise, know it by another name. */
export function snapshotName({ version }: Pick<Lexicon, 'version'>): string {
  const format = JSON.stringify([SNAPSHOT_SHAPE, CAMPAIGN_ORDER, STATS_ORDER]);
  const hash = createHash('sha256').update(format).digest('hex').slice(0, 8);
  return `bidding ${SNAPSHOT_VERSION} ${hash} ${version}`;
}
