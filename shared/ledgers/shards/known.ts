import { utcDay } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { remember } from '../../values/remember.ts';
import type { Balance } from '../balance.ts';

/** An opening that an instance knows of, with the balance as it was seen last. */
export interface OpenBudget {
  balance: Balance;
}

/** Budgets that an instance knows of at most. */
const MOST_KNOWN = 1_000;

export type KnownBudgets = ReturnType<typeof knownBudgets>;

/** The budgets that an instance knows to be open. */
export function knownBudgets({ clock }: Pick<Effects, 'clock'>) {
  const known = new Map<string, OpenBudget>();

  const isOpenToday = ({ phase, day }: Balance): boolean => phase === 'open' && day >= utcDay(clock.now());

  /** Takes note of a balance as it is now. @returns its opening, where it is open today */
  function learn(balance: Balance | undefined): OpenBudget | undefined {
    if (!balance) return undefined;
    const budget = known.get(balance.campaignId);
    if (!isOpenToday(balance)) {
      known.delete(balance.campaignId);
      return undefined;
    }
    if (budget?.balance.epoch === balance.epoch) return Object.assign(budget!, { balance });
    const opened = { balance };
    remember(known, balance.campaignId, opened, MOST_KNOWN);
    return opened;
  }

  return {
    learn,

    /** What was last seen of a budget, where that is open today. */
    find: (campaignId: string): OpenBudget | undefined => learn(known.get(campaignId)?.balance),

    /** Whether it was seen open, maybe on a day that is over. */
    has: (campaignId: string): boolean => known.has(campaignId),

    forget: (campaignId: string): void => void known.delete(campaignId),
  };
}
