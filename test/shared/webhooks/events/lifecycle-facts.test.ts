import { describe, expect, it } from 'vitest';
import type { Bid } from '../../../../shared/ads/bids/bid.ts';
import type { Campaign } from '../../../../shared/campaigns/campaign.ts';
import { merge } from '../../../../shared/campaigns/merge.ts';
import { toBidFacts, toCampaignFacts } from '../../../../shared/webhooks/events/facts.ts';
import { storedCampaign } from '../../../sample-records.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const campaign = (more: Partial<Campaign> = {}): Campaign =>
  storedCampaign({
    ...merge({ name: 'x', budget: 10, status: 'active' }),
    profile: { v: '', k: '', x: '', t: [], l: '', n: -1, w: '' },
    createdAt: '2026-11-19T09:00:00.000Z',
    updatedAt: '2026-11-19T09:00:00.000Z',
    changedAt: NOON,
    ...more,
  });
const paused = (pausedReason: Campaign['pausedReason'], more: Partial<Campaign> = {}) =>
  campaign({ status: 'paused', pausedReason, ...more });
const forDay = (pausedDay: string, more = {}) => paused('daily_budget', { pausedDay, ...more });
const told = (old: Campaign | undefined, now: Campaign | undefined) =>
  toCampaignFacts(old, now).map((fact) => (fact.kind === 'updated' ? `updated ${fact.changed}` : fact.kind));

describe('facts of a changed campaign', () => {
  it.each([
    ['a new campaign', undefined, campaign(), ['created']],
    ['a new campaign that is paused', undefined, paused('user'), ['created', 'paused']],
    ['a deletion', campaign(), undefined, []],
    ['a tombstone', campaign(), { ...campaign(), deleted: true } as Campaign, []],
    ['nothing but a time', campaign(), campaign({ updatedAt: 'later', version: 2 }), []],
    ['another name and budget', campaign(), campaign({ name: 'y', budget: 1 as never }), ['updated name,budget']],
    ['a pause by its user', campaign(), paused('user'), ['updated status', 'paused']],
    ["the end of a user's pause", paused('user'), campaign(), ['updated status']],
    ['the total spent', campaign(), paused('budget', { exhaustions: 1 }), ['budget_exhausted', 'paused']],
    [
      'total budget spent while paused by its user',
      paused('user'),
      paused('user', { exhaustions: 1 }),
      ['budget_exhausted'],
    ],
    ['the day spent', campaign(), forDay('2026-11-20'), ['paused']],
    [
      'the day spent after a day whose pause was not recorded as ended',
      forDay('2026-11-19'),
      forDay('2026-11-20'),
      ['paused'],
    ],
    [
      'total budget spent after a day that was paused',
      forDay('2026-11-19'),
      paused('budget', { exhaustions: 1 }),
      ['budget_exhausted', 'paused'],
    ],
    ['a pause by its user after such a day', forDay('2026-11-19'), paused('user'), ['updated status', 'paused']],
    ['a pause by its user over a pause for the day', forDay('2026-11-20'), paused('user'), []],
    ['renamed while paused for the day', forDay('2026-11-20'), forDay('2026-11-20', { name: 'y' }), ['updated name']],
    ['a new day, written down', forDay('2026-11-19'), campaign(), ['updated status']],
    [
      'stored as completed after its end date',
      campaign({ endDate: '2026-11-20T00:00:00.000Z' }),
      campaign({ endDate: '2026-11-20T00:00:00.000Z', status: 'completed' }),
      ['updated status'],
    ],
    [
      'budget raised, active again',
      paused('budget', { exhaustions: 1 }),
      campaign({ budget: 20 as never, exhaustions: 1 }),
      ['updated budget,status'],
    ],
    [
      'budget spent again',
      campaign({ exhaustions: 1 }),
      paused('budget', { exhaustions: 2 }),
      ['budget_exhausted', 'paused'],
    ],
    [
      'budget lowered below the spend',
      campaign(),
      paused('budget', { budget: 1 as never, exhaustions: 1 }),
      ['updated budget', 'budget_exhausted', 'paused'],
    ],
    [
      'budget raised while the daily budget is spent',
      paused('budget', { exhaustions: 1 }),
      forDay('2026-11-20', { budget: 20, exhaustions: 1 }),
      ['updated budget', 'paused'],
    ],
  ])('%s', (_, old, now, expected) => {
    expect(told(old, now)).toEqual(expected);
  });
});

describe('facts of a changed bid', () => {
  const issued = { id: '1', state: 'issued', mode: 'live' } as Bid;
  const served = { ...issued, state: 'served' } as Bid;
  const clicked = { ...served, click: {} } as Bid;
  const kindsOf = (old: Bid | undefined, now: Bid | undefined) => toBidFacts(old, now).map(({ kind }) => kind);

  it.each([
    ['an issued bid', undefined, issued, []],
    ['a served one', issued, served, ['impression']],
    ['a clicked one', served, clicked, ['click']],
    ['both at once', issued, clicked, ['impression', 'click']],
    ['another visit', clicked, Object.assign({ genuineVisits: 2 }, clicked), []],
    ['a mark', served, Object.assign({ impressionCounted: true }, served), []],
    ['its end', clicked, undefined, []],
    ['a served one of test mode', { ...issued, mode: 'test' } as Bid, { ...served, mode: 'test' } as Bid, []],
  ])('%s', (_, old, now, expected) => {
    expect(kindsOf(old, now)).toEqual(expected);
  });
});
