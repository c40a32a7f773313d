import type { Database, Write } from '../platform/database.ts';
import { type Micros, micros } from '../platform/values/money.ts';

/**
 * The balance of a campaign: the ledger row `money`, which charges update. Remaining amounts are negative if a budget was lowered below the
 * spend. * A busy balance is opened in shards: until it is closed again, charges go to the shards, which receive grants from the balance. An
 * opening never extends past one UTC day, the day of the balance. The shard attributes are absent until the first opening.
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
  /** The last earlier day with a charge, and the spend of that day. */
  closed?: { day: string; spent: Micros };
  /**
   * The UTC day of the next two counts, which are added to the counts in the row of that day. They move to that row when another day begins.
   * All three are absent until the first charge by a version that counts in the balance.
   */
  countDay?: string;
  dayImpressions?: number;
  daySpend?: Micros;
  /** The number of the last opening; it only increases. */
  epoch?: number;
  /** Absent while no shard is open; charges then go to the balance itself. */
  phase?: 'open' | 'closing';
  /** The number of shards that charges are spread over, now or in the last opening. */
  width?: number;
  /** The balance must not be opened again before this time (epoch milliseconds). */
  heldUntil?: number;
  /** Micro-dollars granted to a shard since the opening. Not included in `remaining` and `dayRemaining`. */
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
 * @param check asserts invariants of the written balance
 */
export async function writeBalance(
  db: Pick<Database, 'write'>,
  write: Write<'ledgers'>,
  check: (after: Balance) => void = () => {},
): Promise<Balance | undefined> {
  const written = await db.write(write, 'new');
  const row = written.ok ? written.item : written.old;
  if (!row || !isBalance(row)) return undefined;
  if (written.ok) check(row);
  return row;
}

/** The day whose counts are still in the balance and not in the row of the day, if any. */
export const getPendingDay = (balance: Balance | undefined): string | undefined =>
  balance?.dayImpressions ? balance.countDay : undefined;

/** The balance that readers assume for a campaign without one. */
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

/** The shards with a grant since the opening. */
export const listGrantedShards = (balance: Balance): number[] =>
  Object.keys(balance)
    .filter(isGranted)
    .map((name) => Number(name.slice('granted_'.length)));

export const getGranted = (balance: Balance, shard: number): number => balance[toGrantAttribute(shard)] ?? 0;

export const getTotalGranted = (balance: Balance): number =>
  listGrantedShards(balance).reduce((sum, shard) => sum + getGranted(balance, shard), 0);

/** Removes the phase and the grants from a balance, as if no shard were open. */
export function removeShardState(balance: Balance): Balance {
  const { phase, ...closed } = balance;
  for (const shard of listGrantedShards(balance)) delete closed[toGrantAttribute(shard)];
  return closed;
}

/** Starts a new UTC day with the whole daily budget. Days only move forward: a clock that is behind continues the current day. */
export const rollOver = (balance: Balance, today: string): Balance =>
  balance.day < today
    ? {
        ...balance,
        day: today,
        dayRemaining: balance.dailyBudget,
        closed: { day: balance.day, spent: getDaySpend(balance) },
      }
    : balance;

/** Spend on the day of the balance. */
export const getDaySpend = ({ dailyBudget, dayRemaining }: Balance): Micros => micros(dailyBudget - dayRemaining);

/** Spend on a day, from the balance only: exact even if the counts lag behind. Undefined for days before `closed`. */
export function getSpendOn(balance: Balance, day: string): Micros | undefined {
  if (balance.day === day) return getDaySpend(balance);
  if (balance.day < day) return micros(0);
  return balance.closed?.day === day ? balance.closed.spent : undefined;
}
