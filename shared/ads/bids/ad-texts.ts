import type { Biddable } from '../../campaigns/biddable.ts';
import { campaignKey, isCampaign } from '../../campaigns/items.ts';
import type { Effects } from '../../platform/effects.ts';
import type { AdText } from '../../platform/judge.ts';

/** Cached texts, about 300 bytes each. */
const MAX_TEXTS = 5_000;

/** Returns the ad texts of the campaigns, in the same order. */
export type ReadAdTexts = (campaigns: readonly Biddable[]) => Promise<AdText[]>;

/** Reads ad texts, once for each version of a campaign, because the catalog has no texts. */
export function createAdTextReader({ db }: Pick<Effects, 'db'>): ReadAdTexts {
  const cache = new Map<string, AdText>();
  const toCacheKey = ({ id, version }: Pick<Biddable, 'id' | 'version'>) => `${id} ${version}`;

  /** A campaign that was deleted since the auction keeps its name; its texts are empty. */
  return async (campaigns) => {
    let missing = campaigns.filter((campaign) => !cache.has(toCacheKey(campaign)));
    if (missing.length > 0) {
      if (cache.size + missing.length > MAX_TEXTS) {
        cache.clear();
        missing = [...campaigns]; // clearing the cache dropped all texts
      }
      const keys = missing.map(({ owner, id }) => campaignKey(owner, id));
      for (const item of (await db.getAll('campaigns', keys)).filter(isCampaign)) {
        const { name, creative } = item;
        cache.set(toCacheKey(item), { name, headline: creative.headline, description: creative.description });
      }
    }
    return campaigns.map((campaign) => {
      const { name } = campaign;
      return cache.get(toCacheKey(campaign)) ?? { name, headline: '', description: '' };
    });
  };
}
