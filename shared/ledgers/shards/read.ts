import type { Effects } from '../../platform/effects.ts';
import type { Balance } from '../balance.ts';
import { grantedShards } from './opening.ts';
import { withShards } from './root.ts';
import { isShard, shardKey } from './shard.ts';

/**
 * What a balance and its shards come to. The shards are read after it: what closes them meanwhile leaves them as they are, so nothing is
 * in the sum twice, and nothing that was charged before the balance was read is missing.
 */
export async function withItsShards({ db }: Pick<Effects, 'db'>, balance: Balance): Promise<Balance> {
  const { campaignId, epoch = 0, phase } = balance;
  if (!phase) return balance;
  const keys = grantedShards(balance).map((shard) => shardKey({ campaignId, epoch, shard }));
  const rows = keys.length > 0 ? await db.getAll('ledgers', keys) : [];
  return withShards(balance, rows.filter(isShard));
}
