import { utcDay } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { remember } from '../../platform/values/cache.ts';
import type { Balance } from '../balance.ts';

/** An opening that this instance knows of, with the balance as it was last seen. */
export interface Opening {
  balance: Balance;
}

/** The most openings that an instance knows of. */
const MAX_OPENINGS = 1_000;

/** The openings that an instance knows of. */
export function createOpeningCache({ clock }: Pick<Effects, 'clock'>) {
  const known = new Map<string, Opening>();

  const isOpenToday = ({ phase, day }: Balance): boolean => phase === 'open' && day >= utcDay(clock.now());

  /** Takes note of a balance as it is now. @returns its opening, if it is open today */
  function learn(balance: Balance | undefined): Opening | undefined {
    if (!balance) return undefined;
    const opening = known.get(balance.campaignId);
    if (!isOpenToday(balance)) {
      known.delete(balance.campaignId);
      return undefined;
    }
    if (opening?.balance.epoch === balance.epoch) return Object.assign(opening!, { balance });
    const opened = { balance };
    remember(known, balance.campaignId, opened, MAX_OPENINGS);
    return opened;
  }

  return {
    learn,

    /** The opening of a campaign's balance that was last seen, if it is open today. */
    find: (campaignId: string): Opening | undefined => learn(known.get(campaignId)?.balance),

    /** Whether the balance was seen open, possibly on a day that is over. */
    has: (campaignId: string): boolean => known.has(campaignId),

    forget: (campaignId: string): void => void known.delete(campaignId),
  };
}
