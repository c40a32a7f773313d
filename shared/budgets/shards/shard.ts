import { DAY_MS, ttlAt } from '../../platform/clock.ts';
import type { Write } from '../../platform/database.ts';
import { type Micros, micros } from '../../platform/values/money.ts';
import { type Balance, balanceKey, getTotalGranted, removeShardState, rollOver, toGrantAttribute } from '../balance.ts';

/** A part of a balance during one opening. Each shard has its own partition key, so it has the throughput of a whole partition. */
export interface BudgetShard {
  campaignId: `${string}#${number}`;
  row: `shard#${number}`;
  /** Micro-dollars granted to this shard that have arrived since the opening; absent if the shard was closed before any arrived. */
  granted?: Micros;
  left?: Micros;
  spent?: Micros;
  impressions?: number;
  /** A closed shard never changes again. */
  closed?: true;
  ttl?: number;
}

/** One shard of one opening. */
export interface ShardId {
  campaignId: string;
  epoch: number;
  shard: number;
}

/** Retention of a closed shard, for readers that have read the balance from before the closing, and for closings interrupted by a crash. */
const KEPT_MS = 90 * DAY_MS;

export const shardKey = ({ campaignId, epoch, shard }: ShardId) =>
  ({ campaignId: `${campaignId}#${shard}`, row: `shard#${epoch}` }) as const;

export const isShard = (item: { row: string }): item is BudgetShard => item.row.startsWith('shard#');

/** Charges one impression. Never charges the last micro-dollar of a shard, because the last charge of a budget requires closed shards. */
export const chargeShard = (id: ShardId, cost: Micros): Write<'ledgers'> => ({
  table: 'ledgers',
  key: shardKey(id),
  update: 'SET #left = #left - :cost ADD #spent :cost, #impressions :one',
  when: '#left > :cost AND attribute_not_exists(#closed)', // settles the race with the closing, which adds up only earlier charges
  values: { cost, one: 1 },
});

/**
 * The second step of a grant: credits it to the shard. The condition settles two races. If several callers finish the same grant, only one
 * succeeds. A closed shard accepts no credit, because the closing returns to the balance everything that has not arrived.
 * @param from micro-dollars that had arrived before
 * @param to micro-dollars granted in total
 */
export const creditShard = (id: ShardId, from: number, to: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: shardKey(id),
  update: 'SET #granted = :to ADD #left :more',
  when: from === 0 ? 'attribute_not_exists(#row)' : '#granted = :from AND attribute_not_exists(#closed)',
  values: { to, more: to - from, ...(from > 0 && { from }) },
});

/** Closes a shard. If nothing has arrived yet, this creates the shard, so a late credit finds it closed. */
export const closeShard = (id: ShardId, now: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: shardKey(id),
  update: 'SET #closed = :true, #ttl = :ttl',
  when: 'attribute_not_exists(#closed)',
  values: { true: true, ttl: ttlAt(now + KEPT_MS) },
});

export interface ShardSizes {
  /** Maximum number of shards per balance. */
  maxShards: number;
  /** Maximum part of a budget that all shards together may contain. */
  share: number;
  /** Impressions that a grant must pay for when a balance is opened or widened: smaller grants cost more writes than they save. */
  minImpressions: number;
}

export const SHARD_SIZES: ShardSizes = { maxShards: 64, share: 0.02, minImpressions: 8 };

/** Divides the rest of the budget as if there were this many additional shards, so that a few shards cannot take all of it. */
const RESERVED_SHARES = 16;

/**
 * Micro-dollars to grant to a shard that cannot pay this cost. Grants shrink toward the end of a budget. If the result is below the cost
 * (or negative), the balance must be closed instead.
 */
export function grantSize(balance: Balance, width: number, cost: number, { share }: ShardSizes): number {
  const { remaining, dayRemaining, dailyBudget, spent } = balance;
  const tighter = Math.min(dailyBudget, spent + remaining + getTotalGranted(balance));
  const rest = Math.min(remaining, dayRemaining);
  // Minus the cost, because the shard may still contain up to that much.
  return Math.floor(Math.min((share * tighter) / width, rest / (width + RESERVED_SHARES))) - cost;
}

/** The number of shards for this balance: `wanted`, or fewer if grants would be too small; 0 if it should stay closed. */
export function chooseWidth(balance: Balance, wanted: number, cost: number, sizes: ShardSizes): number {
  let width = Math.min(wanted, sizes.maxShards);
  while (width >= 1 && grantSize(balance, width, cost, sizes) < sizes.minImpressions * cost)
    width = Math.floor(width / 2);
  return width;
}

/**
 * Opens a balance in shards. The condition settles the race of two openings. It does not compare exact amounts, so concurrent charges do not
 * make it fail. The balance must already count its day.
 */
export const openShards = ({ campaignId, epoch = 0, day }: Balance, width: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: balanceKey(campaignId),
  update: 'SET #phase = :open, #epoch = :next, #width = :width',
  when:
    `attribute_not_exists(#phase) AND ${epoch === 0 ? 'attribute_not_exists(#epoch)' : '#epoch = :epoch'} ` +
    'AND #day = :day AND #countDay = :day AND #remaining > :zero AND #dayRemaining > :zero',
  values: { open: 'open', next: epoch + 1, width, day, zero: 0, ...(epoch > 0 && { epoch }) },
});

/** Opens a closed balance on this day. */
export function openForDay(today: string, balance: Balance, width: number): Balance {
  const before = rollOver(balance, today);
  const { day, countDay, dayImpressions = 0, daySpend = micros(0), epoch = 0 } = before;
  const counts = countDay === day ? { dayImpressions, daySpend } : { dayImpressions: 0, daySpend: micros(0) };
  return { ...before, ...counts, countDay: day, phase: 'open', epoch: epoch + 1, width };
}

/** Spreads charges over more shards. The condition settles the race with a closing and with another widening. */
export const widenShards = ({ campaignId, epoch, width }: Balance, wider: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: balanceKey(campaignId),
  update: 'SET #width = :wider',
  when: '#phase = :open AND #epoch = :epoch AND #width = :width',
  values: { open: 'open', epoch, width, wider },
});

/**
 * The first step of a grant: takes the amount out of the balance. The condition settles the race of two grants to the same shard: all
 * earlier grants must have arrived, so only one is in flight. A grant never takes everything that remains of a budget.
 * @param arrived micro-dollars that have arrived at the shard since the opening
 */
export function grantToShard({ campaignId, epoch, shard }: ShardId, arrived: number, amount: number): Write<'ledgers'> {
  const granted = toGrantAttribute(shard);
  return {
    table: 'ledgers',
    key: balanceKey(campaignId),
    update: `SET #remaining = #remaining - :amount, #dayRemaining = #dayRemaining - :amount ADD #${granted} :amount`,
    when:
      '#phase = :open AND #epoch = :epoch AND #remaining > :amount AND #dayRemaining > :amount AND ' +
      (arrived === 0 ? `attribute_not_exists(#${granted})` : `#${granted} = :arrived`),
    values: { open: 'open', epoch, amount, ...(arrived > 0 && { arrived }) },
  };
}

/** The first step of a closing: stops grants. The condition settles races with another closing and with a later opening. */
export const beginClosing = ({ campaignId, epoch }: Balance, heldUntil: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: balanceKey(campaignId),
  update: 'SET #phase = :closing, #heldUntil = :heldUntil',
  when: '#phase = :open AND #epoch = :epoch',
  values: { open: 'open', closing: 'closing', epoch, heldUntil },
});

/**
 * Merges shards into their balance, as if every charge had been made on the balance itself. Unspent grants, arrived or not, return to the
 * balance on its own day, never on the next day.
 * @param shards all shards with a grant, read after the balance
 */
export function mergeShards(balance: Balance, shards: readonly BudgetShard[]): Balance {
  const spent = shards.reduce((sum, one) => sum + (one.spent ?? 0), 0);
  const impressions = shards.reduce((sum, one) => sum + (one.impressions ?? 0), 0);
  const unspent = getTotalGranted(balance) - spent;
  return removeShardState({
    ...balance,
    remaining: micros(balance.remaining + unspent),
    dayRemaining: micros(balance.dayRemaining + unspent),
    spent: micros(balance.spent + spent),
    impressions: balance.impressions + impressions,
    daySpend: micros((balance.daySpend ?? 0) + spent),
    dayImpressions: (balance.dayImpressions ?? 0) + impressions,
  });
}
