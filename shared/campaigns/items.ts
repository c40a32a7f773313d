import type { MatchingProfile } from '../matching/index.ts';
import { DAY_MS } from '../platform/clock.ts';
import type { Item } from '../platform/items.ts';
import type { Phrase } from '../platform/judge.ts';
import type { Campaign } from './campaign.ts';
import type { Creative } from './creative.ts';
import { withAsciiUrls } from './creative.ts';
import type { SpendStats } from './spend-stats.ts';

/** Under what an item is found among those that changed. */
interface InFeed {
  feed: string;
  changedAt: number;
}

/** Its matching profile is stored under the name that it had when the first campaigns were. */
type CampaignItem = Omit<Campaign, 'profile'> & { placement: MatchingProfile } & InFeed & { item: CampaignKey };

/** Spend stats; those of an earlier version do not say what was charged. Where nothing has happened yet they are in no feed. */
export type StatsItem = Omit<SpendStats, 'chargedClicks' | 'chargedConversions'> &
  Partial<Pick<SpendStats, 'chargedClicks' | 'chargedConversions'>> &
  Partial<Pick<InFeed, 'feed'>> &
  Pick<InFeed, 'changedAt'> & { owner: string; item: StatsKey };

/** What a deleted campaign leaves for a while. */
type Tombstone = Pick<Campaign, 'owner' | 'id' | 'name' | 'version'> &
  InFeed & { item: CampaignKey; deleted: true; ttl: number };

/** What makes a name unique, and how many campaigns a user has. */
type NameItem = { owner: string; item: `name#${string}`; campaignId: string };

/** A creative as ads were handed out with it; it never changes, and one that its campaign no longer has ends. */
type CreativeItem = { owner: string; item: `creative#${string}`; creative: Creative; ttl?: number };
/** Bytes are absent in what was stored before they were counted. */
type CountItem = { owner: string; item: '#count'; count: number; bytes?: number };

/** Phrases that people might say who need what a campaign offers; beside it, since bidding reads all of a campaign and none of these. */
export interface PhrasesItem {
  owner: string;
  item: `phrases#${string}`;
  phrases: Phrase[];
  /** A hash of the texts that a judge made them for; absent where its advertiser has edited them. */
  madeFor?: string;
}

/** How long a deleted campaign leaves a tombstone: every instance that bids learns of it, and it is still on its days' statements. */
export const TOMBSTONE_MS = 5 * DAY_MS;

/** What campaigns and tombstones are found under in the index by change time. Stats of the version before are among them. */
export const FEED = 'campaigns';

/**
 * What spend stats are found under. An index that is full holds up the table under it, a partition at a time: money, of which there is far
 * more news, takes partitions of its own, so that it never holds up a change of a campaign. Another one is read by a version before
 * one is written by the next.
 */
export const SPEND_FEEDS = ['spend#0', 'spend#1'] as const;

/** The feed of a campaign's stats; the end of an id is random. */
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
