import { createHash } from 'node:crypto';
import type { Biddable } from '../../campaigns/biddable.ts';
import type { SpendStats } from '../../campaigns/spend-stats.ts';
import { type Columns, INDEX_SHAPE, type Lexicon } from '../../matching/index.ts';
import { getKeys } from '../../platform/values/typed.ts';

/** Raised when what a column or a field means changes: instances of both versions then go by a snapshot of their own. */
const SNAPSHOT_VERSION = 8;

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

/** The fields of a row in their order, and which may be absent. */
type RowFields<T> = { [N in keyof Omit<T, 'id'>]-?: undefined extends T[N] ? 'optional' : 'always' };

/** A field more or less does not compile until it is so here, and makes another name. */
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

/** A campaign without the words of its matching profile, which its index has in a shorter form. */
export const withoutWords = (campaign: Biddable): Biddable => ({
  ...campaign,
  profile: { ...campaign.profile, k: '', x: '', w: '' },
});

/** The fields of a campaign as a row of JSON; what is absent is null there. */
export const toFactsRow = (campaign: Biddable): string =>
  toRow({ ...campaign, profile: [campaign.profile.t, campaign.profile.l] }, CAMPAIGN_FIELDS);

/** @param v the lexicon's version, which is that of the snapshot */
export function parseFactsRow(id: string, facts: string, v: string): Biddable {
  const campaign = parseRow(CAMPAIGN_FIELDS, facts);
  const [t, l] = campaign.profile as [number[], string];
  campaign.profile = { v, k: '', x: '', t, l, w: '' };
  return { id, ...campaign } as Biddable;
}

export const toStatsRow = (stats: SpendStats): string => toRow({ ...stats }, STATS_FIELDS);

export const parseStatsRow = (id: string, row: string): SpendStats =>
  ({ id, ...parseRow(STATS_FIELDS, row) }) as SpendStats;

const toRow = (of: Record<string, unknown>, fields: Record<string, 'always' | 'optional'>): string =>
  JSON.stringify(getKeys(fields).map((field) => of[field]));

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

/** Instances that would read a snapshot otherwise, or make matching profiles otherwise, know it by another name. */
export function getSnapshotName({ version }: Pick<Lexicon, 'version'>): string {
  const format = JSON.stringify([SNAPSHOT_SHAPE, CAMPAIGN_FIELDS, STATS_FIELDS]);
  const hash = createHash('sha256').update(format).digest('hex').slice(0, 8);
  return `bidding ${SNAPSHOT_VERSION} ${hash} ${version}`;
}
