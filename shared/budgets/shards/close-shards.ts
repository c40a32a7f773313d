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

/** How long a balance stays closed while its campaign changes. Otherwise, charges could open it again before the change is written. */
const HELD_MS = 500;

interface ClosingOptions {
  /** Prevents opening the balance again for this long. */
  heldMs?: number;
  /** Changes the closed balance in the same write; by default, it stays closed. */
  next?: (closed: Balance) => Balance;
}

/**
 * Closes the opening of `seen`: stops grants, closes every shard, adds their spend to the balance, and returns unspent grants to it. Each
 * step detects whether it was already done, so any caller can finish an interrupted closing.
 * @returns the current balance: without shards, or opened again
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
 * The last two steps of a closing. Several callers may close the shards at the same time. The condition of `replaceBalance` settles their
 * race: only one merges the shards. Nothing else changes a balance that is closing.
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

/** Closes the balance of a campaign for a change that depends on it. */
export async function closeBalance(effects: Closing, campaignId: string): Promise<Balance> {
  for (;;) {
    const balance = requireBalance(await findBalance(effects.db, campaignId));
    if (!balance.phase) return balance;
    await closeShards(effects, balance, { heldMs: HELD_MS });
  }
}

/**
 * Closes the balance of a changed campaign before the response to the change. Instances that charge shards may still use the campaign as it
 * was at the opening; they see the change at the next opening.
 */
export async function closeForChange(effects: Closing & Pick<Effects, 'config'>, campaignId: string): Promise<void> {
  if (effects.config.budgetShards) await closeBalance(effects, campaignId);
}

/**
 * Closes balances still open from an ended day: without further charges to their campaigns, nothing else would close them. A broken balance
 * does not prevent the others from being closed.
 * @throws BrokenBudget after all others are closed, if closing a balance would lose or create money
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
 * Adds up a balance and its shards for readers, as a closing would. The shards are read after the balance. A closing in between does not
 * change their amounts, so nothing is counted twice and no earlier charge is missing.
 */
export async function includeShards({ db }: Pick<Effects, 'db'>, balance: Balance): Promise<Balance> {
  const { campaignId, epoch = 0, phase } = balance;
  if (!phase) return balance;
  const keys = listGrantedShards(balance).map((shard) => shardKey({ campaignId, epoch, shard }));
  const rows = keys.length > 0 ? await db.getAll('ledgers', keys) : [];
  return mergeShards(balance, rows.filter(isShard));
}
