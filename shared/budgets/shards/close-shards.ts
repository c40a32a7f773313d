import { utcDay } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import {
  type Balance,
  balanceKey,
  findBalance,
  getGranted,
  isBalance,
  listGrantedShards,
  writeBalance,
} from '../balance.ts';
import { moveDayCounts, replaceBalance } from '../charge.ts';
import { assertConserved, assertShard, BrokenBudget } from '../invariants.ts';
import { beginClosing, closeShard, isShard, mergeShards, shardKey } from './shard.ts';

type Closing = Pick<Effects, 'db' | 'clock'>;

/** How long a balance that was closed for a change of its campaign stays closed. Charges would open it again before the change is through. */
const HELD_MS = 500;

interface ClosingOptions {
  /** Nobody opens the balance again for this long. */
  heldMs?: number;
  /** What becomes of the closed balance in the same write; by default it is left as it is. */
  next?: (closed: Balance) => Balance;
}

/**
 * Closes the opening that a balance was seen in. First nothing more is granted, then every shard is closed, then the balance takes over what
 * they have spent and takes back the rest. Each step finds out whether it was done before, so any number of callers can go on with a
 * balance that is half closed.
 * @returns the balance as it is then: without shards, or opened again
 */
export async function closeShards(
  effects: Closing,
  seen: Balance,
  { heldMs = 0, next = (balance) => balance }: ClosingOptions = {},
): Promise<Balance> {
  const { db, clock } = effects;
  let balance = seen;
  while (balance.phase && balance.epoch === seen.epoch) {
    const before = balance;
    if (before.phase === 'closing') balance = await collectShards(effects, before, next);
    else {
      const write = beginClosing(before, clock.now() + heldMs);
      balance = requireBalance(await writeBalance(db, write, (after) => assertConserved(before, after)));
    }
  }
  return balance;
}

/**
 * The last two steps. Several callers may take the first of them. The condition of the last one lets only one of them through, and nothing
 * else changes a balance that is closing.
 */
async function collectShards(
  { db, clock }: Closing,
  balance: Balance,
  next: NonNullable<ClosingOptions['next']>,
): Promise<Balance> {
  const { campaignId, epoch = 0 } = balance;
  const shards = await Promise.all(
    listGrantedShards(balance).map(async (shard) => {
      const written = await db.write(closeShard({ campaignId, epoch, shard }, clock.now()), 'new');
      const closed = written.ok ? written.item : written.old;
      if (!closed || !isShard(closed)) throw new Error(`shard ${shard} of ${campaignId} is missing`);
      assertShard(closed, getGranted(balance, shard));
      return closed;
    }),
  );
  const closed = mergeShards(balance, shards);
  const after = next(closed);
  const written = await db.transact([replaceBalance(balance, after), ...moveDayCounts(closed, after)]);
  if (written.ok) return after;
  const old = written.refused[0]?.old;
  return requireBalance(old && isBalance(old) ? old : undefined);
}

function requireBalance(balance: Balance | undefined): Balance {
  if (!balance) throw new Error('a campaign has no balance');
  return balance;
}

/** Closes the balance of a campaign for a change that depends on it. Every campaign has one from its creation on. */
export async function closeBalance(effects: Closing, campaignId: string): Promise<Balance> {
  for (;;) {
    const balance = requireBalance(await findBalance(effects.db, campaignId));
    if (!balance.phase) return balance;
    await closeShards(effects, balance, { heldMs: HELD_MS });
  }
}

/**
 * Closes the balance of a campaign that was changed, before the change is answered. Instances that charge shards may know the campaign as it
 * was at the opening; they learn of the change with the next one.
 */
export async function closeForChange(effects: Closing & Pick<Effects, 'config'>, campaignId: string): Promise<void> {
  if (effects.config.budgetShards) await closeBalance(effects, campaignId);
}

/**
 * Closes balances that were left open on a day that is over: campaigns that nobody charges any more. Closed ones stay as they are. One that
 * cannot be closed without losing or making money keeps none of the others open.
 */
export async function closeOldDays(effects: Closing, campaignIds: readonly string[]): Promise<void> {
  const today = utcDay(effects.clock.now());
  let broken: BrokenBudget | undefined;
  for (const row of await effects.db.getAll('ledgers', campaignIds.map(balanceKey))) {
    if (!isBalance(row) || row.day >= today) continue;
    try {
      await closeShards(effects, row);
    } catch (error) {
      if (!(error instanceof BrokenBudget)) throw error;
      broken = error;
    }
  }
  if (broken) throw broken;
}

/**
 * Adds up a balance and its shards, as a closing would, for readers. The shards are read after the balance. A closing in between leaves the
 * shards as they are, so nothing is counted twice, and no charge made before the balance was read is missing.
 */
export async function includeShards({ db }: Pick<Effects, 'db'>, balance: Balance): Promise<Balance> {
  const { campaignId, epoch = 0, phase } = balance;
  if (!phase) return balance;
  const keys = listGrantedShards(balance).map((shard) => shardKey({ campaignId, epoch, shard }));
  const rows = keys.length > 0 ? await db.getAll('ledgers', keys) : [];
  return mergeShards(balance, rows.filter(isShard));
}
