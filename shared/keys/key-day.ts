import type { AdStrictness } from '../matching/index.ts';
import { getDayTtl, type PageItem } from '../platform/breakdowns.ts';
import type { Key } from '../platform/items.ts';
import type { NoBidReason } from '../platform/values/outcomes.ts';

/** Micro-dollars charged on a day, grouped by the publisher's share (in ten-thousandths) that applied when they were counted. */
type ChargedAt = `charged_${number}`;

/** Requests without a bid, by reason. */
type NoBidCounts = { [R in NoBidReason as `noBid_${R}`]?: number };

/**
 * Requests by the strictest level that would have filled them. A bid adds to its day with `bids`, exactly; a request without a bid, like
 * its reason, with the counts of an instance.
 */
type FillCounts = { [L in AdStrictness as `fill_${L}`]?: number };

/**
 * The counts of a key on a UTC day, with the first page of their breakdown; an attribute exists once something was counted. `requests` exists
 * only for ended days: the key's item counts the last day with requests.
 */
export interface KeyDay extends NoBidCounts, FillCounts, PageItem {
  keyId: string;
  day: string;
  requests?: number;
  bids?: number;
  impressions?: number;
  clicks?: number;
  /** Impressions that their readers found not relevant. */
  notRelevant?: number;
  /** Impressions that were visible long enough, as the clients reported. */
  viewableImpressions?: number;
  /** Suspect clicks by reason. They are also among the clicks. */
  tooFastClicks?: number;
  tooManyClicks?: number;
  /** Only in the record of a deleted key, which is in the partition of its owner: the name. */
  name?: string;
  [charged: ChargedAt]: number;
  /** Position in each shard of the bids stream. */
  [position: `at_${string}`]: string;
}

declare module '../platform/items.ts' {
  interface Items {
    'key-days': KeyDay;
  }
}

/** The row of a key's day, and its expiry. */
export const keyDayRow = (keyId: string, day: string) =>
  ({ table: 'key-days', key: { keyId, day }, set: { ttl: getDayTtl(day) } }) as const satisfies {
    table: 'key-days';
    key: Key<'key-days'>;
    set: object;
  };
