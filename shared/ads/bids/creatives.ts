import type { Creative } from '../../campaigns/creative.ts';
import { findVersion } from '../../campaigns/creative-versions.ts';
import type { Effects } from '../../platform/effects.ts';
import { charactersOf, createKept } from '../../platform/values/cache.ts';
import type { Issued } from './bid.ts';

/** Creatives that an instance keeps, in characters: a thousand usual ones. */
const MAX_CACHED_CHARACTERS = 500_000;

/** A bid with the creative of its ad; undefined where its version is gone. */
type WithCreative = <B extends Issued>(bid: B) => Promise<(B & { creative: Creative }) | undefined>;

/**
 * Reads the creatives of ads that were handed out. A version never changes, so an instance reads it once; the oldest ones make room.
 * Records of the version before have their creative in them.
 */
export function createCreatives(effects: Pick<Effects, 'db' | 'clock'>): WithCreative {
  const known = createKept<string, Creative>(MAX_CACHED_CHARACTERS);

  return async (bid) => {
    const { campaignOwner, campaignId, creativeVersion } = bid;
    if (creativeVersion === undefined) return bid.creative && { ...bid, creative: bid.creative };
    const name = `${campaignId} ${creativeVersion}`;
    const kept = known.get(name);
    const creative = bid.creative ?? kept ?? (await findVersion(effects, campaignOwner, campaignId, creativeVersion));
    if (!creative) return undefined;
    if (!kept) known.keep(name, creative, charactersOf(creative));
    return { ...bid, creative };
  };
}
