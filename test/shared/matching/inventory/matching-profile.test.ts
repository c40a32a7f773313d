import { describe, expect, it } from 'vitest';
import { getLexicon as load } from '../../../../shared/ads/catalog/lexicon.ts';
import { buildMatchingProfile } from '../../../../shared/matching/index.ts';
import { audience, open, talk } from '../helpers.ts';

const lexicon = load();

describe('A keyword that is the name of a topic', () => {
  it.each(['home security', 'Hair Care', 'auto rentals', 'interior decorating', 'language learning'])(
    'has that topic: %s',
    (keyword) => {
      const [topic] = lexicon.topicsByName.get(keyword.toLowerCase())!;
      const { t } = buildMatchingProfile(audience([keyword]), lexicon);
      expect(t.filter((_, i) => i % 2 === 0)).toContain(topic);
    },
  );

  it('bids when other words mention that topic', () => {
    const index = open({ school: audience(['language learning']) });
    const { candidates } = index.match(talk("What's the best way to learn Spanish?"), { bid: () => 1_000_000 });
    expect(candidates[0]).toMatchObject({ id: 'school', outcome: 'match' });
  });
});
