import { createHash } from 'node:crypto';
import type { Biddable } from '../../campaigns/biddable.ts';
import type { SpendStats } from '../../campaigns/spend-stats.ts';
import { type Columns, INDEX_SHAPE, type Lexicon } from '../../matching/index.ts';
import { getKeys } from '../../platform/values/typed.ts';

/** Increment it when the meaning of a column or field changes. Instances of both versions then use separate snapshots. */
const SNAPSHOT_VERSION = 8;

/** A snapshot: a matching index, and JSON rows that are parsed only when a campaign is a candidate. */
export const SNAPSHOT_SHAPE = {
  ...INDEX_SHAPE,
  /** The fields of each campaign that bidding needs, without field names. */
  facts: 'text',
  factLengths: 'int32',
  /** Spend stats of all campaigns with activity, including those that cannot bid. They have their own numbering. */
  statsIds: 'text',
  statsIdLengths: 'int32',
  statsIdTable: 'int32',
  stats: 'text',
  statsLengths: 'int32',
} as const;

export type SnapshotShape = typeof SNAPSHOT_SHAPE;
export type SnapshotColumns = Columns<SnapshotShape>;

/** The fields of a row in order, and whether each may be absent. */
type RowFields<T> = { [N in keyof Omit<T, 'id'>]-?: undefined extends T[N] ? 'optional' : 'always' };

/** Every field of `Biddable` must be listed to compile. The list is part of the name of the snapshot, so old rows are never misread. */
const CAMPAIGN_FIELDS: RowFields<Biddable> = {
  owner: 'always',
  name: 'always',
  version: 'always',
  status: 'always',
  pausedReason: 'always',
  pausedDay: 'always',
  budget: 'always',
  dailyBudget: 'always',
  bidStrategy: 'always',
  maxCpb: 'always',
  targetCpa: 'always',
  startDate: 'always',
  endDate: 'always',
  createdAt: 'always',
  profile: 'always',
  countries: 'always',
  categories: 'always',
  domain: 'always',
  frequencyCap: 'optional',
  excludedPublishers: 'optional',
  review: 'optional',
  hasImage: 'always',
  hasVideo: 'always',
  lacks: 'optional',
};
const STATS_FIELDS: RowFields<SpendStats> = {
  spent: 'always',
  day: 'always',
  spentToday: 'always',
  impressions: 'always',
  clicks: 'always',
  chargedClicks: 'always',
  conversions: 'always',
  chargedConversions: 'always',
};

/** Removes the words of the matching profile, which the index stores in a shorter form. */
export const withoutWords = (campaign: Biddable): Biddable => ({
  ...campaign,
  profile: { ...campaign.profile, k: '', x: '', w: '' },
});

/** Writes the fields of a campaign as a JSON row, with null for absent fields. */
export const toFactsRow = (campaign: Biddable): string =>
  toRow({ ...campaign, profile: [campaign.profile.t, campaign.profile.l, campaign.profile.n] }, CAMPAIGN_FIELDS);

/** @param v the version of the lexicon that the snapshot was built with */
export function parseFactsRow(id: string, facts: string, v: string): Biddable {
  const campaign = parseRow(CAMPAIGN_FIELDS, facts);
  const [t, l, n] = campaign.profile as [number[], string, number];
  campaign.profile = { v, k: '', x: '', t, l, n, w: '' };
  return { id, ...campaign } as Biddable;
}

export const toStatsRow = (stats: SpendStats): string => toRow({ ...stats }, STATS_FIELDS);

export const parseStatsRow = (id: string, row: string): SpendStats =>
  ({ id, ...parseRow(STATS_FIELDS, row) }) as SpendStats;

const toRow = (values: Record<string, unknown>, fields: Record<string, 'always' | 'optional'>): string =>
  JSON.stringify(getKeys(fields).map((field) => values[field]));

function parseRow(fields: Record<string, 'always' | 'optional'>, row: string): Record<string, unknown> {
  const values: unknown[] = JSON.parse(row);
  const object: Record<string, unknown> = {};
  let i = 0;
  for (const field in fields) {
    const value = values[i++];
    if (value !== null || fields[field] === 'always') object[field] = value;
  }
  return object;
}

/** The name of the snapshot. It differs between versions of the format or the lexicon, so no instance reads an incompatible snapshot. */
export function getSnapshotName({ version }: Pick<Lexicon, 'version'>): string {
  const format = JSON.stringify([SNAPSHOT_SHAPE, CAMPAIGN_FIELDS, STATS_FIELDS]);
  const hash = createHash('sha256').update(format).digest('hex').slice(0, 8);
  return `bidding ${SNAPSHOT_VERSION} ${hash} ${version}`;
}
