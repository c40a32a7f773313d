import { clickerRow, isClicker } from '../budgets/clickers.ts';
import { toCounts, totalRow } from '../budgets/counts.ts';
import { keyDayRow } from '../keys/key-day.ts';
import { utcDay } from '../platform/clock.ts';
import { addTo } from '../platform/count-once.ts';
import type { Values, Write } from '../platform/database.ts';
import type { Item } from '../platform/items.ts';

/** A click that counts for its clicker: everyone behind a truncated address, on one campaign in one minute. */
export interface ClickerClick {
  /** A keyed hash; the address itself is not stored. */
  clicker: string;
  bidId: string;
  campaignId: string;
  keyId: string;
  /** Epoch ms. */
  at: number;
}

/** Clicks of a clicker that are not suspect. */
const MAX_CLICKS = 30;

/** The clicks that a clicker's row has counted. @param old what a refused write found */
export const getClicks = (old: Item | undefined): number =>
  old && 'row' in old && isClicker(old) ? (old.clicks ?? 0) : 0;

/**
 * The writes that count clicks of one clicker. The condition settles the race with another batch: both would count their clicks among the
 * first 30.
 * @param before the clicks that the row has counted
 */
export function countClicks(clicks: readonly ClickerClick[], before: number, position: Values = {}) {
  const [{ campaignId, at }] = clicks as [ClickerClick];
  const update = addTo(clickerRow(clicks[0]!), { clicks: clicks.length }, position);
  const row: Write<'ledgers'> =
    before === 0
      ? { ...update, when: 'attribute_not_exists(#clicks)' }
      : { ...update, when: '#clicks = :before', values: { ...update.values, before } };
  const day = utcDay(at);
  const late = clicks.slice(Math.max(0, MAX_CLICKS - before));
  const tooMany = { tooManyClicks: late.length };
  const suspects: Write<'ledgers' | 'key-days'>[] =
    late.length === 0
      ? []
      : [
          addTo(totalRow(campaignId), toCounts(day, tooMany, tooMany)),
          ...[...Map.groupBy(late, ({ keyId }) => keyId)].map(([keyId, own]) =>
            addTo(keyDayRow(keyId, day), { tooManyClicks: own.length }),
          ),
        ];
  return { row, suspects };
}
