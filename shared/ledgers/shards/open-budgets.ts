import type { Effects } from '../../platform/effects.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import type { Balance } from '../balance.ts';
import { knownBudgets, type OpenBudget } from './known.ts';
import { grantedTo } from './opening.ts';
import { balanceAfter, grantToShard } from './root.ts';
import { type BudgetShard, creditShard, type ShardId } from './shard.ts';
import { grantSize, SHARD_SIZES, type ShardSizes } from './sizes.ts';
import { turningOver } from './turn-over.ts';

/** A shard to charge. */
export interface PickedShard extends ShardId {
  day: string;
  budget: OpenBudget;
}

/** Conflicts of one charge before another request is told to come again, where no deadline says so. */
const MOST_CONFLICTS = 100;
/** Conflicts of one charge from which on more shards are worth their grants: two come by chance with ten wins a second. */
const TOO_MANY_CONFLICTS = 3;
/** Bounds of the pauses after a conflict; each is half of its bound at least, since a transaction that holds an item now may take some 8 ms more. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [16, 500];

/** What a charge does about its budget besides charging. */
export function openBudgets(
  effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>,
  sizes: ShardSizes = SHARD_SIZES,
) {
  const { db, ids, config } = effects;
  const known = knownBudgets(effects);
  const { open, turnOver, widen } = turningOver(effects, known, sizes);
  /** Which part of all shards this instance takes, from 0 to below 1: the same until it meets another there, so that instances come to have their own. */
  let fraction = ids.random();

  return {
    /** The shard that this instance charges; undefined where the balance is to be charged. */
    pick(campaignId: string): PickedShard | undefined {
      const budget = known.find(campaignId);
      if (!budget) return undefined;
      const { epoch = 0, day, width = 1 } = budget.balance;
      return { campaignId, epoch, day, budget, shard: Math.floor(fraction * width) };
    },

    /**
     * What follows from a balance that refused a charge: its shards are charged where it is open today, and closed otherwise.
     * @returns it when no shard is open
     */
    async enter(balance: Balance, cost: number): Promise<Balance | undefined> {
      if (!balance.phase) return balance;
      if (config.budgetShards && known.learn(balance)) return undefined;
      const after = await turnOver(balance, cost);
      return after.phase ? undefined : after;
    },

    /**
     * What follows from a shard that could not pay: it is granted more, or its budget closed where there is too little. A grant that
     * somebody has left half done is finished first, and a shard that is closed is charged no more.
     * @param found the shard, if there is one
     */
    async refill({ budget, ...place }: PickedShard, found: BudgetShard | undefined, cost: number): Promise<void> {
      const { campaignId, epoch, shard } = place;
      if (found?.closed) return known.forget(campaignId);
      const arrived = found?.granted ?? 0;
      for (let { balance } = budget; ; ) {
        const granted = grantedTo(balance, shard);
        if (granted > arrived) return void (await db.write(creditShard(place, arrived, granted)));
        const amount = grantSize(balance, balance.width ?? 1, cost, sizes);
        if (amount < cost) return void (await turnOver(balance, cost));
        const now = known.learn(await balanceAfter(db, grantToShard(place, arrived, amount)));
        if (now?.balance.epoch !== epoch) return;
        balance = now.balance;
      }
    },

    /**
     * What follows from a conflict with another charge: another shard, more of them, a pause.
     * @param conflicts of this charge so far
     * @returns the balance, where it was looked at and no shard is open
     */
    async afterConflict(
      campaignId: string,
      picked: PickedShard | undefined,
      cost: number,
      conflicts: number,
    ): Promise<Balance | undefined> {
      fraction = ids.random();
      const isTooMany = conflicts >= TOO_MANY_CONFLICTS;
      if (isTooMany && picked && (await widen(picked.budget, cost))) return undefined;
      const balance = isTooMany && !picked ? await open(campaignId, cost) : undefined;
      if (balance || !known.has(campaignId) || picked) await pause(effects, conflicts);
      return balance;
    },
  };
}

async function pause({ clock, ids }: Pick<Effects, 'clock' | 'ids'>, conflicts: number): Promise<void> {
  const ms = ((1 + ids.random()) / 2) * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (conflicts - 1));
  const isLate = clock.now() + ms >= clock.deadline();
  if (isLate || conflicts >= MOST_CONFLICTS) throw new Unavailable('the budget is charged too often');
  await clock.sleep(ms);
}
