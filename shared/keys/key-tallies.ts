import { gunzipSync, gzipSync } from 'node:zlib';
import {
  breakDown,
  type DimensionValues,
  firstPage,
  type Page,
  type Subject,
  type ValueCounts,
} from '../platform/breakdowns.ts';
import { ttlAt } from '../platform/clock.ts';
import type { PositionName } from '../platform/count-once.ts';
import { type Addition, type Amounts, addedUp, writeOnce } from '../platform/count-once.ts';
import { setting } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';

/**
 * The counts of one batch of the bids stream, by key and day. A key's report is updated from many tallies at once, so the cost of counting a
 * bid decreases with the traffic, regardless of the number of stream shards.
 */
export interface KeyTally {
  /** The shard and its stream. */
  shard: string;
  /** The counts by key and day, as compressed JSON. They are two thirds of the written bytes. */
  counts: string;
  /** The counts by key, day, campaign, and dimensions, as compressed JSON. Absent in tallies of the previous version, which ignores them. */
  groups?: string;
  ttl: number;
  /** Position in the shard. */
  [position: PositionName]: string;
}

declare module '../platform/items.ts' {
  interface Items {
    'key-tallies': KeyTally;
  }
}

/** Counts to add to a key's day. */
export interface KeyDayCounts {
  keyId: string;
  day: string;
  counts: Amounts;
}

/** Counts of a key's day that also count for a campaign, and the values by which both are broken down. */
export interface TallyGroup extends KeyDayCounts {
  campaignId: string;
  dimensions: DimensionValues;
}

type CountsByKey = Record<string, Record<string, Amounts>>;

/** Longer than stream records can be redelivered: a batch is retried for four hours, and the stream keeps records for a day. */
const KEPT_MS = 52 * 60 * 60 * 1000;

/** Stores the counts of a batch in one write. Counts each record once, even if the batch is received again. */
export async function tallyOnce(
  effects: Pick<Effects, 'db' | 'clock'>,
  shard: string,
  additions: readonly (Addition & TallyGroup)[],
): Promise<void> {
  await writeOnce(effects, shard, additions, (uncounted, position) => {
    const set = { ...packTally(uncounted), ttl: ttlAt(effects.clock.now() + KEPT_MS), ...position };
    return { table: 'key-tallies', key: { shard }, update: `SET ${setting(Object.keys(set))}`, values: set };
  });
}

const pack = (content: unknown): string => gzipSync(JSON.stringify(content)).toString('base64');
const unpack = (packed: string) => JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString());

/** Adds up counts and compresses them. */
export function packTally(additions: readonly TallyGroup[]): Pick<KeyTally, 'counts' | 'groups'> {
  const byKey: CountsByKey = {};
  const groups = new Map<string, TallyGroup>();
  for (const { keyId, day, campaignId, dimensions, counts } of additions) {
    const days = byKey[keyId] ?? {};
    byKey[keyId] = days;
    days[day] = addedUp([{ counts: days[day] ?? {} }, { counts }]);
    const name = JSON.stringify([keyId, day, campaignId, dimensions]);
    const sum = addedUp([{ counts: groups.get(name)?.counts ?? {} }, { counts }]);
    groups.set(name, { keyId, day, campaignId, dimensions, counts: sum });
  }
  return { counts: pack(byKey), groups: pack([...groups.values()]) };
}

/** Decompresses the counts of a tally. */
export function unpackTally({ counts, groups }: Pick<KeyTally, 'counts' | 'groups'>) {
  const byKey: CountsByKey = unpack(counts);
  const grouped: TallyGroup[] = groups ? unpack(groups) : [];
  const days = Object.entries(byKey).flatMap(([keyId, ofKey]) =>
    Object.entries(ofKey).map(([day, amounts]): KeyDayCounts => ({ keyId, day, counts: amounts })),
  );
  return { days, groups: grouped };
}

/** What a group adds to the breakdowns of its key's and its campaign's day. The key's may be empty, if only its row counts something. */
export function toBreakdowns({ keyId, campaignId, day, dimensions, counts }: TallyGroup): {
  page: Page;
  values: ValueCounts[];
}[] {
  const { bids, impressions, clicks, ...others } = counts;
  const charges = Object.entries(others).filter(([name]) => name.startsWith('charged_'));
  const spend = charges.reduce((sum, [, charged]) => sum + charged, 0);
  const shared = { ...(impressions && { impressions }), ...(clicks && { clicks }) };
  const ofKey = { ...(bids && { bids }), ...shared, ...Object.fromEntries(charges) };
  const ofCampaign = { ...shared, ...(spend && { spend }) };
  const toBreakdown = (subject: Subject, own: Amounts) => ({
    page: firstPage(subject, day),
    values: Object.keys(own).length > 0 ? breakDown(subject, dimensions, own) : [],
  });
  const [key, campaign] = [toBreakdown({ keyId }, ofKey), toBreakdown({ campaignId }, ofCampaign)];
  return campaign.values.length > 0 ? [key, campaign] : [key];
}
