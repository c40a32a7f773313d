import { expect, it } from 'vitest';
import { createAdSlots } from '../../../../shared/ads/bids/ad-slots.ts';
import { getLexicon } from '../../../../shared/ads/catalog/lexicon.ts';
import { toBiddable } from '../../../../shared/campaigns/biddable.ts';
import { defaultSettings } from '../../../../shared/keys/key-settings.ts';
import { createBudgetService } from '../../../memory/service.ts';

it.each([
  ['nothing limits it', {}, {}, undefined],
  ['its publisher spaces ads', { turnSpacing: 3 }, {}, { turn: 1, turnSpacing: 3 }],
  ['its publisher bounds ads', { adsPerConversation: 2 }, {}, { turn: 1, adsPerConversation: 2 }],
])('stores only the conversation limits that apply in a bid: %s', async (_, limits, more, expected) => {
  const { effects, campaign } = createBudgetService(`place ${JSON.stringify(limits)}`);
  const settings = { ...defaultSettings, turnSpacing: 0, adsPerConversation: null, ...limits };
  const key = { id: 'key', owner: 'publisher', mode: 'live' } as const;
  const messages = [{ role: 'user', content: 'shoes' }] as const;
  const place = await createAdSlots(effects, getLexicon()).find(key, settings, { id: 'chat' }, messages);
  const terms = place.getConversationTerms(toBiddable(await campaign(more)));
  expect(terms).toEqual(expected && { hash: expect.any(String), ...expected });
});

it('excludes blocked campaigns, and has room for at most the requested number of ads', async () => {
  const { effects, campaign } = createBudgetService('blocked place');
  const shoes = toBiddable(await campaign());
  const settings = { ...defaultSettings, turnSpacing: 0, adsPerConversation: 5 };
  const key = { id: 'key', owner: 'publisher', mode: 'live' } as const;
  const placeOf = (more: object) =>
    createAdSlots(effects, getLexicon()).find(key, { ...settings, ...more }, { id: 'chat' }, []);
  expect((await placeOf({})).getExclusion(shoes)).toBeNull();
  expect((await placeOf({ blockedDomains: [shoes.domain] })).getExclusion(shoes)).toBe('blocked');
  expect([2, 9].map((await placeOf({})).countRoom)).toEqual([2, 5]);
});
