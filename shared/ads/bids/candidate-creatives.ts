import type { Biddable } from '../../campaigns/biddable.ts';
import type { Campaign } from '../../campaigns/campaign.ts';
import { canShowCreative, getShownCreative, type ShownCreative } from '../../campaigns/creative-versions.ts';
import { findCampaign } from '../../campaigns/find.ts';
import type { Effects } from '../../platform/effects.ts';
import { countCharacters, createKept } from '../../platform/values/cache.ts';
import { getDomain } from '../../platform/values/urls.ts';

/** Size of the cache: about a thousand creatives. */
const MAX_CACHED_CHARACTERS = 500_000;

/**
 * Reads a candidate's creative, once for each version of a campaign, because the catalog has no creatives. Undefined if it may no longer be
 * shown.
 */
export function createCandidateCreatives(effects: Pick<Effects, 'db' | 'clock'>) {
  const cache = createKept<string, ShownCreative>(MAX_CACHED_CHARACTERS);

  return async (candidate: Biddable): Promise<ShownCreative | undefined> => {
    const { id, owner, version } = candidate;
    const name = `${id} ${version}`;
    const cached = cache.get(name);
    if (cached) return cached;
    const shown = getCurrentCreative(candidate, await findCampaign(effects, owner, id));
    if (shown) cache.keep(name, shown, countCharacters(shown));
    return shown;
  };
}

/**
 * The candidate's creative in the stored campaign. Undefined if the campaign was deleted, may not show its creative, or has a new landing
 * domain: the auction checked the publisher's blocks against the old domain.
 */
export const getCurrentCreative = ({ domain }: Biddable, stored: Campaign | undefined): ShownCreative | undefined =>
  stored && canShowCreative(stored) && getDomain(stored.creative.landingUrl) === domain
    ? getShownCreative(stored)
    : undefined;
