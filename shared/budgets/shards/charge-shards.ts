import { utcDay } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import { type Balance, findBalance, getGranted, rollOver, writeBalance } from '../balance.ts';
import { assertConserved, assertOpening, assertShard } from '../invariants.ts';
import { closeShards } from './close-shards.ts';
import { createOpeningCache, type Opening } from './opening-cache.ts';
import {
  type BudgetShard,
  chooseWidth,
  creditShard,
  grantSize,
  grantToShard,
  isShard,
  openForDay,
  openShards,
  SHARD_SIZES,
  type ShardId,
  type ShardSizes,
  widenShards,
} from './shard.ts';

/** A shard to charge. */
export interface PickedShard extends ShardId {
  day: string;
  opening: Opening;
}

/** Conflicts of one charge before its request is told to come again, if no deadline says so earlier. */
const MAX_CONFLICTS = 100;
/** Conflicts of one charge from which on more shards are worth their grants. Ten wins a second cause two by chance. */
const WIDEN_AFTER_CONFLICTS = 3;
/** Bounds of the pauses after a conflict. Each pause is at least half of its bound, because a transaction may hold the item for 8 ms more. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [16, 500];

/** Opens, grants, widens and closes shards, as charges need it. */
export function createShards(
  effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>,
  sizes: ShardSizes = SHARD_SIZES,
) {
  const { db, clock, ids, config } = effects;
  const known = createOpeningCache(effects);
  /**
   * Which of the shards this instance charges, as a fraction of their number. It stays the same until the instance meets another one there,
   * so that in the end each has its own.
   */
  let fraction = ids.random();

  /** How many shards a closed balance may be opened in now: as many as last time, or fewer where grants would be too small; 0 for none. */
  const widthNow = (balance: Balance, cost: number): number =>
    config.budgetShards && clock.now() >= (balance.heldUntil ?? 0)
      ? chooseWidth(balance, balance.width ?? 1, cost, sizes)
      : 0;

  /** Opens a balance that counts its day already. @returns it if it stays closed */
  async function open(campaignId: string, cost: number): Promise<Balance | undefined> {
    const balance = await findBalance(db, campaignId);
    if (!balance || known.learn(balance) || balance.phase) return undefined;
    const isToday = balance.day >= utcDay(clock.now()) && balance.countDay === balance.day;
    const width = isToday ? widthNow(balance, cost) : 0;
    if (width === 0) return balance;
    known.learn(await writeBalance(db, openShards(balance, width), assertOpening));
    return undefined;
  }

  /** Closes a balance whose day is over or whose rest is too small for its shards, and opens it at once, on the new day or with fewer. */
  async function reopen(balance: Balance, cost: number): Promise<Balance> {
    const today = utcDay(clock.now());
    const next = (closed: Balance) => {
      const width = widthNow(rollOver(closed, today), cost);
      return width > 0 ? openForDay(today, closed, width) : closed;
    };
    const after = await closeShards(effects, balance, { next });
    if (config.budgetShards) known.learn(after);
    return after;
  }

  /** Doubles the number of shards. @returns the opening then; undefined if it has as many as it can have */
  async function widen({ balance }: Opening, cost: number): Promise<Opening | undefined> {
    const wider = 2 * (balance.width ?? 1);
    if (chooseWidth(balance, wider, cost, sizes) !== wider) return undefined;
    const write = widenShards(balance, wider);
    return known.learn(await writeBalance(db, write, (after) => assertConserved(balance, after)));
  }

  return {
    /** The shard that this instance charges; undefined if the balance is to be charged. */
    pick(campaignId: string): PickedShard | undefined {
      const opening = known.find(campaignId);
      if (!opening) return undefined;
      const { epoch = 0, day, width = 1 } = opening.balance;
      return { campaignId, epoch, day, opening, shard: Math.floor(fraction * width) };
    },

    /**
     * Goes on after a balance has refused a charge. If it is open today, its shards are charged from now on; if it is open on another day, it
     * is closed.
     * @returns the balance when no shard is open
     */
    async enter(balance: Balance, cost: number): Promise<Balance | undefined> {
      if (!balance.phase) return balance;
      if (config.budgetShards && known.learn(balance)) return undefined;
      const after = await reopen(balance, cost);
      return after.phase ? undefined : after;
    },

    /**
     * Goes on after a shard could not pay. It is granted more, or the balance is closed if too little is left. A grant that somebody has left
     * half done is finished first. A closed shard is no longer charged.
     * @param found the shard, if it exists
     */
    async refill({ opening, ...place }: PickedShard, found: BudgetShard | undefined, cost: number): Promise<void> {
      const { campaignId, epoch, shard } = place;
      if (found?.closed) return known.forget(campaignId);
      const arrived = found?.granted ?? 0;
      for (let { balance } = opening; ; ) {
        const granted = getGranted(balance, shard);
        if (granted > arrived) return credit(place, arrived, granted);
        const amount = grantSize(balance, balance.width ?? 1, cost, sizes);
        if (amount < cost) return void (await reopen(balance, cost));
        const before = balance;
        const write = grantToShard(place, arrived, amount);
        const now = known.learn(await writeBalance(db, write, (after) => assertConserved(before, after)));
        if (now?.balance.epoch !== epoch) return;
        balance = now.balance;
      }
    },

    /**
     * Goes on after a conflict with another charge: with another shard, with more of them, or after a pause.
     * @param conflicts of this charge so far
     * @returns the balance, if it was read and no shard is open
     */
    async afterConflict(
      campaignId: string,
      picked: PickedShard | undefined,
      cost: number,
      conflicts: number,
    ): Promise<Balance | undefined> {
      fraction = ids.random();
      const isTooMany = conflicts >= WIDEN_AFTER_CONFLICTS;
      if (isTooMany && picked && (await widen(picked.opening, cost))) return undefined;
      const balance = isTooMany && !picked ? await open(campaignId, cost) : undefined;
      if (balance || !known.has(campaignId) || picked) await pause(effects, conflicts);
      return balance;
    },
  };

  async function credit(id: ShardId, arrived: number, granted: number): Promise<void> {
    const written = await db.write(creditShard(id, arrived, granted), 'new');
    if (written.ok && isShard(written.item)) assertShard(written.item, granted);
  }
}

async function pause({ clock, ids }: Pick<Effects, 'clock' | 'ids'>, conflicts: number): Promise<void> {
  const ms = ((1 + ids.random()) / 2) * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (conflicts - 1));
  const isLate = clock.now() + ms >= clock.deadline();
  if (isLate || conflicts >= MAX_CONFLICTS) throw new Unavailable('the budget is charged too often');
  await clock.sleep(ms);
}
