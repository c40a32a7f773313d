import type { Biddable } from '../../campaigns/biddable.ts';
import { campaignKey, isCampaign } from '../../campaigns/items.ts';
import type { Effects } from '../../platform/effects.ts';
import type { AdText } from '../../platform/judge.ts';

/** Texts that are kept in memory: some 300 bytes each. */
const MAX_TEXTS = 5_000;

/** The texts of these campaigns, in their order. */
export type ReadAdTexts = (campaigns: readonly Biddable[]) => Promise<AdText[]>;

/** What the ads of campaigns say. The catalog does not have their texts; they are read once for each version of a campaign. */
export function createAdTextReader({ db }: Pick<Effects, 'db'>): ReadAdTexts {
  const known = new Map<string, AdText>();
  const toCacheKey = ({ id, version }: Pick<Biddable, 'id' | 'version'>) => `${id} ${version}`;

  /** One that was deleted meanwhile has its name alone. */
  return async (campaigns) => {
    let missing = campaigns.filter((campaign) => !known.has(toCacheKey(campaign)));
    if (missing.length > 0) {
      if (known.size + missing.length > MAX_TEXTS) {
        known.clear();
        missing = [...campaigns]; // those that were known are forgotten too, and would be judged without their texts
      }
      const keys = missing.map(({ owner, id }) => campaignKey(owner, id));
      for (const item of (await db.getAll('campaigns', keys)).filter(isCampaign)) {
        const { name, creative } = item;
        known.set(toCacheKey(item), { name, headline: creative.headline, description: creative.description });
      }
    }
    return campaigns.map((campaign) => {
      const { name } = campaign;
      return known.get(toCacheKey(campaign)) ?? { name, headline: '', description: '' };
    });
  };
}
