import { DAY_MS, utcDay } from '../platform/clock.ts';
import { addends } from '../platform/count-once.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { endedPositions } from '../platform/positions.ts';
import { type CountsRow, openDaysOf, totalRow } from './counts.ts';

/** What no longer changes in a row of totals is left there up to this many: removing it costs more writes than a fact. */
const MOST_LEFT = 8;
/** And removed at once: an expression holds 4 KB, a day's counts stand in it three times. */
const MOST_DAYS = 10;
const MOST_POSITIONS = 50;
/** A day that statements may still be made of stays where it is: they read both rows, one after the other. */
const STAYS_MS = 5 * DAY_MS;

/**
 * Keeps a row of totals small: moves days that have ended to rows of their own, and lets go of positions in shards that are gone.
 * What changes meanwhile leaves it for the next time.
 */
export async function tidy({ db, clock }: Pick<Effects, 'db' | 'clock'>, row: CountsRow): Promise<void> {
  const now = clock.now();
  const last = utcDay(now - STAYS_MS);
  const days = [...openDaysOf(row)].filter(([date]) => date < last).slice(0, MOST_DAYS);
  const positions = endedPositions(row, now).slice(0, MOST_POSITIONS);
  if (Math.max(days.length, positions.length) <= MOST_LEFT) return;
  const { campaignId } = row;
  const moved = Object.fromEntries(
    days.flatMap(([date, counts]) =>
      Object.entries(counts).map(([name, count]) => [`${name}_${date.replaceAll('-', '')}`, count]),
    ),
  );
  const conditions = Object.keys(moved).map((name) => `#${name} = :${name}`);
  const removed = [...Object.keys(moved), ...positions].map((name) => `#${name}`);
  await db.transact([
    {
      ...totalRow(campaignId),
      update: `REMOVE ${removed.join(', ')}`,
      // Settles the race with another batch that moves them, or still adds to them.
      ...(conditions.length > 0 && { when: conditions.join(' AND '), values: moved }),
    },
    ...days.map(
      ([date, counts]): Write<'ledgers'> => ({
        table: 'ledgers',
        key: { campaignId, row: `day#${date}` },
        update: `ADD ${addends(counts)}`,
        values: counts,
      }),
    ),
  ]);
}
