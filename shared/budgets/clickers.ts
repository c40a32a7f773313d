import { DAY_MS, ttlAt } from '../platform/clock.ts';
import type { CountedRow, PositionName } from '../platform/count-once.ts';

/** The clicks of a clicker: everyone behind a truncated address, on one campaign in one minute. Its name is a keyed hash. */
export interface ClickerRow {
  campaignId: string;
  row: `clicker#${string}`;
  /** Absent if its records were only skipped. */
  clicks?: number;
  ttl: number;
  /** Position in each shard of bids. */
  [position: PositionName]: string;
}

export const isClicker = (item: { row: string }): item is ClickerRow => item.row.startsWith('clicker#');

/** How long records of a minute may arrive: streams keep them for a day, and parked ones are processed later. */
const KEPT_MS = 8 * DAY_MS;

/** @param at the time of a click, epoch ms */
export const clickerRow = ({ campaignId, clicker, at }: { campaignId: string; clicker: string; at: number }) =>
  ({
    table: 'ledgers',
    key: { campaignId, row: `clicker#${clicker}` },
    set: { ttl: ttlAt(at + KEPT_MS) },
  }) as const satisfies CountedRow<'ledgers'>;
