import { DAY_MS, ttlAt } from '../../platform/clock.ts';
import type { Write } from '../../platform/database.ts';
import { type Micros, micros } from '../../platform/values/money.ts';
import { type Balance, balanceKey, getTotalGranted, removeShardState, rollOver, toGrantAttribute } from '../balance.ts';

/** A part of a balance during one opening. Its partition key is its own, so that it has the throughput of a whole partition. */
export interface BudgetShard {
  campaignId: `${string}#${number}`;
  row: `shard#${number}`;
  /** Micro-dollars that have arrived of what it was granted since the opening; absent in a shard that was closed before any arrived. */
  granted?: Micros;
  left?: Micros;
  spent?: Micros;
  impressions?: number;
  /** Nothing in it changes any more. */
  closed?: true;
  ttl?: number;
}

/** One shard of one opening. */
export interface ShardId {
  campaignId: string;
  epoch: number;
  shard: number;
}

/** How long a closed shard is kept: for readers that saw the balance before it was closed, and for closings that somebody left unfinished. */
const KEPT_MS = 90 * DAY_MS;

export const shardKey = ({ campaignId, epoch, shard }: ShardId) =>
  ({ campaignId: `${campaignId}#${shard}`, row: `shard#${epoch}` }) as const;

export const isShard = (item: { row: string }): item is BudgetShard => item.row.startsWith('shard#');

/** Charges one impression, but never the last micro-dollar of a shard: the last charge of a budget is made with no shard open. */
export const chargeShard = (id: ShardId, cost: Micros): Write<'ledgers'> => ({
  table: 'ledgers',
  key: shardKey(id),
  update: 'SET #left = #left - :cost ADD #spent :cost, #impressions :one',
  when: '#left > :cost AND attribute_not_exists(#closed)', // settles the race with the closing, which adds up only what was charged before it
  values: { cost, one: 1 },
});

/**
 * The second step of a grant: it arrives. The condition settles two races. Of several that finish the same grant, one does. And a closed
 * shard takes nothing, because the closing returns to the balance what has not arrived.
 * @param from what had arrived before, micro-dollars @param to what was granted in all
 */
export const creditShard = (id: ShardId, from: number, to: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: shardKey(id),
  update: 'SET #granted = :to ADD #left :more',
  when: from === 0 ? 'attribute_not_exists(#row)' : '#granted = :from AND attribute_not_exists(#closed)',
  values: { to, more: to - from, ...(from > 0 && { from }) },
});

/** Closes a shard, also one at which nothing has arrived, so that a late grant finds it closed. */
export const closeShard = (id: ShardId, now: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: shardKey(id),
  update: 'SET #closed = :true, #ttl = :ttl',
  when: 'attribute_not_exists(#closed)',
  values: { true: true, ttl: ttlAt(now + KEPT_MS) },
});

export interface ShardSizes {
  /** The most shards of a balance. */
  maxShards: number;
  /** The part of a budget that all shards together may hold. */
  share: number;
  /** Impressions that a grant must pay for where a balance is opened or widened: a smaller one would cost more writes than it saves. */
  minImpressions: number;
}

export const SHARD_SIZES: ShardSizes = { maxShards: 64, share: 0.02, minImpressions: 8 };

/** What remains is divided as if there were this many shards more, so that a few shards do not take all of it. */
const RESERVED_SHARES = 16;

/**
 * How many micro-dollars to grant to a shard that cannot pay an impression of this cost. Grants shrink towards the end of a budget. Less than
 * the cost, or a negative amount, means that the balance is to be closed instead.
 */
export function grantSize(balance: Balance, width: number, cost: number, { share }: ShardSizes): number {
  const { remaining, dayRemaining, dailyBudget, spent } = balance;
  const tighter = Math.min(dailyBudget, spent + remaining + getTotalGranted(balance));
  const rest = Math.min(remaining, dayRemaining);
  // The shard may still hold up to the cost.
  return Math.floor(Math.min((share * tighter) / width, rest / (width + RESERVED_SHARES))) - cost;
}

/** How many shards this balance can have: as many as are wanted, or fewer where grants would be too small; 0 for none. */
export function chooseWidth(balance: Balance, wanted: number, cost: number, sizes: ShardSizes): number {
  let width = Math.min(wanted, sizes.maxShards);
  while (width >= 1 && grantSize(balance, width, cost, sizes) < sizes.minImpressions * cost)
    width = Math.floor(width / 2);
  return width;
}

/**
 * Opens a balance in shards. The condition names no amount, so that the write holds among any number of charges. The balance must count its
 * day already.
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

/** A closed balance as it is after it was opened on this day. */
export function openForDay(today: string, balance: Balance, width: number): Balance {
  const before = rollOver(balance, today);
  const { day, countDay, dayImpressions = 0, daySpend = micros(0), epoch = 0 } = before;
  const counts = countDay === day ? { dayImpressions, daySpend } : { dayImpressions: 0, daySpend: micros(0) };
  return { ...before, ...counts, countDay: day, phase: 'open', epoch: epoch + 1, width };
}

/** Spreads charges over more shards. */
export const widenShards = ({ campaignId, epoch, width }: Balance, wider: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: balanceKey(campaignId),
  update: 'SET #width = :wider',
  when: '#phase = :open AND #epoch = :epoch AND #width = :width',
  values: { open: 'open', epoch, width, wider },
});

/**
 * The first step of a grant: the balance gives the amount away. The condition requires that all earlier grants have arrived, so one grant to
 * a shard is under way at a time. A grant never takes the last of a budget.
 * @param arrived what has arrived at the shard since the opening, micro-dollars
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

/** The first step of a closing: nothing more is granted. */
export const beginClosing = ({ campaignId, epoch }: Balance, heldUntil: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: balanceKey(campaignId),
  update: 'SET #phase = :closing, #heldUntil = :heldUntil',
  when: '#phase = :open AND #epoch = :epoch',
  values: { open: 'open', closing: 'closing', epoch, heldUntil },
});

/**
 * A balance as if it had been charged itself for everything that its shards were. What they were granted and have not spent returns to it,
 * whether or not it has arrived there. It returns to the day of the balance, never to the next one.
 * @param shards those that were granted something, read after the balance
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
