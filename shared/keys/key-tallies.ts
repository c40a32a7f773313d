import { gunzipSync, gzipSync } from 'node:zlib';
import { sumTerms, type TermCounts } from '../budgets/term-counts.ts';
import { breakDown, firstPage, type Page, type Subject, type ValueCounts } from '../platform/breakdowns.ts';
import { ttlAt } from '../platform/clock.ts';
import { type Amounts, addedUp, type PositionName, positionName, type Update } from '../platform/count-once.ts';
import { setting, type Values } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { type DimensionValues, NONE } from '../platform/values/dimensions.ts';

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
  /** The counts of terms by campaign and month, as compressed JSON; empty without any. */
  terms?: string;
  /** The position to which `groups` and `terms` belong. The previous version moves on without replacing them. */
  groupsAt?: string;
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
interface KeyDayCounts {
  keyId: string;
  day: string;
  counts: Amounts;
}

/** Counts of a key's day that also count for a campaign, and the values by which both are broken down. */
export interface TallyGroup extends KeyDayCounts {
  campaignId: string;
  dimensions: DimensionValues;
  /** Set if the campaign was shown or clicked for any term that reports may name. */
  terms?: readonly TermCounts[];
}

type CountsByKey = Record<string, Record<string, Amounts>>;

/** Longer than stream records can be redelivered: a batch is retried for four hours, and the stream keeps records for a day. */
const KEPT_MS = 52 * 60 * 60 * 1000;

/** Returns a function that makes the write of a tally, in the form that `writeOnce` needs. */
export const createTally =
  ({ clock }: Pick<Effects, 'clock'>, shard: string) =>
  (additions: readonly TallyGroup[], position: Values): Update<'key-tallies'> => {
    const groupsAt = position[positionName(shard)];
    const set = { ...packTally(additions), groupsAt, ttl: ttlAt(clock.now() + KEPT_MS), ...position };
    return { table: 'key-tallies', key: { shard }, update: `SET ${setting(Object.keys(set))}`, values: set };
  };

const pack = (content: unknown): string => gzipSync(JSON.stringify(content)).toString('base64');
const unpack = (packed: string) => JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString());

/** A group as it is stored: its place in the list of keys and days, and only the values by which its counts are broken down. */
type PackedGroup = [at: number, counts: Amounts, country: string, domain: string, variant: string, ...ofAd: string[]];

type PackedTerm = [
  campaignId: string,
  month: string,
  term: TermCounts['term'],
  impressions: number,
  clicks: number,
  seen: string,
];

/** Adds up counts and compresses them. */
export function packTally(additions: readonly TallyGroup[]): Pick<KeyTally, 'counts' | 'groups' | 'terms'> {
  const byKey: CountsByKey = {};
  for (const { keyId, day, counts } of additions) {
    const days = byKey[keyId] ?? {};
    byKey[keyId] = days;
    days[day] = addedUp([{ counts: days[day] ?? {} }, { counts }]);
  }
  const places = new Map(listDays(byKey).map(({ keyId, day }, at) => [`${keyId} ${day}`, at]));
  const groups = new Map<string, PackedGroup>();
  for (const { keyId, day, campaignId, dimensions, counts } of additions) {
    const { country, domain, variant, topic, creative } = dimensions;
    const { ofKey, ofCampaign } = splitCounts(counts);
    if (Object.keys(ofKey).length === 0) continue;
    const ofAd = Object.keys(ofCampaign).length > 0 ? [campaignId, topic, creative] : []; // most bids are never shown
    const at = places.get(`${keyId} ${day}`)!;
    const name = JSON.stringify([at, country, domain, variant, ...ofAd]);
    const sum = addedUp([{ counts: groups.get(name)?.[1] ?? {} }, { counts: ofKey }]);
    groups.set(name, [at, sum, country, domain, variant, ...ofAd]);
  }
  const terms = sumTerms(additions.flatMap((one) => one.terms ?? [])).map(
    ({ campaignId, month, term, impressions, clicks, seen }): PackedTerm => [
      campaignId,
      month,
      term,
      impressions,
      clicks,
      seen,
    ],
  );
  return { counts: pack(byKey), groups: pack([...groups.values()]), terms: terms.length > 0 ? pack(terms) : '' };
}

/** Decompresses the counts of a tally. */
export function unpackTally(tally: KeyTally) {
  const days = listDays(unpack(tally.counts));
  const { groups, terms } = tally.groupsAt === tally[positionName(tally.shard)] ? tally : {};
  const packed: PackedGroup[] = groups ? unpack(groups) : [];
  const packedTerms: PackedTerm[] = terms ? unpack(terms) : [];
  return {
    days,
    terms: packedTerms.map(
      ([campaignId, month, term, impressions, clicks, seen]): TermCounts => ({
        campaignId,
        month,
        term,
        impressions,
        clicks,
        seen,
      }),
    ),
    groups: packed.map(
      ([at, sum, country, domain, variant, campaignId = '', topic = NONE, creative = NONE]): TallyGroup => {
        const { keyId, day } = days[at]!;
        const dimensions = { country, domain, variant, topic, creative, publisher: keyId };
        return { keyId, day, campaignId, dimensions, counts: sum };
      },
    ),
  };
}

const listDays = (byKey: CountsByKey): KeyDayCounts[] =>
  Object.entries(byKey).flatMap(([keyId, days]) =>
    Object.entries(days).map(([day, counts]) => ({ keyId, day, counts })),
  );

/** The counts that are broken down. A campaign spends what its keys' bids charge. */
function splitCounts({ bids, impressions, clicks, ...others }: Amounts): { ofKey: Amounts; ofCampaign: Amounts } {
  const charges = Object.entries(others).filter(([name]) => name.startsWith('charged_'));
  const spend = charges.reduce((sum, [, charged]) => sum + charged, 0);
  const shared = { ...(impressions && { impressions }), ...(clicks && { clicks }) };
  return {
    ofKey: { ...(bids && { bids }), ...shared, ...Object.fromEntries(charges) },
    ofCampaign: { ...shared, ...(spend && { spend }) },
  };
}

/** What a group adds to the breakdowns of its key's and its campaign's day. The key's may be empty, if only its row counts something. */
export function toBreakdowns({ keyId, campaignId, day, dimensions, counts }: TallyGroup): {
  page: Page;
  values: ValueCounts[];
}[] {
  const { ofKey, ofCampaign } = splitCounts(counts);
  const toBreakdown = (subject: Subject, own: Amounts) => ({
    page: firstPage(subject, day),
    values: Object.keys(own).length > 0 ? breakDown(subject, dimensions, own) : [],
  });
  const [key, campaign] = [toBreakdown({ keyId }, ofKey), toBreakdown({ campaignId }, ofCampaign)];
  return campaign.values.length > 0 ? [key, campaign] : [key];
}
