import type { Write } from '../../platform/database.ts';
import { micros } from '../../platform/values/money.ts';
import { type Balance, balanceKey, grantedName, grantedTotal, withoutShards } from '../balance.ts';
import { rolled } from '../settlement.ts';
import type { BudgetShard, ShardId } from './shard.ts';

export interface ShardSizes {
  /** The most shards of a balance. */
  most: number;
  /** The part of a budget that all shards together may hold. */
  share: number;
  /** Impressions that a grant must pay for where a balance is opened or widened: a smaller one would cost more writes than it saves. */
  worth: number;
}

export const SHARD_SIZES: ShardSizes = { most: 64, share: 0.02, worth: 8 };

/** What remains is divided as if there were this many shards more, so that a few shards do not take all of it. */
const RESERVED_SHARES = 16;

/**
 * How many micro-dollars to grant to a shard that cannot pay an impression of this cost. Grants shrink towards the end of a budget. Less than
 * the cost, or a negative amount, means that the balance is to be closed instead.
 */
export function grantSize(balance: Balance, width: number, cost: number, { share }: ShardSizes): number {
  const { remaining, dayRemaining, dailyBudget, spent } = balance;
  const tighter = Math.min(dailyBudget, spent + remaining + grantedTotal(balance));
  const rest = Math.min(remaining, dayRemaining);
  // The shard may still hold up to the cost.
  return Math.floor(Math.min((share * tighter) / width, rest / (width + RESERVED_SHARES))) - cost;
}

/** How many shards this balance can have: as many as are wanted, or fewer where grants would be too small; 0 for none. */
export function widthFor(balance: Balance, wanted: number, cost: number, sizes: ShardSizes): number {
  let width = Math.min(wanted, sizes.most);
  while (width >= 1 && grantSize(balance, width, cost, sizes) < sizes.worth * cost) width = Math.floor(width / 2);
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
export function openedOn(today: string, balance: Balance, width: number): Balance {
  const before = rolled(balance, today);
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
  const granted = grantedName(shard);
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
export function withShards(balance: Balance, shards: readonly BudgetShard[]): Balance {
  const spent = shards.reduce((sum, one) => sum + (one.spent ?? 0), 0);
  const impressions = shards.reduce((sum, one) => sum + (one.impressions ?? 0), 0);
  const unspent = grantedTotal(balance) - spent;
  return withoutShards({
    ...balance,
    remaining: micros(balance.remaining + unspent),
    dayRemaining: micros(balance.dayRemaining + unspent),
    spent: micros(balance.spent + spent),
    impressions: balance.impressions + impressions,
    daySpend: micros((balance.daySpend ?? 0) + spent),
    dayImpressions: (balance.dayImpressions ?? 0) + impressions,
  });
}
