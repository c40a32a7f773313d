import { DAY_MS, ttlAt } from '../../platform/clock.ts';
import type { Write } from '../../platform/database.ts';
import type { Micros } from '../../values/money.ts';

/** Part of a budget during one opening; under a partition key of its own, so that it has a partition's throughput for itself. */
export interface BudgetShard {
  campaignId: `${string}#${number}`;
  row: `shard#${number}`;
  /** Micro-dollars that have arrived of what it was granted since the opening; absent in a shard that was closed before any did. */
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

/** How long a closed shard is kept: for readers who saw the balance before it was closed, and far longer than closing may stay unfinished. */
const KEPT_MS = 90 * DAY_MS;

export const shardKey = ({ campaignId, epoch, shard }: ShardId) =>
  ({ campaignId: `${campaignId}#${shard}`, row: `shard#${epoch}` }) as const;

export const isShard = (item: { row: string }): item is BudgetShard => item.row.startsWith('shard#');

/** Charges one impression, never the last micro-dollar of a shard: the last charge of a budget is made with no shard open. */
export const chargeShard = (id: ShardId, cost: Micros): Write<'ledgers'> => ({
  table: 'ledgers',
  key: shardKey(id),
  update: 'SET #left = #left - :cost ADD #spent :cost, #impressions :one',
  when: '#left > :cost AND attribute_not_exists(#closed)', // settles the race with its closing, whose sums count what was charged before
  values: { cost, one: 1 },
});

/**
 * Lets what was granted arrive. The condition settles the races of all who finish the same grant: it arrives once; and with the
 * closing, which takes back what has not arrived: a closed shard takes nothing.
 * @param from what had arrived before, micro-dollars @param to what was granted in all
 */
export const creditShard = (id: ShardId, from: number, to: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: shardKey(id),
  update: 'SET #granted = :to ADD #left :more',
  when: from === 0 ? 'attribute_not_exists(#row)' : '#granted = :from AND attribute_not_exists(#closed)',
  values: { to, more: to - from, ...(from > 0 && { from }) },
});

/** Closes a shard, also one that nothing has arrived at: so a credit that comes late finds it closed. */
export const closeShard = (id: ShardId, now: number): Write<'ledgers'> => ({
  table: 'ledgers',
  key: shardKey(id),
  update: 'SET #closed = :true, #ttl = :ttl',
  when: 'attribute_not_exists(#closed)',
  values: { true: true, ttl: ttlAt(now + KEPT_MS) },
});
