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
    profile: { v: '', k: '', x: '', t: [], l: '', w: '' },
    createdAt: '2026-11-19T09:00:00.000Z',
    updatedAt: '2026-11-19T09:00:00.000Z',
    changedAt: 0,
    ...more,
  });
const pausedForDay = (day: string) => campaign({ status: 'paused', pausedReason: 'daily_budget', pausedDay: day });

describe('A campaign as of a moment', () => {
  it.each([
    ['is paused for the day until the day ends', pausedForDay('2026-11-20'), '2026-11-20T23:59:59.999Z', 'paused'],
    ['is active from the first moment of the next', pausedForDay('2026-11-20'), '2026-11-21T00:00:00.000Z', 'active'],
    [
      'stays paused for a clock that is still in the day before',
      pausedForDay('2026-11-21'),
      '2026-11-20T23:59:58Z',
      'paused',
    ],
    [
      'stays paused for its total',
      campaign({ status: 'paused', pausedReason: 'budget' }),
      '2027-01-01T00:00:00Z',
      'paused',
    ],
    [
      'stays paused by its user',
      campaign({ status: 'paused', pausedReason: 'user' }),
      '2027-01-01T00:00:00Z',
      'paused',
    ],
    [
      'is active to the last moment of its end',
      campaign({ endDate: '2026-11-20T23:59:59.999Z' }),
      '2026-11-20T23:59:59.999Z',
      'active',
    ],
    [
      'is completed after it',
      campaign({ endDate: '2026-11-20T23:59:59.999Z' }),
      '2026-11-21T00:00:00.000Z',
      'completed',
    ],
    [
      'is completed though paused',
      { ...pausedForDay('2026-11-20'), endDate: '2026-11-20T23:59:59.999Z' },
      '2026-11-21T00:00:00Z',
      'completed',
    ],
    [
      'stays a draft',
      campaign({ status: 'draft', endDate: '2026-11-19T00:00:00.000Z' }),
      '2026-11-20T00:00:00Z',
      'draft',
    ],
    [
      'stays cancelled',
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

describe("A day's budget", () => {
  const stats = { ...createSpendStats('cmp_1'), spent: fromUsd(7), spentToday: fromUsd(1), day: '2026-11-20' };
  it.each([
    ['is the daily one while the total has more', { budget: 10, dailyBudget: 4 }, 4, 1],
    ['is what is left of the total, with what went today', { budget: 9, dailyBudget: 4 }, 3, 1],
    ['is what went today when nothing is left', { budget: 7, dailyBudget: 4 }, 1, 1],
    ['is not below it when the budget was lowered under what is spent', { budget: 5, dailyBudget: 4 }, 1, 1],
    ['follows the total without a daily one', { budget: 10, dailyBudget: null }, 4, 1],
  ])('%s', (_, { budget, dailyBudget }, limit, spentToday) => {
    const limits = { budget: fromUsd(budget), dailyBudget: dailyBudget === null ? null : fromUsd(dailyBudget) };
    expect(getDayBudget(limits, stats, '2026-11-20')).toEqual({
      limit: fromUsd(limit),
      spentToday: fromUsd(spentToday),
    });
  });

  it('is whole on another day', () => {
    const limits = { budget: fromUsd(10), dailyBudget: fromUsd(2) };
    expect(getDayBudget(limits, stats, '2026-11-21')).toEqual({ limit: fromUsd(2), spentToday: 0 });
  });

  it('knows older figures by any count that is lower', () => {
    expect(isOlder(stats, stats)).toBe(false);
    expect(isOlder(stats, { ...stats, clicks: 1 })).toBe(true);
    expect(isOlder({ ...stats, clicks: 2 }, { ...stats, spent: stats.spent + 1 })).toBe(true);
  });
});

const balanceOf = (spent: number, spentToday: number, more: Partial<Balance> = {}): Balance => ({
  campaignId: 'cmp_1',
  remaining: fromUsd(10 - spent),
  spent: fromUsd(spent),
  impressions: 7,
  day: '2026-11-20',
  dayRemaining: fromUsd(4 - spentToday),
  dailyBudget: fromUsd(4),
  ...more,
});

describe('A campaign that a charge leaves without money', () => {
  const after = (before: Balance, stands: Partial<Campaign> = {}) =>
    pauseIfSpent(campaign(stands), settle(before, micros(4_000), '2026-11-20'));

  it.each([
    ['goes on while there is more', balanceOf(5, 1), {}, undefined],
    [
      'is paused for its total, which is exhausted',
      balanceOf(9.999, 1),
      {},
      { status: 'paused', pausedReason: 'budget', pausedDay: null, exhaustions: 1 },
    ],
    [
      'is paused for the day',
      balanceOf(5, 3.999),
      {},
      { status: 'paused', pausedReason: 'daily_budget', pausedDay: '2026-11-20', exhaustions: 0 },
    ],
    [
      'stays paused by its user, and yet is exhausted',
      balanceOf(9.999, 1),
      { status: 'paused', pausedReason: 'user' },
      { status: 'paused', pausedReason: 'user', pausedDay: null, exhaustions: 1 },
    ],
    [
      'is not exhausted again by who comes too late',
      balanceOf(10, 1),
      { status: 'paused', pausedReason: 'user', exhaustions: 1 },
      undefined,
    ],
    [
      'is paused again, not exhausted again, when its user set it going without money',
      balanceOf(10, 1),
      { exhaustions: 1 },
      { status: 'paused', pausedReason: 'budget', pausedDay: null, exhaustions: 1 },
    ],
    [
      'stays paused by its user when the day is spent',
      balanceOf(5, 3.999),
      { status: 'paused', pausedReason: 'user' },
      undefined,
    ],
  ])('%s', (_, before, stands, expected) => {
    const lifecycle = after(before, stands as Partial<Campaign>);
    if (expected) expect(lifecycle).toMatchObject(expected);
    else expect(lifecycle).toBeUndefined();
  });
});

describe('A change of budgets', () => {
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
    ['leaves an active campaign active', { budget: 8 }, campaign(), balanceOf(5, 1), ['active', null, null, 0]],
    [
      'pauses one whose total comes under what is spent',
      { budget: 5 },
      campaign(),
      balanceOf(5, 1),
      ['paused', 'budget', null, 1],
    ],
    [
      'pauses one whose day comes under what went today',
      { dailyBudget: 1 },
      campaign(),
      balanceOf(5, 2),
      ['paused', 'daily_budget', '2026-11-20', 0],
    ],
    [
      'pauses nothing for a day on which nothing went',
      { dailyBudget: 0 },
      campaign(),
      balanceOf(5, 0),
      ['active', null, null, 0],
    ],
    [
      'pauses nothing for what went on another day',
      { dailyBudget: 1 },
      campaign(),
      balanceOf(5, 2, { day: '2026-11-19' }),
      ['active', null, null, 0],
    ],
    [
      'pauses nothing when nothing was ever spent',
      { budget: 0 },
      campaign(),
      balanceOf(0, 0),
      ['active', null, null, 0],
    ],
    ['revives one paused for its total', { budget: 12 }, forTotal, balanceOf(10, 0), ['active', null, null, 1]],
    [
      'leaves it paused while that is not enough',
      { budget: 9 },
      forTotal,
      balanceOf(10, 0),
      ['paused', 'budget', null, 1],
    ],
    [
      'pauses it for the day when the day is spent',
      { budget: 12 },
      forTotal,
      balanceOf(10, 4),
      ['paused', 'daily_budget', '2026-11-20', 1],
    ],
    [
      'revives it when only a day gone by was spent',
      { budget: 12 },
      forTotal,
      balanceOf(10, 4, { day: '2026-11-19' }),
      ['active', null, null, 1],
    ],
    ['revives one paused for the day', { dailyBudget: 5 }, today, balanceOf(5, 4), ['active', null, null, 0]],
    [
      'leaves it paused when the total alone is raised',
      { budget: 20 },
      today,
      balanceOf(5, 4),
      ['paused', 'daily_budget', '2026-11-20', 0],
    ],
    [
      'gives it the other reason when the total ends',
      { budget: 5 },
      today,
      balanceOf(5, 4),
      ['paused', 'budget', null, 1],
    ],
    [
      "leaves a user's pause alone",
      { budget: 20 },
      campaign({ status: 'paused', pausedReason: 'user' }),
      balanceOf(10, 4),
      ['paused', 'user', null, 0],
    ],
    ['leaves a draft alone', { budget: 5 }, campaign({ status: 'draft' }), balanceOf(0, 0), ['draft', null, null, 0]],
    [
      'lets a status decide that is sent along',
      { budget: 12, status: 'paused' },
      forTotal,
      balanceOf(10, 0),
      ['paused', 'user', null, 1],
    ],
    [
      'but pauses one that is to be active though nothing is left',
      { budget: 5, status: 'active' },
      campaign(),
      balanceOf(5, 1),
      ['paused', 'budget', null, 1],
    ],
    [
      'pauses a draft that is to be active though nothing is left',
      { status: 'active' },
      campaign({ status: 'draft', exhaustions: 1 }),
      balanceOf(10, 1),
      ['paused', 'budget', null, 1],
    ],
    [
      'pauses one that is to be active though the day is spent',
      { status: 'active' },
      campaign({ status: 'paused', pausedReason: 'user' }),
      balanceOf(5, 4),
      ['paused', 'daily_budget', '2026-11-20', 0],
    ],
    [
      'lets one be active that has no budget and spent nothing',
      { status: 'active' },
      campaign({ status: 'draft', budget: micros(0), dailyBudget: micros(0) }),
      balanceOf(0, 0, { remaining: micros(0), dayRemaining: micros(0), dailyBudget: micros(0) }),
      ['active', null, null, 0],
    ],
    [
      'does not exhaust it again when it is raised and lowered again',
      { budget: 5 },
      campaign({ exhaustions: 1 }),
      balanceOf(5, 1),
      ['paused', 'budget', null, 1],
    ],
    [
      'completes one that is to be active after its end',
      { status: 'active' },
      campaign({ status: 'draft', endDate: '2020-01-01T00:00:00.000Z' }),
      balanceOf(10, 1),
      ['completed', null, null, 0],
    ],
    [
      'completes one whose end comes to have passed, spent or not',
      { endDate: '2020-01-01' },
      forTotal,
      balanceOf(10, 1),
      ['completed', null, null, 1],
    ],
    [
      'completes no draft',
      { endDate: '2020-01-01' },
      campaign({ status: 'draft' }),
      balanceOf(0, 0),
      ['draft', null, null, 0],
    ],
    [
      'takes a status of null for the default',
      { budget: 12, status: null },
      forTotal,
      balanceOf(10, 0),
      ['draft', null, null, 1],
    ],
  ])('%s', (_, body, before, ledger, expected) => {
    expect(change(body, before, ledger)).toEqual(expected);
  });
});
