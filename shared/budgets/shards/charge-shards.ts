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

/** After this many conflicts, a charge fails as unavailable, unless the deadline of its request comes first. */
const MAX_CONFLICTS = 100;
/**
 * After this many conflicts of one charge, more shards are worth the cost of their grants. At ten wins per second, two conflicts happen by
 * chance.
 */
const WIDEN_AFTER_CONFLICTS = 3;
/** Bounds of the pause after a conflict. A pause is at least half of its bound, because a transaction may lock the item for another 8 ms. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [16, 500];

/** Opens, refills, widens, and closes shards as charges require. */
export function createShards(
  effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>,
  sizes: ShardSizes = SHARD_SIZES,
) {
  const { db, clock, ids, config } = effects;
  const openings = createOpeningCache(effects);
  /**
   * The shard that this instance charges, as a fraction of the number of shards. It changes only after a conflict with another instance, so
   * instances settle on different shards.
   */
  let fraction = ids.random();

  /**
   * The number of shards with which to open a closed balance now: as many as last time, or fewer if grants would be too small; 0 to keep it
   * closed.
   */
  const getOpeningWidth = (balance: Balance, cost: number): number =>
    config.budgetShards && clock.now() >= (balance.heldUntil ?? 0)
      ? chooseWidth(balance, balance.width ?? 1, cost, sizes)
      : 0;

  /** Opens a balance that already counts its day. @returns the balance, if it stays closed */
  async function open(campaignId: string, cost: number): Promise<Balance | undefined> {
    const balance = await findBalance(db, campaignId);
    if (!balance || openings.update(balance) || balance.phase) return undefined;
    const isToday = balance.day >= utcDay(clock.now()) && balance.countDay === balance.day;
    const width = isToday ? getOpeningWidth(balance, cost) : 0;
    if (width === 0) return balance;
    openings.update(await writeBalance(db, openShards(balance, width), assertOpening));
    return undefined;
  }

  /**
   * Closes a balance if its day has ended or its remainder is too small for its shards. Opens it in the same write if it can have shards
   * today.
   */
  async function reopen(balance: Balance, cost: number): Promise<Balance> {
    const today = utcDay(clock.now());
    const next = (closed: Balance) => {
      const width = getOpeningWidth(rollOver(closed, today), cost);
      return width > 0 ? openForDay(today, closed, width) : closed;
    };
    const after = await closeShards(effects, balance, { next });
    if (config.budgetShards) openings.update(after);
    return after;
  }

  /** Doubles the number of shards. @returns the new opening; undefined if no more shards are possible */
  async function widen({ balance }: Opening, cost: number): Promise<Opening | undefined> {
    const wider = 2 * (balance.width ?? 1);
    if (chooseWidth(balance, wider, cost, sizes) !== wider) return undefined;
    const write = widenShards(balance, wider);
    return openings.update(await writeBalance(db, write, (after) => assertConserved(balance, after)));
  }

  return {
    /** The shard that this instance charges; undefined if it must charge the balance. */
    pick(campaignId: string): PickedShard | undefined {
      const opening = openings.find(campaignId);
      if (!opening) return undefined;
      const { epoch = 0, day, width = 1 } = opening.balance;
      return { campaignId, epoch, day, opening, shard: Math.floor(fraction * width) };
    },

    /**
     * Continues after a charge of the balance failed. If the balance is open today, its shards are charged from now on. If it is open on
     * another day, it is closed.
     * @returns the balance, if no shard is open
     */
    async enter(balance: Balance, cost: number): Promise<Balance | undefined> {
      if (!balance.phase) return balance;
      if (config.budgetShards && openings.update(balance)) return undefined;
      const after = await reopen(balance, cost);
      return after.phase ? undefined : after;
    },

    /**
     * Continues after a shard could not pay: grants more to it, or closes the balance if too little remains. First completes a grant that
     * another caller left unfinished. Stops using a closed shard.
     * @param found the shard, if it exists
     */
    async refill({ opening, ...id }: PickedShard, found: BudgetShard | undefined, cost: number): Promise<void> {
      const { campaignId, epoch, shard } = id;
      if (found?.closed) return openings.forget(campaignId);
      const arrived = found?.granted ?? 0;
      for (let { balance } = opening; ; ) {
        const granted = getGranted(balance, shard);
        if (granted > arrived) return credit(effects, id, arrived, granted);
        const amount = grantSize(balance, balance.width ?? 1, cost, sizes);
        if (amount < cost) return void (await reopen(balance, cost));
        const before = balance;
        const write = grantToShard(id, arrived, amount);
        const current = openings.update(await writeBalance(db, write, (after) => assertConserved(before, after)));
        if (current?.balance.epoch !== epoch) return;
        balance = current.balance;
      }
    },

    /**
     * Continues after a conflict with another charge: picks another shard, opens or adds shards, or pauses.
     * @param conflicts number of conflicts of this charge so far
     * @returns the balance, if it was read and no shard is open
     */
    async afterConflict(
      campaignId: string,
      picked: PickedShard | undefined,
      cost: number,
      conflicts: number,
    ): Promise<Balance | undefined> {
      fraction = ids.random();
      const needsShards = conflicts >= WIDEN_AFTER_CONFLICTS;
      if (needsShards && picked && (await widen(picked.opening, cost))) return undefined;
      const balance = needsShards && !picked ? await open(campaignId, cost) : undefined;
      if (balance || !openings.has(campaignId) || picked) await pause(effects, conflicts);
      return balance;
    },
  };
}

/** Credits a grant to its shard. Ignores a failed condition: another caller credited the grant, or the shard is closed. */
async function credit({ db }: Pick<Effects, 'db'>, id: ShardId, arrived: number, granted: number): Promise<void> {
  const written = await db.write(creditShard(id, arrived, granted), 'new');
  if (written.ok && isShard(written.item)) assertShard(written.item, granted);
}

async function pause({ clock, ids }: Pick<Effects, 'clock' | 'ids'>, conflicts: number): Promise<void> {
  const ms = ((1 + ids.random()) / 2) * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (conflicts - 1));
  const isPastDeadline = clock.now() + ms >= clock.deadline();
  if (isPastDeadline || conflicts >= MAX_CONFLICTS) throw new Unavailable('the budget is charged too often');
  await clock.sleep(ms);
}
