import type { Biddable } from '../../campaigns/biddable.ts';
import type { Campaign } from '../../campaigns/campaign.ts';
import { canShowCreative, getShownCreative, type ShownCreative } from '../../campaigns/creative-versions.ts';
import { findCampaign } from '../../campaigns/find.ts';
import type { Effects } from '../../platform/effects.ts';
import { charactersOf, createKept } from '../../platform/values/cache.ts';
import { domainOf } from '../../platform/values/urls.ts';

/** Creatives that an instance keeps, in characters: those of a thousand usual candidates. */
const MAX_CACHED_CHARACTERS = 500_000;

/**
 * What candidates would show; the catalog does not have it. An instance reads it once for each version of a campaign. undefined where it may not
 * be shown by now.
 */
export function createCandidateCreatives(effects: Pick<Effects, 'db' | 'clock'>) {
  const known = createKept<string, ShownCreative>(MAX_CACHED_CHARACTERS);

  return async (candidate: Biddable): Promise<ShownCreative | undefined> => {
    const { id, owner, version } = candidate;
    const name = `${id} ${version}`;
    const kept = known.get(name);
    if (kept) return kept;
    const shown = getCurrentCreative(candidate, await findCampaign(effects, owner, id));
    if (shown) known.keep(name, shown, charactersOf(shown));
    return shown;
  };
}

/**
 * What a candidate would show, as its campaign is stored by now; undefined where it may not: deleted since the catalog was made, its landing page
 * taken away, its creative changed to one that fails its review, or that leads to a domain which nobody has compared with what is blocked.
 */
export const getCurrentCreative = ({ domain }: Biddable, stored: Campaign | undefined): ShownCreative | undefined =>
  stored && canShowCreative(stored) && domainOf(stored.creative.landingUrl) === domain
    ? getShownCreative(stored)
    : undefined;
