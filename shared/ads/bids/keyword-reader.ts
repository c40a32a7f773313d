import type { Biddable } from '../../campaigns/biddable.ts';
import { campaignKey, isCampaign } from '../../campaigns/items.ts';
import type { Effects } from '../../platform/effects.ts';
import { unlessUnavailable } from '../../platform/unavailable.ts';
import { charactersOf, createKept } from '../../platform/values/cache.ts';
import type { Auction } from '../auction/auction.ts';
import { type GetKeywords, getShownCandidates } from '../auction/present.ts';

/** Keywords that an instance keeps, in characters: those of a thousand usual campaigns. */
const MAX_CACHED_CHARACTERS = 500_000;
/** How long an explanation may wait for the store: its bid must not be late for it. */
const READ_LIMIT_MS = 150;

const toCacheKey = ({ id, version }: Pick<Biddable, 'id' | 'version'>): string => `${id} ${version}`;

/**
 * Reads the keywords of the candidates that an explanation names. The catalog knows keywords by number alone, because a hundred thousand
 * campaigns' texts would take memory that no match needs. A campaign that was changed since the auction has other numbers: its keywords are
 * left out, and so are all that the store does not give in time.
 */
export function createKeywordReader({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const kept = createKept<string, readonly string[]>(MAX_CACHED_CHARACTERS);

  return async (auctions: readonly Pick<Auction, 'candidates'>[]): Promise<GetKeywords> => {
    const known = new Map<string, readonly string[]>();
    const missing = new Map<string, Biddable>();
    for (const { campaign, matched } of auctions.flatMap(getShownCandidates)) {
      if (!matched.some(({ kind }) => kind === 'keyword')) continue;
      const keywords = kept.get(toCacheKey(campaign));
      if (keywords) known.set(toCacheKey(campaign), keywords);
      else missing.set(campaign.id, campaign);
    }
    const keys = [...missing.values()].map(({ owner, id }) => campaignKey(owner, id));
    const until = Math.min(clock.deadline(), clock.now() + READ_LIMIT_MS);
    const read = () => db.getAll('campaigns', keys);
    const items = keys.length === 0 ? [] : ((await clock.within(until, read).catch(unlessUnavailable)) ?? []);
    for (const item of items.filter(isCampaign)) {
      const { keywords } = item.targetAudience;
      known.set(toCacheKey(item), keywords);
      kept.keep(toCacheKey(item), keywords, charactersOf(keywords));
    }
    return (campaign) => known.get(toCacheKey(campaign));
  };
}
