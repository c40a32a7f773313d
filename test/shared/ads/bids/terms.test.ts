import { describe, expect, it } from 'vitest';
import { createServing } from '../../../../shared/ads/bids/serve.ts';
import { toServedTerms, toTerms } from '../../../../shared/ads/bids/terms.ts';
import { EMPTY_TARGET_AUDIENCE } from '../../../../shared/campaigns/campaign.ts';
import type { MatchedTerm } from '../../../../shared/matching/index.ts';
import { createBudgetService } from '../../../memory/service.ts';

const said = { message: 0, positions: [{ start: 0, end: 5 }] };
const MATCHED: MatchedTerm[] = [
  { kind: 'keyword', keyword: 1, ...said },
  { kind: 'phrase', term: 'book flight', topics: ['Travel > Travel Type > Air Travel'], ...said },
  { kind: 'topic', term: 'Air Travel', ...said },
];
const campaign = (keywords: string[], version = 7) => ({
  version,
  targetAudience: { ...EMPTY_TARGET_AUDIENCE, keywords },
});
const bid = { ...toTerms(MATCHED), campaignVersion: 7 };

describe('the terms of a bid', () => {
  it('are keyword numbers and lexicon texts, without positions', () => {
    expect(toTerms(MATCHED)).toEqual({
      keywords: [1],
      terms: { phrases: ['book flight', 'Air Travel'], reportable: [0] },
    });
    expect(toTerms([])).toEqual({ terms: {} });
  });

  it.each([
    'Food & Drink > Alcoholic Beverages',
    'Medical Health > Medical Tests',
    'Politics > Elections',
    'Religion & Spirituality > Islam',
  ])('are in no report if they belong to %s, whatever else they mean', (topic) => {
    const topics = ['Travel > Travel Type > Air Travel', topic];
    const { terms } = toTerms([{ kind: 'phrase', term: 'book flight', topics, ...said }]);
    expect(terms).toEqual({ phrases: ['book flight'] });
  });

  it('have keywords in the advertiser’s spelling once the ad is served', () => {
    expect(toServedTerms(bid, campaign(['flights', 'Cheap  AIRFARE!']))).toEqual({
      keywords: ['Cheap  AIRFARE!'],
      phrases: ['book flight', 'Air Travel'],
      reportable: [0],
    });
  });

  it('have no keywords if the campaign has changed, because the numbers may mean other keywords', () => {
    expect(toServedTerms(bid, campaign(['flights', 'hotels'], 8))).toEqual({
      phrases: ['book flight', 'Air Travel'],
      reportable: [0],
    });
  });

  it('take at most 150 bytes, keywords first', () => {
    const long = 'ü'.repeat(70);
    expect(toServedTerms(bid, campaign(['', long]))).toEqual({ keywords: [long] });
    const exact = 'ü'.repeat(75);
    expect(toServedTerms(bid, campaign(['', exact]))).toEqual({ keywords: [exact] });
    const { terms } = toTerms([{ kind: 'phrase', term: long, topics: [], ...said }, ...MATCHED]);
    expect(terms).toEqual({ phrases: [long], reportable: [0] });
  });

  it('of the previous release, which quote the conversation, are removed once the ad is served', async () => {
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
