import type { Biddable } from '../campaigns/biddable.ts';
import { type ShownCreative, shownCreative } from '../campaigns/creative-versions.ts';
import { findCampaign } from '../campaigns/find.ts';
import type { Effects } from '../platform/effects.ts';
import { charactersOf, createKept } from '../values/kept.ts';

/** Creatives that an instance keeps, in characters: those of a thousand usual candidates. */
const MOST_KEPT_CHARACTERS = 500_000;

/**
 * What candidates would show; the catalog does not have it. An instance reads it once for each version of a campaign. undefined where the
 * campaign was deleted since the catalog was made, or its landing page taken away.
 */
export function candidateCreatives(effects: Pick<Effects, 'db' | 'clock'>) {
  const known = createKept<string, ShownCreative>(MOST_KEPT_CHARACTERS);

  return async ({ id, owner, version }: Biddable): Promise<ShownCreative | undefined> => {
    const name = `${id} ${version}`;
    const kept = known.get(name);
    if (kept) return kept;
    const campaign = await findCampaign(effects, owner, id);
    if (!campaign?.creative.landingUrl) return undefined;
    const shown = shownCreative(campaign);
    known.keep(name, shown, charactersOf(shown));
    return shown;
  };
}
