import type { Creative } from '../../campaigns/creative.ts';
import { findVersion } from '../../campaigns/creative-versions.ts';
import type { Effects } from '../../platform/effects.ts';
import { countCharacters, createKept } from '../../platform/values/cache.ts';
import type { Issued } from './bid.ts';

/** Size of the cache: about a thousand creatives. */
const MAX_CACHED_CHARACTERS = 500_000;

/** Adds the ad's creative to a bid; undefined if the creative version no longer exists. */
type WithCreative = <B extends Issued>(bid: B) => Promise<(B & { creative: Creative }) | undefined>;

/**
 * Reads the creatives of ads. A creative version never changes, so it is cached. Older records contain their creative.
 */
export function createCreatives(effects: Pick<Effects, 'db' | 'clock'>): WithCreative {
  const cache = createKept<string, Creative>(MAX_CACHED_CHARACTERS);

  return async (bid) => {
    const { campaignOwner, campaignId, creativeVersion } = bid;
    if (creativeVersion === undefined) return bid.creative && { ...bid, creative: bid.creative };
    const name = `${campaignId} ${creativeVersion}`;
    const cached = cache.get(name);
    const creative = bid.creative ?? cached ?? (await findVersion(effects, campaignOwner, campaignId, creativeVersion));
    if (!creative) return undefined;
    if (!cached) cache.keep(name, creative, countCharacters(creative));
    return { ...bid, creative };
  };
}
