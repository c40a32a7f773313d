import type { AdStrictness } from '../matching/index.ts';
import { DAY_MS, ttlAt } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
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
 * The counts of a key on a UTC day; an attribute exists once something was counted. `requests` exists only for ended days: the key's item
 * counts the last day with requests.
 */
export interface KeyDay extends NoBidCounts, FillCounts {
  keyId: string;
  day: string;
  ttl: number;
  requests?: number;
  bids?: number;
  impressions?: number;
  clicks?: number;
  /** Impressions that their readers found not relevant. */
  notRelevant?: number;
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

/** Reports go back two years. */
export const KEPT_MS = 731 * DAY_MS;

/** A write that marks a record as counted. In a transaction with the counts, it prevents counting a retried parked record twice. */
export const createMark = ({ key, set }: ReturnType<typeof keyDayRow>, what: string): Write<'key-days'> => ({
  table: 'key-days',
  put: { ...key, ...set, day: `mark#${what}` },
  when: 'attribute_not_exists(#keyId)',
});

/** The row of a key's day, and its expiry. */
export const keyDayRow = (keyId: string, day: string) =>
  ({ table: 'key-days', key: { keyId, day }, set: { ttl: ttlAt(Date.parse(day) + KEPT_MS) } }) as const satisfies {
    table: 'key-days';
    key: Key<'key-days'>;
    set: object;
  };
