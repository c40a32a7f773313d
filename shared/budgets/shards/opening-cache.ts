import { utcDay } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { remember } from '../../platform/values/cache.ts';
import type { Balance } from '../balance.ts';

/** An opening known to this instance, with the balance as last seen. */
export interface Opening {
  balance: Balance;
}

const MAX_OPENINGS = 1_000;

/** Caches the openings that this instance has seen. */
export function createOpeningCache({ clock }: Pick<Effects, 'clock'>) {
  const openings = new Map<string, Opening>();

  const isOpenToday = ({ phase, day }: Balance): boolean => phase === 'open' && day >= utcDay(clock.now());

  /** Stores the current balance. @returns its opening, if it is open today */
  function update(balance: Balance | undefined): Opening | undefined {
    if (!balance) return undefined;
    const opening = openings.get(balance.campaignId);
    if (!isOpenToday(balance)) {
      openings.delete(balance.campaignId);
      return undefined;
    }
    if (opening?.balance.epoch === balance.epoch) return Object.assign(opening!, { balance });
    const opened = { balance };
    remember(openings, balance.campaignId, opened, MAX_OPENINGS);
    return opened;
  }

  return {
    update,

    /** The last seen opening of a campaign's balance, if it is open today. */
    find: (campaignId: string): Opening | undefined => update(openings.get(campaignId)?.balance),

    /** Whether the balance was last seen open, even if that day has ended. */
    has: (campaignId: string): boolean => openings.has(campaignId),

    forget: (campaignId: string): void => void openings.delete(campaignId),
  };
}
