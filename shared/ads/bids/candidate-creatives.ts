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
 * Reads the creative of a candidate, which the catalog does not contain, once for each version of a campaign. Undefined if it may no longer
 * be shown.
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
 * The candidate's creative in the stored campaign. Undefined if the campaign was deleted or may not show its creative, or if the landing
 * domain has changed: the auction checked the publisher's blocks against the old one.
 */
export const getCurrentCreative = ({ domain }: Biddable, stored: Campaign | undefined): ShownCreative | undefined =>
  stored && canShowCreative(stored) && getDomain(stored.creative.landingUrl) === domain
    ? getShownCreative(stored)
    : undefined;
