import type { MatchingProfile } from '../matching/index.ts';
import { DAY_MS } from '../platform/clock.ts';
import type { Item } from '../platform/items.ts';
import type { Phrase } from '../platform/judge.ts';
import type { Campaign } from './campaign.ts';
import type { Creative } from './creative.ts';
import { withAsciiUrls } from './creative.ts';
import type { SpendStats } from './spend-stats.ts';

/** Keys of the index of changes. */
interface InFeed {
  feed: string;
  changedAt: number;
}

/** A stored campaign. The attribute of the matching profile keeps its original name, `placement`. */
type CampaignItem = Omit<Campaign, 'profile'> & { placement: MatchingProfile } & InFeed & { item: CampaignKey };

/** Stored spend stats. Earlier versions did not store charged counts. Stats without any activity are in no feed. */
export type StatsItem = Omit<SpendStats, 'chargedClicks' | 'chargedConversions'> &
  Partial<Pick<SpendStats, 'chargedClicks' | 'chargedConversions'>> &
  Partial<Pick<InFeed, 'feed'>> &
  Pick<InFeed, 'changedAt'> & { owner: string; item: StatsKey };

/** Replaces a deleted campaign for `TOMBSTONE_MS`. */
type Tombstone = Pick<Campaign, 'owner' | 'id' | 'name' | 'version'> &
  InFeed & { item: CampaignKey; deleted: true; ttl: number };

/** Reserves a name for a campaign, so that names are unique. */
type NameItem = { owner: string; item: `name#${string}`; campaignId: string };

/** A version of a creative. It never changes, and expires after a newer version replaces it. */
type CreativeItem = { owner: string; item: `creative#${string}`; creative: Creative; ttl?: number };
/** `bytes` is absent in items stored before bytes were counted. */
type CountItem = { owner: string; item: '#count'; count: number; bytes?: number };

/** Suggested phrases of a campaign. A separate item, because bidding reads whole campaigns and does not need them. */
export interface PhrasesItem {
  owner: string;
  item: `phrases#${string}`;
  phrases: Phrase[];
  /** Hash of the texts from which the judge suggested them. Absent if the advertiser has edited them. */
  madeFor?: string;
}

/** How long a tombstone is kept. Every bidding instance must see it, and the statements of the campaign's last days need it. */
export const TOMBSTONE_MS = 5 * DAY_MS;

/** Feed of campaigns and tombstones in the index of changes. It also contains stats stored by the previous version. */
export const FEED = 'campaigns';

/**
 * Feeds of spend stats. A throttled index partition also throttles writes to the table. Stats change far more often than campaigns, so
 * separate partitions keep them from delaying campaign changes. To add a feed, first deploy a version that reads it, then one that writes
 * it.
 */
export const SPEND_FEEDS = ['spend#0', 'spend#1'] as const;

/** The feed of a campaign's stats, chosen by the last character of its random ID. */
export const getSpendFeed = (id: string): string => SPEND_FEEDS[id.charCodeAt(id.length - 1) % SPEND_FEEDS.length]!;

type CampaignKey = `campaign#${string}`;
type StatsKey = `funds#${string}`;

declare module '../platform/items.ts' {
  interface Items {
    campaigns: CampaignItem | StatsItem | PhrasesItem | Tombstone | CreativeItem | NameItem | CountItem;
  }
}

export const campaignKey = (owner: string, id: string) => ({ owner, item: `campaign#${id}` }) as const;
export const spendStatsKey = (owner: string, id: string) => ({ owner, item: `funds#${id}` }) as const;

export const creativeKey = (owner: string, id: string, version: string) =>
  ({ owner, item: `creative#${id}#${version}` }) as const;

export const phrasesKey = (owner: string, id: string) => ({ owner, item: `phrases#${id}` }) as const;

export const isTombstone = (item: Item<'campaigns'>): item is Tombstone => 'deleted' in item;

export const isCampaign = (item: Item<'campaigns'>): item is CampaignItem =>
  item.item.startsWith('campaign#') && !isTombstone(item);

export const isSpendStats = (item: Item<'campaigns'>): item is StatsItem => item.item.startsWith('funds#');

export const toCampaignItem = ({ profile, ...campaign }: Campaign): Item<'campaigns'> => ({
  ...campaign,
  placement: profile,
  ...campaignKey(campaign.owner, campaign.id),
  feed: FEED,
});

export const fromCampaignItem = ({ item, feed, placement, ...campaign }: CampaignItem): Campaign => ({
  ...campaign,
  profile: placement,
  creative: withAsciiUrls(campaign.creative),
});
