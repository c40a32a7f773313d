import type { Database, Write } from '../platform/database.ts';
import { type Micros, micros } from '../platform/values/money.ts';

/**
 * The row of a campaign's ledger that a charge is atomic with; it is stored under the key `money`. Remaining amounts are negative where
 * a budget was lowered below what was spent.
 *
 * A busy balance is opened in shards, again and again. While it is open it grants parts of itself to shards, and these are charged
 * instead. Each opening lies within one UTC day, that of the balance. A balance that was never opened has none of the attributes for it.
 */
export interface Balance {
  campaignId: string;
  remaining: Micros;
  spent: Micros;
  impressions: number;
  /** The UTC day of `dayRemaining`. */
  day: string;
  dayRemaining: Micros;
  dailyBudget: Micros;
  /** The last day with a charge before `day`, and what was spent on it in all. */
  closed?: { day: string; spent: Micros };
  /**
   * The UTC day whose charges the next two count, in addition to what its row has; all three are absent before the first charge by code
   * that counts here. They move to the row of the day when another day begins.
   */
  countDay?: string;
  dayImpressions?: number;
  daySpend?: Micros;
  /** The number of the last opening; the numbers rise. */
  epoch?: number;
  /** Absent while no shard is open: then the balance itself is charged. */
  phase?: 'open' | 'closing';
  /** The number of shards that charges are spread over, now or in the last opening. */
  width?: number;
  /** Not opened again before this time (epoch milliseconds). */
  heldUntil?: number;
  /** Micro-dollars granted to a shard since the opening. `remaining` and `dayRemaining` are without them. */
  [granted: Granted]: Micros;
}

type Granted = `granted_${number}`;

export const balanceKey = (campaignId: string) => ({ campaignId, row: 'money' }) as const;

export const isBalance = (item: { row: string }): item is Balance & { row: 'money' } => item.row === 'money';

export async function findBalance(db: Pick<Database, 'get'>, campaignId: string): Promise<Balance | undefined> {
  const row = await db.get('ledgers', balanceKey(campaignId));
  return row && isBalance(row) ? row : undefined;
}

/**
 * Applies a write to a balance. Returns the current balance whether or not the condition held.
 * @param check asserts on the balance that the write has left
 */
export async function writeBalance(
  db: Pick<Database, 'write'>,
  write: Write<'ledgers'>,
  check: (left: Balance) => void = () => {},
): Promise<Balance | undefined> {
  const written = await db.write(write, 'new');
  const row = written.ok ? written.item : written.old;
  if (!row || !isBalance(row)) return undefined;
  if (written.ok) check(row);
  return row;
}

/** The day that the balance counts, if it has counted anything that the row of the day does not have. */
export const getPendingDay = (balance: Balance | undefined): string | undefined =>
  balance?.dayImpressions ? balance.countDay : undefined;

/** The balance that readers take for a campaign without one. */
export const emptyBalance = (campaignId: string): Balance => ({
  campaignId,
  remaining: micros(0),
  spent: micros(0),
  impressions: 0,
  day: '',
  dayRemaining: micros(0),
  dailyBudget: micros(0),
});

export const toGrantAttribute = (shard: number): Granted => `granted_${shard}`;

const isGranted = (name: string): name is Granted => name.startsWith('granted_');

/** The shards that were granted something since the opening. */
export const listGrantedShards = (balance: Balance): number[] =>
  Object.keys(balance)
    .filter(isGranted)
    .map((name) => Number(name.slice('granted_'.length)));

export const getGranted = (balance: Balance, shard: number): number => balance[toGrantAttribute(shard)] ?? 0;

export const getTotalGranted = (balance: Balance): number =>
  listGrantedShards(balance).reduce((sum, shard) => sum + getGranted(balance, shard), 0);

/** A balance as it is with no shard open. */
export function removeShardState(balance: Balance): Balance {
  const { phase, ...closed } = balance;
  for (const shard of listGrantedShards(balance)) delete closed[toGrantAttribute(shard)];
  return closed;
}

/** A balance as a UTC day finds it: a new day has its whole budget. Days only go forward; a clock that is behind meets the day that has begun. */
export const rollOver = (balance: Balance, today: string): Balance =>
  balance.day < today
    ? {
        ...balance,
        day: today,
        dayRemaining: balance.dailyBudget,
        closed: { day: balance.day, spent: getDaySpend(balance) },
      }
    : balance;

/** What was spent on the day of the balance. */
export const getDaySpend = ({ dailyBudget, dayRemaining }: Balance): Micros => micros(dailyBudget - dayRemaining);

/** What was spent on a day by the balance alone: exact, however far the counts are; undefined for earlier days. */
export function getSpendOn(balance: Balance, day: string): Micros | undefined {
  if (balance.day === day) return getDaySpend(balance);
  if (balance.day < day) return micros(0);
  return balance.closed?.day === day ? balance.closed.spent : undefined;
}
