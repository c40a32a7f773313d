import { afterEach, describe, expect, it, vi } from 'vitest';
import CampaignPage from '../../../web/campaigns/campaign-page.tsx';
import { pickTicks } from '../../../web/figures/ticks.ts';
import KeyPage from '../../../web/publisher/key-page.tsx';
import KeysPage from '../../../web/publisher/list-page.tsx';
import { campaign } from './campaign.ts';
import { type Answers, closeDesk, found, openDesk, push, type ServiceCall, waitFor } from './desk.ts';

afterEach(() => {
  closeDesk();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const DAY_MS = 24 * 60 * 60 * 1000;
const date = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
const ONE = 'GET /api/v1/campaigns/camp_1';
const REPORT = `${ONE}/report`;
const day = (others: object = {}) => ({
  ...{ date: date(0), impressions: 0, clicks: 0, conversions: 0, spend: 0 },
  ...others,
});

const open = (at: string, answers: Answers = {}): ServiceCall[] =>
  openDesk({ '/campaigns/:id': CampaignPage }, `/campaigns/camp_1${at}`, {
    [ONE]: () => campaign(),
    [REPORT]: () => [day({ impressions: 1_000, clicks: 10, spend: 4 })],
    ...answers,
  });
const periods = (asked: ServiceCall[]) =>
  asked.filter(({ route }) => route === ONE).map(({ query }) => query.replace('report=true&', ''));
const isChosen = (says: string) => found('[aria-pressed="true"]', says);
const tiles = () => [...document.querySelectorAll('.tile strong')];
const values = () => tiles().map(({ textContent }) => textContent);
const METRICS = [
  ...['Impressions', 'Clicks', 'CTR', 'Spend', 'Conversions', 'Cost per conversion', 'Conversion value'],
  ...['Return on spend', 'Cost per click', 'Not relevant', 'Not relevant rate'],
];
const forever = () => new Promise(() => {});

describe('The labels of the axis', () => {
  it.each([1, 2, 7, 14, 30, 90, 366])('are equally spaced, end with the last of %i days, and fit', (days) => {
    for (const room of [3.8, 5.2, 12.6, 20]) {
      const ticks = pickTicks(days, room);
      const steps = new Set(ticks.slice(1).map((place, index) => place - ticks[index]!));
      expect(ticks.at(-1)).toBe(days - 1);
      expect(ticks[0]).toBeGreaterThanOrEqual(0);
      expect(steps.size).toBe(ticks.length > 1 ? 1 : 0);
      expect(ticks.length).toBeLessThanOrEqual(room);
      // No more than half of the room is left empty, or every day has a label.
      expect(ticks.length).toBeGreaterThanOrEqual(Math.min(days, Math.floor(room / 2.5)));
    }
  });

  it('name every day of a short range, and the same weekday of a long one', () => {
    expect(pickTicks(1, 12)).toEqual([0]);
    expect(pickTicks(2, 3)).toEqual([0, 1]);
    expect(pickTicks(14, 4)).toEqual([3, 8, 13]);
    expect(pickTicks(90, 12)).toEqual([5, 19, 33, 47, 61, 75, 89]);
    expect(pickTicks(366, 12)).toEqual([29, 71, 113, 155, 197, 239, 281, 323, 365]);
  });

  it('stay at least one, however narrow the chart', () => {
    expect(pickTicks(30, 0.4)).toEqual([29]);
    expect(pickTicks(0, 10)).toEqual([]);
  });
});

describe('The figures of a campaign', () => {
  it('keep the chosen metric in the URL, across ranges and reloads', async () => {
    open('');
    await isChosen('Impressions');
    await push('Spend');
    await waitFor(() => expect(location.search).toBe('?metric=spend'));
    await push('7 days');
    await waitFor(() => expect(location.search).toBe('?days=7&metric=spend'));
    closeDesk();
    open(location.search);
    await isChosen('7 days');
    await isChosen('Spend');
    await push('Impressions');
    await waitFor(() => expect(location.search).toBe('?days=7'));
  });

  it('show the first metric if the URL names one that does not exist', async () => {
    open('?metric=cost-per-click');
    await isChosen('Cost per click');
    closeDesk();
    open('?metric=constructor');
    await isChosen('Impressions');
  });

  it('say how much was viewable, and how many clicks are suspect, if there are any', async () => {
    const trusted = { viewableImpressions: 720, suspectClicks: { tooFast: 1, tooMany: 2 } };
    open('', { [REPORT]: () => [day({ impressions: 1_000, clicks: 10, ...trusted })] });
    await found('.tile', 'Viewable72.0%');
    await found('.tile', 'Suspect clicks3');
    await push('Suspect clicks');
    await waitFor(() => expect(location.search).toBe('?metric=suspect-clicks'));
    await isChosen('Suspect clicks');
    closeDesk();
    const none = { viewableImpressions: 0, suspectClicks: { tooFast: 0, tooMany: 0 } };
    open('', { [REPORT]: () => [day({ impressions: 1_000, clicks: 10, ...none })] });
    await found('.tile', 'Impressions1,000');
    expect(document.querySelectorAll('.tile')).toHaveLength(METRICS.length);
  });

  it('start a custom range with the last 14 days', async () => {
    const asked = open('');
    await found('.tile', 'Impressions1,000');
    await push('Custom');
    await waitFor(() => expect(location.search).toBe(`?from=${date(13)}&to=${date(0)}`));
    await isChosen('Custom');
    await waitFor(() => expect(periods(asked).at(-1)).toBe(location.search));
    expect([...document.querySelectorAll<HTMLInputElement>('[type="date"]')].map(({ value }) => value)).toEqual([
      date(13),
      date(0),
    ]);
  });

  it('move the other end of a range that would be in the wrong order, and end today at the latest', async () => {
    open(`?from=${date(60)}&to=${date(55)}`);
    const enter = async (name: string, value: string) => {
      const field = await found<HTMLInputElement>(`[aria-label="${name}"]`);
      field.value = value;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    };
    await enter('First day', date(8));
    await waitFor(() => expect(location.search).toBe(`?from=${date(8)}&to=${date(8)}`));
    await enter('Last day', date(2));
    await waitFor(() => expect(location.search).toBe(`?from=${date(8)}&to=${date(2)}`));
    await enter('Last day', date(-3));
    await waitFor(() => expect(location.search).toBe(`?from=${date(8)}&to=${date(0)}`));
    await enter('Last day', date(20));
    await waitFor(() => expect(location.search).toBe(`?from=${date(20)}&to=${date(20)}`));
  });

  it('wait for a whole year while a day is being typed', async () => {
    const at = `?from=${date(13)}&to=${date(0)}`;
    open(at);
    const first = await found<HTMLInputElement>('[aria-label="First day"]');
    const enter = (value: string) => {
      first.value = value;
      first.dispatchEvent(new Event('change', { bubbles: true }));
    };
    enter(`0002${date(20).slice(4)}`);
    enter('');
    expect(location.search).toBe(at);
    enter(date(20));
    await waitFor(() => expect(location.search).toBe(`?from=${date(20)}&to=${date(0)}`));
  });

  it('show no number before they have loaded, and keep their frame while other days load', async () => {
    let answer: () => unknown = forever;
    open('', { [REPORT]: () => answer() });
    await found('.tile');
    expect(values()).toEqual(METRICS.map(() => ''));
    expect(document.querySelectorAll('.tile .blank')).toHaveLength(METRICS.length);
    closeDesk();
    answer = () => [day({ impressions: 5, spend: 2 })];
    open('', { [ONE]: () => campaign({ spentToday: 2 }), [REPORT]: () => answer() });
    await found('.tile', 'Spend$2.00');
    await found('[aria-label="Budget"] dd', '$2.00 of $100.00');
    answer = forever;
    await push('7 days');
    await waitFor(() => expect(values()).toEqual(METRICS.map(() => '')));
    await isChosen('Impressions');
  });

  it('show a dash for what could not be loaded', async () => {
    let answer: () => unknown = () => [day()];
    open('', { [REPORT]: () => answer() });
    await found('.tile', 'Spend$0.00');
    const refusal = { error: 'Bad Request', message: 'At most 366 days', statusCode: 400 };
    answer = () => Response.json(refusal, { status: 400 });
    await push('7 days');
    await found('.problem', 'At most 366 days');
    expect(values()).toEqual(METRICS.map(() => '–'));
  });

  it('show it too if the campaign itself could not be loaded, and load it for another range', async () => {
    const refusal = { error: 'Bad Request', message: 'At most 366 days', statusCode: 400 };
    const asked = open('?days=7', {
      [ONE]: ({ query }) =>
        query.includes(`from=${date(6)}`) ? Response.json(refusal, { status: 400 }) : campaign({ report: [day()] }),
    });
    await found('.problem', 'At most 366 days');
    expect(document.querySelectorAll('.problem')).toHaveLength(1);
    expect(values()).toEqual(METRICS.map(() => '–'));
    await push('30 days');
    await found('h1', 'Kayaks');
    expect(asked.filter(({ route }) => route === ONE)).toHaveLength(2);
  });

  it('stay within the days of which the service has a report, whatever the URL says', async () => {
    for (const [at, shown] of [
      ['?from=2020-01-01&to=2026-01-01', '?from=2025-01-01&to=2026-01-01'],
      ['?from=2026-02-10&to=2026-02-01', '?from=2026-02-01&to=2026-02-10'],
      ['?from=2026-02-01&to=2026-02-31', `?from=${date(29)}&to=${date(0)}`],
      ['?from=1999-12-30&to=1999-12-31', `?from=${date(29)}&to=${date(0)}`],
    ] as const) {
      const asked = open(at);
      await found('.tile', 'Impressions1,000');
      expect(periods(asked)).toEqual([shown]);
      closeDesk();
    }
  });

  it('keep the page’s frame while the campaign loads, without a provisional title', async () => {
    open('', { [ONE]: forever });
    await found('.tile', 'Impressions');
    expect((await found('h1')).querySelector('.blank')).not.toBeNull();
    expect((await found('h1 .unseen')).textContent).toBe('Campaign');
    await found('.above', 'Campaigns');
    expect(document.querySelectorAll('.page-head .actions .blank')).toHaveLength(4);
  });
});

describe('The totals of all keys', () => {
  const openKeys = (answer: () => unknown) =>
    openDesk({ '/publisher': KeysPage }, '/publisher', { 'GET /api/v1/auth/api-keys': answer });
  const texts = () => [...document.querySelectorAll('.tile dd')].map(({ textContent }) => textContent);

  it('show no number before they have loaded, and a dash if they cannot', async () => {
    openKeys(forever);
    await found('.tile', 'Earnings');
    expect(texts()).toEqual(['', '', '', '', '']);
    await found('[aria-label="Loading keys"]');
    closeDesk();
    openKeys(() => Response.json({ error: 'Bad Request', message: 'No', statusCode: 400 }, { status: 400 }));
    await waitFor(() => expect(texts()).toEqual(['–', '–', '–', '–', '–']));
  });
});

describe('A chart without anything to draw', () => {
  const empty = { [REPORT]: () => [day()] };

  it('names the conversations of a campaign that waits for its first impression', async () => {
    open('', empty);
    await found('.plot.empty', 'Bids when people talk about: kayaks.');
    expect((await found('.plot.empty a', 'Try a conversation')).getAttribute('href')).toBe('#try');
    expect(document.querySelector('textarea#try, [aria-label="Loading conversations"]')).not.toBeNull();
    expect(document.querySelector('.days')).toBeNull();
  });

  it('says what keeps a campaign from serving, and where to fix it', async () => {
    const serving = {
      eligible: false,
      reasons: [{ code: 'budget', field: 'budget', message: 'The total budget is spent.', blocking: true }],
    };
    open('', { ...empty, [ONE]: () => campaign({ serving }) });
    await found('.plot.empty', 'The budget is spent. Add budget to resume.');
    await found('.plot.empty a', 'See how to fix it');
    closeDesk();
    const paused = { code: 'paused', message: 'The advertiser has paused the campaign.', blocking: true };
    const isPaused = { status: 'paused', pausedReason: 'user', serving: { eligible: false, reasons: [paused] } };
    open('', { ...empty, [ONE]: () => campaign(isPaused) });
    await found('.plot.empty', 'You paused this campaign. Resume it above to show its ad.');
  });

  it('leads from days without impressions to the last 30', async () => {
    open('?from=2026-01-01&to=2026-01-31&metric=spend', empty);
    await found('.plot.empty', 'Nothing in these days');
    await push('Show the last 30 days');
    await waitFor(() => expect(location.search).toBe('?metric=spend'));
    closeDesk();
    const performance = { impressions: 9, clicks: 0, conversions: 0, ctr: 0 };
    open('', { ...empty, [ONE]: () => campaign({ performance }) });
    await push('Show the last 90 days');
    await waitFor(() => expect(location.search).toBe('?days=90'));
    await found('.plot.empty', 'Nothing in these days');
    expect(document.querySelector('.plot.empty button')).toBeNull();
  });

  it('says in one sentence that a metric has no data, next to others that have', async () => {
    open('?metric=cost-per-click', { [REPORT]: () => [day({ impressions: 5 })] });
    await found('.plot.empty', 'No clicks in these days.');
    await push('Conversions');
    await found('.plot.empty', 'No conversions in these days.');
    expect(document.querySelector('.unfinished')).toBeNull();
    await found('.days');
    await push('Impressions');
    await waitFor(() => expect(document.querySelector('[aria-label="Performance"] .plot.empty')).toBeNull());
  });

  it('is not there for a key without requests, which starts with its first request', async () => {
    const key = {
      ...{ id: 'key_1', name: 'One', key: 'ak_live_…1', mode: 'live', bidFloor: 0, isActive: true, requestCount: 0 },
      ...{ judge: false, blockedDomains: [], blockedCategories: [], createdAt: '2026-11-20T09:00:00.000Z' },
      ...{ lastUsedAt: null, oldKeysUntil: [] },
    };
    openDesk({ '/publisher/:id': KeyPage }, '/publisher/key_1', { 'GET /api/v1/auth/api-keys': () => [key] });
    await found('[aria-label="Snippet"] h2', 'Send your first request');
    expect(document.querySelector('[aria-label="Performance"]')).toBeNull();
  });
});
