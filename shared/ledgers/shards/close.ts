import type { Effects } from '../../platform/effects.ts';
import { type Balance, foldDay, isBalance, replaceBalance } from '../balance.ts';
import { grantedShards } from './opening.ts';
import { balanceAfter, beginClosing, findBalance, withShards } from './root.ts';
import { closeShard, isShard } from './shard.ts';

type Closing = Pick<Effects, 'db' | 'clock'>;

/** How long a budget that was closed for a change of its campaign stays so: charges at once would open it again before the change is through. */
const HELD_MS = 500;

/** What is to be after a closing. */
interface After {
  /** Keeps everybody from opening the budget again for so long. */
  heldMs?: number;
  /** What becomes of the closed balance in the same write; it is left as it is unless told. */
  next?: (closed: Balance) => Balance;
}

/**
 * Closes the opening that a balance was seen in: nothing more is granted, then every shard is closed, then the balance takes over what they
 * spent and takes back the rest. Each step finds out whether it was done before, so whoever meets a budget that is half closed goes on
 * with it, however many do.
 * @returns the balance as it is then: without shards, or opened anew
 */
export async function closeShards(
  effects: Closing,
  seen: Balance,
  { heldMs = 0, next = (balance) => balance }: After = {},
): Promise<Balance> {
  const { db, clock } = effects;
  let balance = seen;
  while (balance.phase && balance.epoch === seen.epoch) {
    if (balance.phase === 'closing') balance = await takeBack(effects, balance, next);
    else balance = thereIs(await balanceAfter(db, beginClosing(balance, clock.now() + heldMs)));
  }
  return balance;
}

/** The last steps. The condition of the last lets one of those who close the budget through; nothing else changes a balance in between. */
async function takeBack({ db, clock }: Closing, balance: Balance, next: NonNullable<After['next']>): Promise<Balance> {
  const { campaignId, epoch = 0 } = balance;
  const shards = await Promise.all(
    grantedShards(balance).map(async (shard) => {
      const written = await db.write(closeShard({ campaignId, epoch, shard }, clock.now()), 'new');
      const closed = written.ok ? written.item : written.old;
      if (!closed || !isShard(closed)) throw new Error(`shard ${shard} of ${campaignId} is gone`);
      return closed;
    }),
  );
  const closed = withShards(balance, shards);
  const after = next(closed);
  const written = await db.transact([replaceBalance(balance, after), ...foldDay(closed, after)]);
  if (written.ok) return after;
  const old = written.refused[0]?.old;
  return thereIs(old && isBalance(old) ? old : undefined);
}

function thereIs(balance: Balance | undefined): Balance {
  if (!balance) throw new Error('a campaign has no balance');
  return balance;
}

/** The balance of a campaign with no shard open, for a change that it alone can judge; every campaign has one from its first moment. */
export async function closedBalance(effects: Closing, campaignId: string): Promise<Balance> {
  for (;;) {
    const balance = thereIs(await findBalance(effects.db, campaignId));
    if (!balance.phase) return balance;
    await closeShards(effects, balance, { heldMs: HELD_MS });
  }
}

/**
 * Closes the budget of a campaign that was changed, before the change is answered: charges of shards may know the campaign as it was
 * when the budget was opened, and learn of the change when it is opened again.
 */
export async function closeForChange(effects: Closing & Pick<Effects, 'config'>, campaignId: string): Promise<void> {
  if (effects.config.budgetShards) await closedBalance(effects, campaignId);
}
