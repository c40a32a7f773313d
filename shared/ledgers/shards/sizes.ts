import type { Balance } from '../balance.ts';
import { grantedInAll } from './opening.ts';

export interface ShardSizes {
  /** Shards of a budget at most. */
  most: number;
  /** The part of a budget that all shards together may hold. */
  share: number;
  /** Impressions that a grant must be worth where a budget is opened, or opened wider: fewer would cost more writes than they save. */
  worth: number;
}

export const SHARD_SIZES: ShardSizes = { most: 64, share: 0.02, worth: 8 };

/** What remains is divided as though there were so many shards more: so a few of them do not take all of it. */
const OTHERS = 16;

/**
 * Micro-dollars to grant to a shard that cannot pay an impression of this cost: less and less towards a budget's end, and less than the cost, or than nothing, when the
 * budget should be closed instead.
 */
export function grantSize(balance: Balance, width: number, cost: number, { share }: ShardSizes): number {
  const { remaining, dayRemaining, dailyBudget, spent } = balance;
  const tighter = Math.min(dailyBudget, spent + remaining + grantedInAll(balance));
  const rest = Math.min(remaining, dayRemaining);
  // What is still in the shard is at most the cost.
  return Math.floor(Math.min((share * tighter) / width, rest / (width + OTHERS))) - cost;
}

/** Among how many shards this budget can be spread: as many as are wanted, or fewer where grants would be too small; 0 for none. */
export function widthFor(balance: Balance, wanted: number, cost: number, sizes: ShardSizes): number {
  let width = Math.min(wanted, sizes.most);
  while (width >= 1 && grantSize(balance, width, cost, sizes) < sizes.worth * cost) width = Math.floor(width / 2);
  return width;
}
