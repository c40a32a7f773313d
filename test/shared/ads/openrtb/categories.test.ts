import { describe, expect, it } from 'vitest';
import { getLexicon } from '../../../../shared/ads/catalog/lexicon.ts';
import { createCategories } from '../../../../shared/ads/openrtb/categories.ts';
import { createCategoryFilters } from '../../../../shared/campaigns/category.ts';
import { MatchIndex } from '../../../../shared/matching/index.ts';
import { pairsOf1, pathsById } from '../../../../shared/platform/values/category-paths.ts';

describe('The first tier of the default taxonomy', () => {
  const lexicon = getLexicon();
  const profile = { v: lexicon.version, k: '', x: '', l: '', n: -1, w: '' };
  const campaigns = lexicon.topics.map((_, topic) => ({ profile: { ...profile, t: [topic, 100] }, categories: [] }));

  it('blocks every campaign whose category is below it, for exchanges and API keys', () => {
    const categories = createCategories(lexicon);
    const createFilter = createCategoryFilters(lexicon);
    const withCategory = campaigns.flatMap((campaign) => {
      const [code] = categories.statedIn(campaign, 1).cat ?? [];
      return code ? [{ campaign, code, tier: code.split('-', 1)[0]! }] : [];
    });
    expect(withCategory.length).toBeGreaterThan(300);
    const blocks = (tier: string) => [categories.among([tier], 1), createFilter([tier])];
    const blockedBy = new Map(withCategory.map(({ tier }) => [tier, blocks(tier)] as const));
    const missing = withCategory.filter(({ campaign, tier }) => !blockedBy.get(tier)!.every((isIn) => isIn(campaign)));
    expect(missing.map(({ code }) => code)).toEqual([]);
  });

  it('is read as words by its own name only', () => {
    expect(createCategories(lexicon).namesOf([{ id: 'IAB7', cattax: 1 }])).toEqual(['Healthy Living']);
  });

  it('finds the campaign of its topic or of a topic below it, like every other category, if the request states nothing else', () => {
    const categories = createCategories(lexicon);
    const about = (topic: number) =>
      ({ ...profile, n: -1, w: '', t: [topic, 100] }) satisfies Parameters<MatchIndex['set']>[1];
    const ids = [...pathsById().keys()].map((id) => ({ id, cattax: 9 }));
    const codes = [...pairsOf1().keys()].map((id) => ({ id, cattax: 1 }));
    const index = new MatchIndex(lexicon);
    const missed = [...ids, ...codes].filter((category) => {
      const topics = categories.topicsOf([category]);
      if (topics.length === 0) return false;
      index.set('a', about(topics.at(-1)!), 1_000_000);
      const content = categories.namesOf([category]).join(', ');
      return index.match([{ role: 'user', content, topics }], { bid: () => 1_000_000 }).noBid !== null;
    });
    // Their names read as a task or as code.
    expect(missed.map(({ id }) => id)).toEqual(['540', '623', 'IAB19-15']);
  });
});
