import { describe, expect, it } from 'vitest';
import { getLexicon } from '../../../../shared/ads/catalog/lexicon.ts';
import { createCategories } from '../../../../shared/ads/openrtb/categories.ts';
import { createCategoryFilters } from '../../../../shared/campaigns/category.ts';
import { MatchIndex } from '../../../../shared/matching/index.ts';
import { pairsOf1, pathsById } from '../../../../shared/platform/values/category-paths.ts';

describe('The first tier of the default taxonomy', () => {
  const words = getLexicon();
  const profile = { v: words.version, k: '', x: '', l: '', w: '' };
  const placed = words.topics.map((_, topic) => ({ profile: { ...profile, t: [topic, 100] }, categories: [] }));

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
    expect(createCategories(words).namesOf([{ id: 'IAB7', cattax: 1 }])).toEqual(['Healthy Living']);
  });

  it('brings, where nothing else is known, the campaign that stands for it or for what is below it, and so does every other category', () => {
    const categories = createCategories(words);
    const about = (topic: number) =>
      ({ ...profile, w: '', t: [topic, 100] }) satisfies Parameters<MatchIndex['set']>[1];
    const ids = [...pathsById().keys()].map((id) => ({ id, cattax: 9 }));
    const codes = [...pairsOf1().keys()].map((id) => ({ id, cattax: 1 }));
    const index = new MatchIndex(words);
    const missed = [...ids, ...codes].filter((said) => {
      const topics = categories.topicsOf([said]);
      if (topics.length === 0) return false;
      index.set('a', about(topics.at(-1)!), 1_000_000);
      const content = categories.namesOf([said]).join(', ');
      return index.match([{ role: 'user', content, topics }], { bid: () => 1_000_000 }).noBid !== null;
    });
    // Whose names alone read as a task or as code.
    expect(missed.map(({ id }) => id)).toEqual(['540', '623', 'IAB19-15']);
  });
});
