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
export const unfoldedDay = (balance: Balance | undefined): string | undefined =>
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

export const grantedName = (shard: number): Granted => `granted_${shard}`;

const isGranted = (name: string): name is Granted => name.startsWith('granted_');

/** The shards that were granted something since the opening. */
export const grantedShards = (balance: Balance): number[] =>
  Object.keys(balance)
    .filter(isGranted)
    .map((name) => Number(name.slice('granted_'.length)));

export const grantedTo = (balance: Balance, shard: number): number => balance[grantedName(shard)] ?? 0;

export const grantedTotal = (balance: Balance): number =>
  grantedShards(balance).reduce((sum, shard) => sum + grantedTo(balance, shard), 0);

/** A balance as it is with no shard open. */
export function withoutShards(balance: Balance): Balance {
  const { phase, ...closed } = balance;
  for (const shard of grantedShards(balance)) delete closed[grantedName(shard)];
  return closed;
}
