import { DAY_MS, ttlAt } from '../../platform/clock.ts';
import type { Write } from '../../platform/database.ts';
import type { Micros } from '../../platform/values/money.ts';

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
