import type { Biddable } from '../../campaigns/biddable.ts';
import { campaignKey, isCampaign } from '../../campaigns/items.ts';
import type { Effects } from '../../platform/effects.ts';
import { unlessUnavailable } from '../../platform/unavailable.ts';
import { countCharacters, createKept } from '../../platform/values/cache.ts';
import type { Auction } from '../auction/auction.ts';
import { type GetKeywords, getShownCandidates } from '../auction/present.ts';

/** Size of the cache: the keywords of about a thousand campaigns. */
const MAX_CACHED_CHARACTERS = 500_000;
/** An explanation must not delay its bid for longer. */
const READ_LIMIT_MS = 150;

const toCacheKey = ({ id, version }: Pick<Biddable, 'id' | 'version'>): string => `${id} ${version}`;

/**
 * Reads the keywords of the explained candidates. The catalog contains only keyword indexes: the texts of a hundred thousand campaigns
 * would take memory that matching does not need. Omits the keywords of campaigns that changed since the auction (their indexes differ) and
 * those that the store does not return in time.
 */
export function createKeywordReader({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const cache = createKept<string, readonly string[]>(MAX_CACHED_CHARACTERS);

  return async (auctions: readonly Pick<Auction, 'candidates'>[]): Promise<GetKeywords> => {
    const keywordsByVersion = new Map<string, readonly string[]>();
    const missing = new Map<string, Biddable>();
    for (const { campaign, matched } of auctions.flatMap(getShownCandidates)) {
      if (!matched.some(({ kind }) => kind === 'keyword')) continue;
      const keywords = cache.get(toCacheKey(campaign));
      if (keywords) keywordsByVersion.set(toCacheKey(campaign), keywords);
      else missing.set(campaign.id, campaign);
    }
    const keys = [...missing.values()].map(({ owner, id }) => campaignKey(owner, id));
    const until = Math.min(clock.deadline(), clock.now() + READ_LIMIT_MS);
    const read = () => db.getAll('campaigns', keys);
    const items = keys.length === 0 ? [] : ((await clock.within(until, read).catch(unlessUnavailable)) ?? []);
    for (const item of items.filter(isCampaign)) {
      const { keywords } = item.targetAudience;
      keywordsByVersion.set(toCacheKey(item), keywords);
      cache.keep(toCacheKey(item), keywords, countCharacters(keywords));
    }
    return (campaign) => keywordsByVersion.get(toCacheKey(campaign));
  };
}
