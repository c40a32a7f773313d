import { describe, expect, it } from 'vitest';
import { createCategoryFilters } from '../../../shared/campaigns/category.ts';
import { lexicon } from '../../../shared/catalog/lexicon.ts';
import { createCategories } from '../../../shared/exchange/categories.ts';

describe('The first tier of the default taxonomy', () => {
  const words = lexicon();
  const profile = { v: words.version, k: '', x: '', l: '', w: '' };
  const placed = words.topics.map((_, topic) => ({ placement: { ...profile, t: [topic, 100] }, categories: [] }));

  it('blocks every campaign that is answered with a category of it, for an exchange and for a key', () => {
    const categories = createCategories(words);
    const filterOf = createCategoryFilters(words);
    const answered = placed.flatMap((campaign) => {
      const [code] = categories.statedIn(campaign, 1).cat ?? [];
      return code ? [{ campaign, code, tier: code.split('-', 1)[0]! }] : [];
    });
    expect(answered.length).toBeGreaterThan(300);
    const blocks = (tier: string) => [categories.among([tier], 1), filterOf([tier])];
    const blockedBy = new Map(answered.map(({ tier }) => [tier, blocks(tier)] as const));
    const through = answered.filter(({ campaign, tier }) => !blockedBy.get(tier)!.every((isIn) => isIn(campaign)));
    expect(through.map(({ code }) => code)).toEqual([]);
  });

  it('is named by itself where it is read as words', () => {
    expect(createCategories(words).namesOf(['IAB7'], 1)).toEqual(['Healthy Living']);
  });
});
