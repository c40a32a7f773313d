import { describe, expect, it } from 'vitest';
import type { Bid } from '../../../../shared/ads/bids/bid.ts';
import type { Campaign } from '../../../../shared/campaigns/campaign.ts';
import { fromUsd } from '../../../../shared/platform/values/money.ts';
import { toBidFacts, toCampaignFacts } from '../../../../shared/webhooks/events/facts.ts';
import { clickedBid, issuedBid, laterCampaign, servedBid, storedCampaign } from '../../../sample-records.ts';

const counted = (bid: Bid) => ({ ...bid, ...{ impressionCounted: true } }) as Bid;

describe('facts of a changed bid', () => {
  it.each<[string, Bid | undefined, Bid | undefined, string[]]>([
    ['issued', undefined, issuedBid(), []],
    ['served', issuedBid(), servedBid(), ['impression']],
    ['clicked', servedBid(), clickedBid(), ['click']],
    ['served and clicked in one stroke', issuedBid(), clickedBid(), ['impression', 'click']],
    ['served from nothing', undefined, servedBid(), ['impression']],
    ['marked as counted', servedBid(), counted(servedBid()), []],
    ['marked after the click', clickedBid(), counted(clickedBid()), []],
    ['visited again', clickedBid(), { ...clickedBid(), genuineVisits: 2 } as Bid, []],
    ['visited by a bot before the click', servedBid(), { ...servedBid(), botVisits: 1 } as Bid, []],
    ['forgotten', clickedBid(), undefined, []],
    ['forgotten unserved', issuedBid(), undefined, []],
    ['clicked, a legacy ad, before its impression is told', issuedBid(), clickedBid({ state: 'issued' }), ['click']],
    [
      'impression recorded after the click',
      clickedBid({ state: 'issued' }),
      clickedBid({ state: 'served' }),
      ['impression'],
    ],
    ['served in test mode', issuedBid({ mode: 'test' }), servedBid({ mode: 'test' }), []],
    ['clicked in test mode', servedBid({ mode: 'test' }), clickedBid({ mode: 'test' }), []],
    ['nothing at all', undefined, undefined, []],
  ])('%s', (_, old, now, kinds) => {
    expect(toBidFacts(old, now).map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('facts of a changed campaign', () => {
  const active = storedCampaign();
  const paused = (pausedReason: Campaign['pausedReason'], more: Partial<Campaign> = {}) =>
    laterCampaign(active, { status: 'paused', pausedReason, ...more });
  const forToday = paused('daily_budget', { pausedDay: '2026-11-20' });
  const spent = paused('budget', { exhaustions: 1 });

  it.each<[string, Campaign | undefined, Campaign | undefined, [string, string[]?][]]>([
    ['created', undefined, active, [['created']]],
    ['created as a draft', undefined, storedCampaign({ status: 'draft' }), [['created']]],
    ['created paused', undefined, paused('user'), [['created'], ['paused']]],
    ['renamed', active, laterCampaign(active, { name: 'New' }), [['updated', ['name']]]],
    [
      'changed in several fields',
      active,
      laterCampaign(active, { budget: fromUsd(5), creative: { ...active.creative, headline: 'New' } }),
      [['updated', ['budget', 'creative']]],
    ],
    ['written again as it was', active, laterCampaign(active, {}), []],
    ['given a new matching profile', active, laterCampaign(active, { profile: { v: '2' } as never }), []],
    ['paused by its user', active, paused('user'), [['updated', ['status']], ['paused']]],
    [
      'paused and renamed by its user',
      active,
      paused('user', { name: 'New' }),
      [['updated', ['name', 'status']], ['paused']],
    ],
    ['paused for the day', active, forToday, [['paused']]],
    ['out of money', active, spent, [['budget_exhausted'], ['paused']]],
    ['renamed while paused', forToday, laterCampaign(forToday, { name: 'New' }), [['updated', ['name']]]],
    [
      'paused for another day, without a stored end of the first pause',
      forToday,
      laterCampaign(forToday, { pausedDay: '2026-11-21' }),
      [['paused']],
    ],
    [
      'total budget spent while paused for the day',
      forToday,
      laterCampaign(forToday, { pausedReason: 'budget', exhaustions: 1 }),
      [['budget_exhausted'], ['paused']],
    ],
    ['paused by its user while paused for the day', forToday, laterCampaign(forToday, { pausedReason: 'user' }), []],
    [
      'active again with a higher budget',
      spent,
      laterCampaign(spent, { status: 'active', pausedReason: null, budget: fromUsd(200) }),
      [['updated', ['budget', 'status']]],
    ],
    [
      'total budget spent a second time',
      laterCampaign(spent, { status: 'active', pausedReason: null }),
      laterCampaign(spent, { exhaustions: 2 }),
      [['budget_exhausted'], ['paused']],
    ],
    [
      'set active by its user without remaining budget',
      laterCampaign(active, { status: 'draft' }),
      spent,
      [['updated', ['status']], ['budget_exhausted'], ['paused']],
    ],
    [
      'set active by its user without remaining budget, already announced',
      laterCampaign(spent, { status: 'paused', pausedReason: 'user' }),
      laterCampaign(spent, {}),
      [['paused']],
    ],
    ['completed', active, laterCampaign(active, { status: 'completed' }), [['updated', ['status']]]],
    ['forgotten', active, undefined, []],
  ])('%s', (_, old, now, facts) => {
    expect(
      toCampaignFacts(old, now).map((fact) => ('changed' in fact ? [fact.kind, fact.changed] : [fact.kind])),
    ).toEqual(facts);
  });
});
