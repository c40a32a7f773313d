import { describe, expect, it } from 'vitest';
import { createServing } from '../../../../shared/ads/bids/serve.ts';
import { toServedTerms, toTerms } from '../../../../shared/ads/bids/terms.ts';
import { EMPTY_TARGET_AUDIENCE } from '../../../../shared/campaigns/campaign.ts';
import type { MatchedTerm } from '../../../../shared/matching/index.ts';
import { createBudgetService } from '../../../memory/service.ts';

const said = { message: 0, positions: [{ start: 0, end: 5 }] };
const MATCHED: MatchedTerm[] = [
  { kind: 'keyword', keyword: 1, ...said },
  { kind: 'phrase', term: 'book flight', ...said },
  { kind: 'topic', term: 'Air Travel', ...said },
];
const campaign = (keywords: string[], version = 7) => ({
  version,
  targetAudience: { ...EMPTY_TARGET_AUDIENCE, keywords },
});
const bid = { ...toTerms(MATCHED), campaignVersion: 7 };

describe('The terms of a bid', () => {
  it('are numbers of keywords and texts of the lexicon, and no positions', () => {
    expect(toTerms(MATCHED)).toEqual({ keywords: [1], terms: { phrases: ['book flight', 'Air Travel'] } });
    expect(toTerms([])).toEqual({ terms: {} });
  });

  it('have the keywords as their advertiser spells them once the ad is served', () => {
    expect(toServedTerms(bid, campaign(['flights', 'Cheap  AIRFARE!']))).toEqual({
      keywords: ['Cheap  AIRFARE!'],
      phrases: ['book flight', 'Air Travel'],
    });
  });

  it('have no keywords where the campaign was changed since: the number may mean another one', () => {
    expect(toServedTerms(bid, campaign(['flights', 'hotels'], 8))).toEqual({ phrases: ['book flight', 'Air Travel'] });
  });

  it('take 150 bytes at most, keywords first', () => {
    const long = 'ü'.repeat(70);
    expect(toServedTerms(bid, campaign(['', long]))).toEqual({ keywords: [long] });
    const exact = 'ü'.repeat(75);
    expect(toServedTerms(bid, campaign(['', exact]))).toEqual({ keywords: [exact] });
    const { terms } = toTerms([{ kind: 'phrase', term: long, ...said }, ...MATCHED]);
    expect(terms).toEqual({ phrases: [long] });
  });

  it('of the previous version, which were cut from the conversation, are gone once the ad is served', async () => {
    const { effects, ...service } = createBudgetService('terms');
    const made = await service.campaign();
    const { id } = await service.bid(made, 4, { terms: ['running shoes kowalska 48601234567'] });
    const issued = (await effects.db.get('bids', { id }))!;
    expect((await createServing(effects)(issued)).outcome).toBe('served');
    const served = (await effects.db.get('bids', { id }))!;
    expect(served).toMatchObject({ state: 'served', terms: {} });
    expect(JSON.stringify(served)).not.toContain('kowalska');
  });
});
