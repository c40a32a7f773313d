import { DAY_MS, ttlAt } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Key } from '../platform/items.ts';
import type { NoBidReason } from '../platform/values/outcomes.ts';

/** What the impressions of a day were charged, micro-dollars, by the publisher's share when they were counted, in ten-thousandths. */
type ChargedAt = `charged_${number}`;

/** Requests without a bid, by their reasons. */
type NoBidCounts = { [R in NoBidReason as `noBid_${R}`]?: number };

/**
 * What came of a key on a UTC day; an attribute is there once something was counted. Requests are those of a day that is over: the
 * key's own item has those of the last day on which there were any.
 */
export interface KeyDay extends NoBidCounts {
  keyId: string;
  day: string;
  ttl: number;
  requests?: number;
  bids?: number;
  impressions?: number;
  clicks?: number;
  [charged: ChargedAt]: number;
  /** How far it has come in each shard of the stream of bids. */
  [position: `at_${string}`]: string;
}

declare module '../platform/items.ts' {
  interface Items {
    'key-days': KeyDay;
  }
}

/** Reports go back two years. */
const KEPT_MS = 731 * DAY_MS;

/** Put in a transaction with what something adds to a day, it says that it was counted: whoever puts a parked record through again adds nothing. */
export const createMark = ({ key, set }: ReturnType<typeof keyDayRow>, what: string): Write<'key-days'> => ({
  table: 'key-days',
  put: { ...key, ...set, day: `mark#${what}` },
  when: 'attribute_not_exists(#keyId)',
});

/** Where a day of a key is counted, and until when it is kept. */
export const keyDayRow = (keyId: string, day: string) =>
  ({ table: 'key-days', key: { keyId, day }, set: { ttl: ttlAt(Date.parse(day) + KEPT_MS) } }) as const satisfies {
    table: 'key-days';
    key: Key<'key-days'>;
    set: object;
  };
