import { utcDay } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Balance } from '../balance.ts';
import { rolled } from '../settlement.ts';
import { closeShards } from './close.ts';
import type { KnownBudgets, OpenBudget } from './known.ts';
import { balanceAfter, findBalance, openedOn, openInShards, widenShards } from './root.ts';
import { type ShardSizes, widthFor } from './sizes.ts';

/** Opens budgets, spreads them among more shards, and closes those that have had their day; what they are then is known. */
export function turningOver(
  effects: Pick<Effects, 'db' | 'clock' | 'config'>,
  { learn }: KnownBudgets,
  sizes: ShardSizes,
) {
  const { db, clock, config } = effects;

  /** How wide a closed balance may be opened now: as wide as it was the last time, or less where that is too much; 0 for not at all. */
  const widthNow = (balance: Balance, cost: number): number =>
    config.budgetShards && clock.now() >= (balance.heldUntil ?? 0)
      ? widthFor(balance, balance.width ?? 1, cost, sizes)
      : 0;

  return {
    /** Opens a budget that counts its day already. @returns its balance where it stays closed */
    async open(campaignId: string, cost: number): Promise<Balance | undefined> {
      const balance = await findBalance(db, campaignId);
      if (!balance || learn(balance) || balance.phase) return undefined;
      const isToday = balance.day >= utcDay(clock.now()) && balance.countDay === balance.day;
      const width = isToday ? widthNow(balance, cost) : 0;
      if (width === 0) return balance;
      learn(await balanceAfter(db, openInShards(balance, width)));
      return undefined;
    },

    /** Closes a budget whose day is over, or of which too little is left for its shards; and opens it at once, today or with fewer. */
    async turnOver(balance: Balance, cost: number): Promise<Balance> {
      const today = utcDay(clock.now());
      const next = (closed: Balance) => {
        const before = rolled(closed, today);
        const width = widthNow(before, cost);
        return width > 0 ? openedOn(today, closed, width) : closed;
      };
      const after = await closeShards(effects, balance, { next });
      if (config.budgetShards) learn(after);
      return after;
    },

    /** @returns what is known of it then; undefined where it is spread as widely as it can be */
    async widen({ balance }: OpenBudget, cost: number): Promise<OpenBudget | undefined> {
      const wider = 2 * (balance.width ?? 1);
      const isPossible = widthFor(balance, wider, cost, sizes) === wider;
      return isPossible ? learn(await balanceAfter(db, widenShards(balance, wider))) : undefined;
    },
  };
}
