import { describe, expect, it } from 'vitest';
import { getLexicon } from '../../../../shared/ads/catalog/lexicon.ts';
import { buildDraft } from '../../../../shared/ads/previews/draft.ts';
import { getReach } from '../../../../shared/ads/previews/reach.ts';
import { MatchIndex } from '../../../../shared/matching/index.ts';

interface Ad {
  name?: string;
  headline?: string;
  description?: string;
  keywords?: string[];
  excludedKeywords?: string[];
  languages?: string[];
}

const lexicon = getLexicon();

function getReachOf({ name = '', headline = '', description = '', ...targetAudience }: Ad) {
  const input = { name, targetAudience, creative: { headline, description } };
  const draft = buildDraft(lexicon, 'alice', input, undefined, 0);
  if (draft.outcome === 'invalid') throw new Error(JSON.stringify(draft.faults));
  return getReach(lexicon)(draft.campaign, draft.campaign.profile);
}

const suggest = (ad: Ad): string[] => getReachOf(ad).suggestions.map(({ keyword }) => keyword);

const MATTRESS = {
  headline: 'Wake up without back pain',
  description: 'A memory foam mattress, 100 nights at home.',
};
const VET = { headline: 'A vet who takes time', keywords: ['vet'] };
const MEALS = {
  headline: 'Dinner in 20 minutes',
  keywords: ['meal kit', 'recipe box'],
  excludedKeywords: ['dog food'],
};

describe('suggested keywords', () => {
  it.each<[string, Ad, string[]]>([
    ['running shoes', { keywords: ['running shoes'] }, ['trail running shoes', 'marathon']],
    ['a mattress', MATTRESS, ['memory foam mattress', 'back pain at night', 'mattress topper']],
    ['a tax adviser', { headline: 'Your tax return, by an expert', keywords: ['tax adviser'] }, ['tax return']],
    ['a language school', { headline: 'Speak Spanish with confidence' }, ['spanish lessons', 'spanish course']],
    ['a vet', VET, ['vet appointment', 'animal hospital']],
    ['a solar installer', { headline: 'Cut your power bill with solar' }, ['solar panels', 'home battery']],
    ['a CRM', { headline: 'The CRM your sales team will use', keywords: ['crm'] }, ['crm software', 'sales pipeline']],
    ['a campaign that only has a name', { name: 'Electric bikes' }, ['electric bicycle']],
  ])('fit %s', (_, ad, expected) => {
    expect(suggest(ad)).toEqual(expect.arrayContaining(expected));
  });

  it('are at most ten, none of them a keyword, an excluded one, or broader than a keyword', () => {
    const suggested = suggest(MEALS);
    expect(suggested.length).toBeGreaterThan(5);
    expect(suggested.length).toBeLessThanOrEqual(10);
    expect(new Set(suggested).size).toBe(suggested.length);
    for (const phrase of suggested) expect(phrase).not.toMatch(/^(meal kits?|meals?|recipe box|recipes?|kit|box)$/);
    const [first = ''] = suggested;
    expect(suggest({ ...MEALS, excludedKeywords: [first] })).not.toContain(first);
    expect(suggest({ ...MEALS, keywords: [...MEALS.keywords, first] })).not.toContain(first);
  });

  it('have the reach of the same keyword alone, and are the same for the same texts', () => {
    const { suggestions } = getReachOf(VET);
    expect(suggestions.some(({ conversations }) => conversations > 0)).toBe(true);
    for (const { keyword, conversations } of suggestions.slice(0, 2))
      expect(getReachOf({ keywords: [keyword], languages: ['en'] }).keywords).toMatchObject([{ conversations }]);
    expect(getReachOf(VET).suggestions).toEqual(suggestions);
  });

  it.each<[string, Ad]>([
    ['texts without a topic', { name: 'Zxq', headline: 'Qwrt zxcv', keywords: ['xylophonist'] }],
    ['an empty campaign', {}],
    ['a campaign in another language', { headline: 'Laufschuhe', keywords: ['laufschuhe'], languages: ['de'] }],
  ])('are missing for %s', (_, ad) => {
    expect(suggest(ad)).toEqual([]);
  });

  it('are never phrases that withhold ads', () => {
    const index = new MatchIndex(lexicon);
    for (const keyword of ['counselling', 'injury lawyer', 'debt help', 'anxiety therapy']) {
      const phrases = suggest({ keywords: [keyword] });
      expect(phrases.length, keyword).toBeGreaterThan(0);
      for (const content of phrases) {
        const { noBid } = index.match([{ role: 'user', content }], { bid: () => 1 });
        expect(noBid, content).not.toBe('sensitive_context');
      }
    }
  });
});
