import { describe, expect, it } from 'vitest';
import type { Balance } from '../../../shared/budgets/balance.ts';
import { settle } from '../../../shared/budgets/charge.ts';
import type { Campaign } from '../../../shared/campaigns/campaign.ts';
import { updateCampaign } from '../../../shared/campaigns/campaign-schema.ts';
import { applyToLifecycle, asOf, pauseIfSpent } from '../../../shared/campaigns/lifecycle.ts';
import { merge } from '../../../shared/campaigns/merge.ts';
import { createSpendStats, getDayBudget, isOlder } from '../../../shared/campaigns/spend-stats.ts';
import { fromUsd, micros } from '../../../shared/platform/values/money.ts';
import { storedCampaign } from '../../sample-records.ts';

const NOW = Date.parse('2026-11-20T09:00:00Z');
const campaign = (more: Partial<Campaign> = {}): Campaign =>
  storedCampaign({
    ...merge({ name: 'x', budget: 10, dailyBudget: 4, status: 'active' }),
    profile: { v: '', k: '', x: '', t: [], l: '', n: -1, w: '' },
    createdAt: '2026-11-19T09:00:00.000Z',
    updatedAt: '2026-11-19T09:00:00.000Z',
    changedAt: 0,
    ...more,
  });
const pausedForDay = (day: string) => campaign({ status: 'paused', pausedReason: 'daily_budget', pausedDay: day });

describe('asOf', () => {
  it.each([
    [
      'keeps a campaign paused for the day until the day ends',
      pausedForDay('2026-11-20'),
      '2026-11-20T23:59:59.999Z',
      'paused',
    ],
    [
      'makes it active from the first moment of the next day',
      pausedForDay('2026-11-20'),
      '2026-11-21T00:00:00.000Z',
      'active',
    ],
    [
      'keeps it paused if the clock is still in the previous day',
      pausedForDay('2026-11-21'),
      '2026-11-20T23:59:58Z',
      'paused',
    ],
    [
      'keeps a pause for the total budget',
      campaign({ status: 'paused', pausedReason: 'budget' }),
      '2027-01-01T00:00:00Z',
      'paused',
    ],
    [
      'keeps a pause by the user',
      campaign({ status: 'paused', pausedReason: 'user' }),
      '2027-01-01T00:00:00Z',
      'paused',
    ],
    [
      'keeps a campaign active until the last moment of its end date',
      campaign({ endDate: '2026-11-20T23:59:59.999Z' }),
      '2026-11-20T23:59:59.999Z',
      'active',
    ],
    [
      'completes a campaign after its end date',
      campaign({ endDate: '2026-11-20T23:59:59.999Z' }),
      '2026-11-21T00:00:00.000Z',
      'completed',
    ],
    [
      'completes a paused campaign too',
      { ...pausedForDay('2026-11-20'), endDate: '2026-11-20T23:59:59.999Z' },
      '2026-11-21T00:00:00Z',
      'completed',
    ],
    [
      'keeps a draft',
      campaign({ status: 'draft', endDate: '2026-11-19T00:00:00.000Z' }),
      '2026-11-20T00:00:00Z',
      'draft',
    ],
    [
      'keeps a cancelled campaign',
      campaign({ status: 'cancelled', endDate: '2026-11-19T00:00:00.000Z' }),
      '2026-11-20T00:00:00Z',
      'cancelled',
    ],
  ])('%s', (_, stored, time, status) => {
    const now = asOf(stored as Campaign, Date.parse(time));
    expect(now.status).toBe(status);
    if (status !== 'paused') expect([now.pausedReason, now.pausedDay]).toEqual([null, null]);
  });
});

describe('getDayBudget', () => {
  const stats = { ...createSpendStats('cmp_1'), spent: fromUsd(7), spentToday: fromUsd(1), day: '2026-11-20' };
  it.each([
    ['returns the daily budget while more than that remains of the total', { budget: 10, dailyBudget: 4 }, 4, 1],
    ["returns the rest of the total plus today's spend if that is less", { budget: 9, dailyBudget: 4 }, 3, 1],
    ["returns today's spend if nothing remains", { budget: 7, dailyBudget: 4 }, 1, 1],
    ["returns today's spend if the budget was lowered below the total spend", { budget: 5, dailyBudget: 4 }, 1, 1],
    ['uses the total without a daily budget', { budget: 10, dailyBudget: null }, 4, 1],
  ])('%s', (_, { budget, dailyBudget }, limit, spentToday) => {
    const limits = { budget: fromUsd(budget), dailyBudget: dailyBudget === null ? null : fromUsd(dailyBudget) };
    expect(getDayBudget(limits, stats, '2026-11-20')).toEqual({
      limit: fromUsd(limit),
      spentToday: fromUsd(spentToday),
    });
  });

  it('starts again on another day', () => {
    const limits = { budget: fromUsd(10), dailyBudget: fromUsd(2) };
    expect(getDayBudget(limits, stats, '2026-11-21')).toEqual({ limit: fromUsd(2), spentToday: 0 });
  });

  it('isOlder is true if any count is lower', () => {
    expect(isOlder(stats, stats)).toBe(false);
    expect(isOlder(stats, { ...stats, clicks: 1 })).toBe(true);
    expect(isOlder({ ...stats, clicks: 2 }, { ...stats, spent: stats.spent + 1 })).toBe(true);
  });
});

const createBalance = (spent: number, spentToday: number, more: Partial<Balance> = {}): Balance => ({
  campaignId: 'cmp_1',
  remaining: fromUsd(10 - spent),
  spent: fromUsd(spent),
  impressions: 7,
  day: '2026-11-20',
  dayRemaining: fromUsd(4 - spentToday),
  dailyBudget: fromUsd(4),
  ...more,
});

describe('pauseIfSpent', () => {
  const after = (before: Balance, overrides: Partial<Campaign> = {}) =>
    pauseIfSpent(campaign(overrides), settle(before, micros(4_000), '2026-11-20'));

  it.each([
    ['leaves a campaign active while money remains', createBalance(5, 1), {}, undefined],
    [
      'pauses it for its total budget and counts the exhaustion',
      createBalance(9.999, 1),
      {},
      { status: 'paused', pausedReason: 'budget', pausedDay: null, exhaustions: 1 },
    ],
    [
      'pauses it for the day',
      createBalance(5, 3.999),
      {},
      { status: 'paused', pausedReason: 'daily_budget', pausedDay: '2026-11-20', exhaustions: 0 },
    ],
    [
      'keeps a pause by the user but counts the exhaustion',
      createBalance(9.999, 1),
      { status: 'paused', pausedReason: 'user' },
      { status: 'paused', pausedReason: 'user', pausedDay: null, exhaustions: 1 },
    ],
    [
      'does not count an exhaustion again for a charge that was too late',
      createBalance(10, 1),
      { status: 'paused', pausedReason: 'user', exhaustions: 1 },
      undefined,
    ],
    [
      'pauses again without counting again if the user activated it without money',
      createBalance(10, 1),
      { exhaustions: 1 },
      { status: 'paused', pausedReason: 'budget', pausedDay: null, exhaustions: 1 },
    ],
    [
      'keeps a pause by the user when the daily budget is spent',
      createBalance(5, 3.999),
      { status: 'paused', pausedReason: 'user' },
      undefined,
    ],
  ])('%s', (_, before, overrides, expected) => {
    const lifecycle = after(before, overrides as Partial<Campaign>);
    if (expected) expect(lifecycle).toMatchObject(expected);
    else expect(lifecycle).toBeUndefined();
  });
});

describe('applyToLifecycle', () => {
  const change = (body: object, before: Campaign, ledger: Balance) => {
    const input = updateCampaign.parse(body);
    const { status, pausedReason, pausedDay, exhaustions } = applyToLifecycle(
      input,
      before,
      merge(input, before),
      ledger,
      NOW,
    );
    return [status, pausedReason, pausedDay, exhaustions];
  };
  const forTotal = campaign({ status: 'paused', pausedReason: 'budget', exhaustions: 1 });
  const today = pausedForDay('2026-11-20');

  it.each([
    ['leaves an active campaign active', { budget: 8 }, campaign(), createBalance(5, 1), ['active', null, null, 0]],
    [
      'pauses a campaign whose total budget drops to what is spent',
      { budget: 5 },
      campaign(),
      createBalance(5, 1),
      ['paused', 'budget', null, 1],
    ],
    [
      "pauses a campaign whose daily budget drops below today's spend",
      { dailyBudget: 1 },
      campaign(),
      createBalance(5, 2),
      ['paused', 'daily_budget', '2026-11-20', 0],
    ],
    [
      'pauses nothing for a day without spend',
      { dailyBudget: 0 },
      campaign(),
      createBalance(5, 0),
      ['active', null, null, 0],
    ],
    [
      'pauses nothing for spend on another day',
      { dailyBudget: 1 },
      campaign(),
      createBalance(5, 2, { day: '2026-11-19' }),
      ['active', null, null, 0],
    ],
    ['pauses nothing without any spend', { budget: 0 }, campaign(), createBalance(0, 0), ['active', null, null, 0]],
    [
      'resumes a campaign paused for its total budget',
      { budget: 12 },
      forTotal,
      createBalance(10, 0),
      ['active', null, null, 1],
    ],
    [
      'keeps it paused if the raise is not enough',
      { budget: 9 },
      forTotal,
      createBalance(10, 0),
      ['paused', 'budget', null, 1],
    ],
    [
      'pauses it for the day if the daily budget is spent',
      { budget: 12 },
      forTotal,
      createBalance(10, 4),
      ['paused', 'daily_budget', '2026-11-20', 1],
    ],
    [
      'resumes it if only the daily budget of an earlier day is spent',
      { budget: 12 },
      forTotal,
      createBalance(10, 4, { day: '2026-11-19' }),
      ['active', null, null, 1],
    ],
    [
      'resumes a campaign paused for the day',
      { dailyBudget: 5 },
      today,
      createBalance(5, 4),
      ['active', null, null, 0],
    ],
    [
      'keeps it paused if only the total is raised',
      { budget: 20 },
      today,
      createBalance(5, 4),
      ['paused', 'daily_budget', '2026-11-20', 0],
    ],
    [
      'changes its reason if the total is spent too',
      { budget: 5 },
      today,
      createBalance(5, 4),
      ['paused', 'budget', null, 1],
    ],
    [
      'keeps a pause by the user',
      { budget: 20 },
      campaign({ status: 'paused', pausedReason: 'user' }),
      createBalance(10, 4),
      ['paused', 'user', null, 0],
    ],
    ['keeps a draft', { budget: 5 }, campaign({ status: 'draft' }), createBalance(0, 0), ['draft', null, null, 0]],
    [
      'applies the status of the request',
      { budget: 12, status: 'paused' },
      forTotal,
      createBalance(10, 0),
      ['paused', 'user', null, 1],
    ],
    [
      'pauses a campaign set to active if no money remains',
      { budget: 5, status: 'active' },
      campaign(),
      createBalance(5, 1),
      ['paused', 'budget', null, 1],
    ],
    [
      'pauses a draft set to active if no money remains',
      { status: 'active' },
      campaign({ status: 'draft', exhaustions: 1 }),
      createBalance(10, 1),
      ['paused', 'budget', null, 1],
    ],
    [
      'pauses a campaign set to active if the daily budget is spent',
      { status: 'active' },
      campaign({ status: 'paused', pausedReason: 'user' }),
      createBalance(5, 4),
      ['paused', 'daily_budget', '2026-11-20', 0],
    ],
    [
      'activates a campaign without a budget and without spend',
      { status: 'active' },
      campaign({ status: 'draft', budget: micros(0), dailyBudget: micros(0) }),
      createBalance(0, 0, { remaining: micros(0), dayRemaining: micros(0), dailyBudget: micros(0) }),
      ['active', null, null, 0],
    ],
    [
      'counts no second exhaustion after a raise and a cut',
      { budget: 5 },
      campaign({ exhaustions: 1 }),
      createBalance(5, 1),
      ['paused', 'budget', null, 1],
    ],
    [
      'completes a campaign set to active after its end date',
      { status: 'active' },
      campaign({ status: 'draft', endDate: '2020-01-01T00:00:00.000Z' }),
      createBalance(10, 1),
      ['completed', null, null, 0],
    ],
    [
      'completes a campaign whose end date moves into the past, spent or not',
      { endDate: '2020-01-01' },
      forTotal,
      createBalance(10, 1),
      ['completed', null, null, 1],
    ],
    [
      'keeps a draft past its end date',
      { endDate: '2020-01-01' },
      campaign({ status: 'draft' }),
      createBalance(0, 0),
      ['draft', null, null, 0],
    ],
    [
      'resets a status of null to the default',
      { budget: 12, status: null },
      forTotal,
      createBalance(10, 0),
      ['draft', null, null, 1],
    ],
  ])('%s', (_, body, before, ledger, expected) => {
    expect(change(body, before, ledger)).toEqual(expected);
  });
});
