import { h } from 'preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import ActivityCard from '../../../web/activity/activity-card.tsx';
import ActivityPage from '../../../web/activity/activity-page.tsx';
import HomePage from '../../../web/home/home-page.tsx';
import { AccountMenu } from '../../../web/parts/account.tsx';
import StatementsPage from '../../../web/statements/statements-page.tsx';
import { type Answers, closeDesk, found, openDesk, push, type ServiceCall, waitFor } from './desk.ts';

afterEach(() => {
  closeDesk();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const HOME = 'GET /api/v1/home';
const ACTIVITY = 'GET /api/v1/activity';
const STATEMENTS = 'GET /api/v1/statements';

const all = <E extends Element = Element>(selector: string) => [...document.querySelectorAll<E>(selector)];
const texts = (selector: string) => all(selector).map(({ textContent }) => textContent);

const entry = (id: string, others: object = {}) => ({
  ...{ id: `act_${id}`, time: '2026-11-20T09:00:00.000Z', subject: 'cmp_1', name: 'Kayaks', action: 'updated' },
  ...{ actor: 'user', userId: 'alice', reason: null, changes: [] },
  ...others,
});
const change = (field: string, before: unknown, after: unknown) => ({ field, before, after });

const figures = (spend: number, impressions: number, clicks: number) => ({
  ...{ spend, impressions, clicks, conversions: 0, ctr: 0, averageCpb: 0, conversionValue: 0, costPerConversion: null },
  ...{ returnOnSpend: null, notRelevant: 0 },
});
const keyFigures = (earnings: number) => ({
  ...{ requests: 10, bids: 5, fillRate: 0.5, impressions: earnings, clicks: 0, notRelevant: 0, earnings },
});
const inPeriods = <F>(today: F, last30Days: F, previous30Days: F) => ({ today, last30Days, previous30Days });
const nothing = figures(0, 0, 0);
const home = (others: object = {}) => ({
  counts: { campaigns: 1, keys: 0, webhooks: 0 },
  campaigns: inPeriods(nothing, nothing, nothing),
  keys: inPeriods(keyFigures(0), keyFigures(0), keyFigures(0)),
  attention: [],
  attentionCounts: { not_serving: 0, budget_nearly_spent: 0, webhook_failing: 0 },
  activity: [],
  ...others,
});

describe('The start page', () => {
  const open = (others: object = {}) => openDesk({ '/': HomePage }, '/', { [HOME]: () => home(others) });
  /** The text of a figure, once it is known. */
  const tile = (name: string) =>
    waitFor(() => {
      const known = texts('[aria-label="Campaigns"] .tile').find(
        (text) => text.startsWith(name) && text.includes('Today'),
      );
      if (known === undefined) throw new Error(`${name} is not known yet`);
      return known;
    });

  it('shows today and the last 30 days next to the 30 days before, with one request', async () => {
    const asked = open({
      campaigns: inPeriods(figures(2, 500, 5), figures(60, 15_000, 150), figures(50, 15_000, 120)),
    });
    expect(await tile('Spend')).toBe('Spend$60.00+20% from $50.00Today (UTC) $2.00');
    expect(await tile('Impressions')).toBe('Impressions15,000Same as beforeToday (UTC) 500');
    expect(await tile('Clicks')).toBe('Clicks150+25% from 120Today (UTC) 5');
    expect(await tile('CTR')).toBe('CTR1.0%Up from 0.8%Today (UTC) 1.0%');
    expect(asked.map(({ route }) => route)).toEqual([HOME]);
  });

  it('gives a multiple of a figure that grew tenfold or more', async () => {
    open({ campaigns: inPeriods(nothing, figures(2000, 40, 0), figures(0.5, 4, 0)) });
    expect(await tile('Spend')).toContain('4,000× from $0.50');
    expect(await tile('Impressions')).toContain('10× from 4');
  });

  it('gives no percentage for a change from nothing, and none for one that is not visible', async () => {
    open({ campaigns: inPeriods(nothing, figures(60, 10_010, 0), figures(0, 10_000, 10)) });
    expect(await tile('Spend')).toBe('Spend$60.00None beforeToday (UTC) $0.00');
    expect(await tile('Impressions')).toContain('About the same: from 10,000');
    expect(await tile('Clicks')).toContain('−100% from 10');
    expect(await tile('CTR')).toBe('CTR0.0%Down from 0.1%Today (UTC) –');
  });

  it('shows earnings only if there are keys', async () => {
    open();
    await tile('Spend');
    expect(document.querySelector('[aria-label="Publisher"]')).toBeNull();
    closeDesk();
    const keys = inPeriods(keyFigures(1), keyFigures(30), keyFigures(20));
    open({ counts: { campaigns: 0, keys: 2, webhooks: 0 }, keys });
    expect((await found('[aria-label="Publisher"] .tile', 'Earnings')).textContent).toContain('$30.00+50% from $20.00');
    expect(document.querySelector('[aria-label="Campaigns"]')).toBeNull();
  });

  it('offers the first steps to an account without campaigns and keys', async () => {
    open({ counts: { campaigns: 0, keys: 0, webhooks: 0 } });
    expect((await found('a', 'Start a campaign')).getAttribute('href')).toBe('/campaigns/new');
    expect((await found('a', 'Create a key')).getAttribute('href')).toBe('/publisher');
    expect(document.querySelector('.tile')).toBeNull();
  });

  it('lists what needs attention with what to do about it, and counts what it does not list', async () => {
    const need = (kind: string, id: string, code: string) => ({ kind, id, name: `Name ${id}`, code, message: 'Why.' });
    const attention = [
      need('webhook_failing', 'wh_1', 'failed'),
      need('not_serving', 'cmp_1', 'budget'),
      need('not_serving', 'cmp_2', 'daily_budget'),
      need('not_serving', 'cmp_3', 'incomplete'),
      need('budget_nearly_spent', 'cmp_4', 'budget'),
      need('budget_nearly_spent', 'cmp_5', 'budget'),
    ];
    open({ attention, attentionCounts: { not_serving: 3, budget_nearly_spent: 25, webhook_failing: 1 } });
    const card = await found('[aria-label="Needs attention"]', '5 of 29');
    const links = () =>
      all<HTMLAnchorElement>('[aria-label="Needs attention"] .button').map((link) => link.getAttribute('href'));
    expect(links()).toEqual([
      '/webhooks/wh_1',
      '/campaigns/cmp_1#add-budget',
      '/campaigns/cmp_2/edit?field=dailyBudget',
      '/campaigns/cmp_3#serving',
      '/campaigns/cmp_4#add-budget',
    ]);
    await push('Show 1 more');
    await waitFor(() => expect(links()).toHaveLength(6));
    expect(card.textContent).toContain('23 more are not listed here.');
  });

  it('shows the latest five changes, with a way to all', async () => {
    open({ activity: ['6', '5', '4', '3', '2', '1'].map((id) => entry(id, { name: `Kayak ${id}` })) });
    const card = await found('[aria-label="Latest activity"]', 'Kayak 6');
    expect(all('[aria-label="Latest activity"] li')).toHaveLength(5);
    expect(card.querySelector('a')?.getAttribute('href')).toBe('/activity');
  });
});

describe('The menu of the account', () => {
  it('leads to statements and the activity, and closes on Escape and when the visitor goes on', async () => {
    const visitor = { kind: 'signed in', user: 'ada@shop.example', token: '' } as const;
    const Menu = () => h(AccountMenu, { visitor, users: [], onBecome: () => {}, onSignOut: () => {} });
    openDesk({ '/menu': Menu }, '/menu', {});
    const summary = await found('summary', 'ada@shop.example');
    const menu = await found<HTMLDetailsElement>('details.account');
    expect(texts('.menu > *')).toEqual(['Statements', 'Activity', 'Sign out']);
    menu.open = true;
    menu.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect([menu.open, document.activeElement]).toEqual([false, summary]);
    menu.open = true;
    (await found('.menu a', 'Activity')).dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(menu.open).toBe(true);
    (await found('main')).dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(menu.open).toBe(false);
  });
});

describe('The activity', () => {
  const open = (at: string, answer: Answers[string]): ServiceCall[] =>
    openDesk({ '/activity': ActivityPage }, at, { [ACTIVITY]: answer });
  const show = async (one: object) => {
    open('/activity', () => ({ entries: [one], next: null }));
    await found('.activity', 'Kayaks');
    return texts('.changes li');
  };

  it('says in the words of the desk what changed from what to what', async () => {
    const changes = [
      change('budget', 500, 750.5),
      change('maxCpb', null, 0.0045),
      change('status', 'paused', 'active'),
      change('pausedReason', 'user', null),
      change('bidStrategy', 'auto', 'target_cpa'),
      change('endDate', '2026-12-01T00:00:00.000Z', null),
      { field: 'targetAudience.countries', added: ['US', 'GB'], removed: ['DE'] },
    ];
    expect(await show(entry('1', { changes }))).toEqual([
      'Total budget: $500.00 →to $750.50',
      'Maximum bid: $0.005',
      'Status: Paused →to Live',
      'Bid strategy: Automatic →to Target CPA',
      'End date: Dec 1, 2026 (UTC) →to none',
      'Countries: added United States, United Kingdom; removed Germany',
    ]);
  });

  it('names what keys and webhooks have, and lists that were reordered or cut', async () => {
    const changes = [
      change('isActive', true, false),
      change('url', 'a.example', 'b.example'),
      { field: 'events', added: ['ad.click'], removed: [] },
      { field: 'targetAudience.keywords', added: [], removed: [] },
      { field: 'excludedPublishers', added: ['pub_7F3KQ2M9XW4A'], removed: [] },
      { field: 'blockedDomains', added: ['x.example'], removed: [], omitted: 1_200 },
      change('someNewField', 1, 2),
    ];
    expect(await show(entry('1', { changes }))).toEqual([
      'Status: On →to Off',
      'Host: a.example →to b.example',
      'Events: added Click',
      'Keywords: order changed',
      'Excluded publishers: added Publisher pub_7F3KQ2M9XW4A',
      'Blocked domains: added x.example and 1,200 more',
      'Some new field: 1 →to 2',
    ]);
  });

  it('says who did it, and why the service did', async () => {
    const entries = [
      entry('4', { action: 'deleted' }),
      entry('3', {
        actor: 'service',
        userId: null,
        reason: 'daily_budget',
        changes: [change('status', 'active', 'paused')],
      }),
      entry('2', { action: 'rotated', subject: 'key_1', name: 'Chat' }),
      entry('1', { action: 'created', changes: [change('budget', null, 5)] }),
    ];
    open('/activity', () => ({ entries, next: null }));
    await found('.activity', 'Kayaks');
    expect(texts('.activity small')).toEqual([
      'Campaign · Deleted by you',
      'Campaign · Changed automatically: the daily budget is spent',
      'API key · Secret rotated by you',
      'Campaign · Created by you',
    ]);
    // What is deleted has no page, not even in earlier entries, and what was set at the start is folded.
    expect(all('.activity a').map((link) => link.getAttribute('href'))).toEqual(['/publisher/key_1']);
    expect(texts('summary')).toEqual(['1 setting']);
  });

  it('is in sections by day, newest first', async () => {
    const entries = ['2026-11-20T12:00:00.000Z', '2026-11-20T11:00:00.000Z', '2026-11-18T12:00:00.000Z'];
    open('/activity', () => ({ entries: entries.map((time, at) => entry(`${9 - at}`, { time })), next: null }));
    await found('.activity', 'Kayaks');
    expect(texts('.activity h3')).toEqual(['Friday, November 20, 2026', 'Wednesday, November 18, 2026']);
    expect(all('.activity section').map((day) => day.querySelectorAll('li').length)).toEqual([2, 1]);
  });

  it('continues with older changes at the end of a page, and goes back to the newest', async () => {
    const asked = open('/activity', ({ query }) =>
      query.includes('before=act_2')
        ? { entries: [entry('1', { name: 'Old kayaks' })], next: null }
        : { entries: [entry('2')], next: 'act_2' },
    );
    await found('.activity', 'Kayaks');
    await push('Older');
    await found('.activity', 'Old kayaks');
    expect([location.search, asked.at(-1)?.query]).toEqual(['?before=act_2', '?before=act_2']);
    await found('small', 'Changes are kept for 90 days.');
    await push('Newest');
    await waitFor(() => expect(texts('.activity a')).toEqual(['Kayaks']));
  });

  it('is filtered by what it is about, and the address keeps the filter', async () => {
    const both = [entry('2'), entry('1', { subject: 'wh_1', name: 'hooks.example' })];
    const asked = open('/activity', ({ query }) => ({
      entries: both.filter(({ subject }) => !query || query === `?subject=${subject}`),
      next: null,
    }));
    await found('.activity', 'hooks.example');
    const select = await found<HTMLSelectElement>('[aria-label="Show"]');
    select.value = 'cmp_1';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await waitFor(() => expect(texts('.activity a')).toEqual(['Kayaks']));
    expect([location.search, asked.at(-1)?.query]).toEqual(['?subject=cmp_1', '?subject=cmp_1']);
    expect(texts('[aria-label="Show"] option')).toEqual(['Everything', 'hooks.example', 'Kayaks']);
    await push('Show all');
    await waitFor(() => expect(texts('.activity a')).toHaveLength(2));
  });

  it('says so if nothing has changed', async () => {
    open('/activity', () => ({ entries: [], next: null }));
    await found('h2', 'Nothing has changed in the last 90 days');
    expect((await found('main a', 'Create a campaign')).getAttribute('href')).toBe('/campaigns/new');
    expect(document.querySelector('select')).toBeNull();
  });

  it('of one thing is not loaded before the visitor comes to its card', async () => {
    let see: (entries: { isIntersecting: boolean }[]) => void = () => {};
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(call: typeof see) {
          see = call;
        }
        observe = () => {};
        disconnect = () => {};
      },
    );
    const Card = () => ActivityCard({ subject: 'cmp_1', version: '1' });
    const asked = openDesk({ '/card': Card }, '/card', { [ACTIVITY]: () => ({ entries: [entry('1')], next: null }) });
    await found('[aria-label="Activity"] .skeleton');
    see([{ isIntersecting: false }]);
    expect(asked).toEqual([]);
    see([{ isIntersecting: true }]);
    await found('[aria-label="Activity"] li', 'Changed by you');
    expect(asked.map(({ query }) => query)).toEqual(['?subject=cmp_1&limit=5']);
    expect((await found('a', 'All activity')).getAttribute('href')).toBe('/activity?subject=cmp_1');
  });
});

describe('The statement of a month', () => {
  const line = (campaignId: string, spend: number) => ({
    ...{ campaignId, campaignName: `Kayaks ${campaignId}`, impressions: 1_000, clicks: 10, conversions: 1, spend },
  });
  const day = (date: string, campaigns: object[], spend: number, preliminary = false) => ({
    ...{ date, preliminary, spend, campaigns },
  });
  const spend = (days: object[], next: string | null = null) => ({
    ...{ kind: 'spend', month: '2026-10', currency: 'USD', spend: 12.5, days, next },
  });
  const open = (at: string, answer: Answers[string], answers: Answers = {}): ServiceCall[] =>
    openDesk({ '/statements': StatementsPage }, at, { [STATEMENTS]: answer, ...answers });
  const askedMonths = (asked: readonly ServiceCall[]) =>
    asked.filter(({ route }) => route === STATEMENTS).map(({ query }) => query);
  const rows = () =>
    all('.statement tr').map((row) => [...row.children].map(({ textContent }) => textContent).join(' | '));

  it('has a row for each day with its sums, its campaigns when asked for, and the total', async () => {
    const days = [
      day('2026-10-01', [line('a', 4), line('b', 6)], 10),
      day('2026-10-02', [], 0),
      day('2026-10-03', [line('a', 2.5)], 2.5, true),
    ];
    const asked = open('/statements?month=2026-10', () => spend(days));
    await found('h2', 'Spend in October 2026: $12.50');
    expect(rows()).toEqual([
      'Day (UTC) | Impressions | Clicks | Conversions | Spend',
      'Oct 1, 2026 2 campaigns | 2,000 | 20 | 2 | $10.00',
      'Oct 2, 2026 | 0 | 0 | 0 | $0.00',
      'Oct 3, 2026 1 campaignPreliminary | 1,000 | 10 | 1 | $2.50',
      'Total | 3,000 | 30 | 3 | $12.50',
    ]);
    await push('Oct 1, 2026');
    await found('.line a', 'Kayaks a');
    expect(all('.line a').map((link) => link.getAttribute('href'))).toEqual(['/campaigns/a', '/campaigns/b']);
    await push('Show campaigns');
    await waitFor(() => expect(all('.line')).toHaveLength(3));
    await push('Hide campaigns');
    await waitFor(() => expect(all('.line')).toHaveLength(0));
    expect(askedMonths(asked)).toEqual(['?month=2026-10&kind=spend']);
  });

  it('continues on request, and shows no sums of counts that it has in part', async () => {
    open('/statements?month=2026-10', ({ query }) =>
      query.includes('after=')
        ? spend([day('2026-10-01', [line('b', 6)], 10), day('2026-10-02', [line('a', 2.5)], 2.5)])
        : spend([day('2026-10-01', [line('a', 4)], 10)], '2026-10-01.1'),
    );
    await found('h2', 'October 2026');
    expect(rows().slice(1)).toEqual(['Oct 1, 2026 1 campaign | – | – | – | $10.00', 'Total | – | – | – | $12.50']);
    await push('Show more days');
    await waitFor(() => expect(rows()).toHaveLength(4));
    expect(rows().slice(1)).toEqual([
      'Oct 1, 2026 2 campaigns | 2,000 | 20 | 2 | $10.00',
      'Oct 2, 2026 1 campaign | 1,000 | 10 | 1 | $2.50',
      'Total | 3,000 | 30 | 3 | $12.50',
    ]);
  });

  it('of earnings lists keys, and its address keeps the kind and the month', async () => {
    const keys = [{ keyId: 'key_1', keyName: 'Chat', impressions: 5, clicks: 1, earnings: 0.02 }];
    open('/statements?month=2026-10', ({ query }) =>
      query.includes('earnings')
        ? {
            ...{ kind: 'earnings', month: '2026-10', currency: 'USD', earnings: 0.02, next: null },
            days: [{ date: '2026-10-01', preliminary: false, earnings: 0.02, keys }],
          }
        : spend([]),
    );
    await push('Earnings');
    await found('h2', 'Earnings in October 2026: $0.02');
    expect(location.search).toBe('?month=2026-10&kind=earnings');
    expect(rows()[1]).toBe('Oct 1, 2026 1 key | 5 | 1 | $0.02');
    const month = await found<HTMLSelectElement>('[aria-label="Month"]');
    month.value = month.options[0]!.value;
    month.dispatchEvent(new Event('change', { bubbles: true }));
    await waitFor(() => expect(location.search).toBe('?kind=earnings'));
  });

  it('by campaign sums up all its pages, with the same total, and its address says so', async () => {
    const asked = open('/statements?month=2026-10', ({ query }) =>
      query.includes('after=')
        ? spend([
            day('2026-10-01', [line('b', 6)], 10),
            day('2026-10-02', [{ ...line('a', 2.5), campaignName: 'Canoes' }], 2.5),
          ])
        : spend([day('2026-10-01', [line('a', 4)], 10)], '2026-10-01.1'),
    );
    await push('By campaign');
    await found('td', '$6.50');
    expect(location.search).toBe('?month=2026-10&by=campaign');
    // The largest first, by its latest name.
    expect(rows().map((row) => row.replace(/ impressions?.*conversions?(?= \|)/, ''))).toEqual([
      'Campaign | Impressions | Clicks | Conversions | Spend',
      'Canoes2,000 | 2,000 | 20 | 2 | $6.50',
      'Kayaks b1,000 | 1,000 | 10 | 1 | $6.00',
      'Total | 3,000 | 30 | 3 | $12.50',
    ]);
    expect((await found('h2')).textContent).toBe('Spend in October 2026: $12.50');
    expect(all('.card button').map(({ textContent }) => textContent)).toEqual(['Download CSV', 'Print']);
    expect(askedMonths(asked)).toEqual(
      ['', '', '&after=2026-10-01.1'].map((after) => `?month=2026-10&kind=spend${after}`),
    );
    await push('By day');
    await found('th', 'Day (UTC)');
    expect(location.search).toBe('?month=2026-10');
  });

  it('by key sums up earnings, and the switch of kinds keeps it', async () => {
    const key = { keyId: 'key_1', keyName: 'Chat', impressions: 5, clicks: 1, earnings: 0.02 };
    open('/statements?month=2026-10&kind=earnings&by=key', ({ query }) =>
      query.includes('earnings')
        ? {
            ...{ kind: 'earnings', month: '2026-10', currency: 'USD', earnings: 0.04, next: null },
            days: [1, 2].map((n) => ({ date: `2026-10-0${n}`, preliminary: false, earnings: 0.02, keys: [key] })),
          }
        : spend([day('2026-10-01', [line('a', 12.5)], 12.5)]),
    );
    await found('th', 'Chat');
    expect(rows()).toEqual([
      'Key | Impressions | Clicks | Earnings',
      'Chat10 impressions · 2 clicks | 10 | 2 | $0.04',
      'Total | 10 | 2 | $0.04',
    ]);
    await push('Spend');
    await found('.item a', 'Kayaks a');
    expect(location.search).toBe('?month=2026-10&by=campaign');
  });

  it.each(['', '&by=campaign'])('links to no campaign that was deleted%s', async (by) => {
    const days = [day('2026-10-01', [line('a', 4), line('b', 6)], 10)];
    open(`/statements?month=2026-10${by}`, () => spend(days), { 'GET /api/v1/campaigns': () => [{ id: 'a' }] });
    if (by === '') await push('Show campaigns');
    expect((await found('.tag', 'Deleted')).parentElement!.textContent).toContain('Kayaks b');
    expect(all('.statement a').map((link) => link.getAttribute('href'))).toEqual(['/campaigns/a']);
  });

  it('links to no key that was deleted', async () => {
    const keys = ['1', '2'].map((n) => ({ keyId: n, keyName: `Chat ${n}`, impressions: 5, clicks: 1, earnings: 0.02 }));
    open(
      '/statements?month=2026-10&kind=earnings&by=key',
      () => ({
        ...{ kind: 'earnings', month: '2026-10', currency: 'USD', earnings: 0.04, next: null },
        days: [{ date: '2026-10-01', preliminary: false, earnings: 0.04, keys }],
      }),
      { 'GET /api/v1/auth/api-keys': () => [{ id: '2' }] },
    );
    expect((await found('.tag', 'Deleted')).parentElement!.textContent).toContain('Chat 1');
    expect(all('.statement a').map((link) => link.getAttribute('href'))).toEqual(['/publisher/2']);
  });

  it('says so if there is none', async () => {
    open('/statements?month=2026-10', () => ({ ...spend([day('2026-10-01', [], 0)]), spend: 0 }));
    await found('h2', 'No spend in October 2026');
    expect(document.querySelector('table')).toBeNull();
  });

  it('is downloaded as one file, with the header once', async () => {
    const saved: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      saved.push(file as Blob);
      return 'blob:1';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    const asked = open('/statements?month=2026-10', ({ query }) => {
      if (!isCsv) return spend([day('2026-10-01', [line('a', 12.5)], 12.5)]);
      const isFirst = !query.includes('after=');
      const headers = {
        'content-type': 'text/csv',
        ...(isFirst && { link: '</api/v1/statements?month=2026-10&kind=spend&after=2026-10-01.1>; rel="next"' }),
      };
      return new Response(`date,spend\r\n2026-10-0${isFirst ? 1 : 2},1\r\n`, { headers });
    });
    let isCsv = false;
    await found('h2', 'October 2026');
    isCsv = true;
    await push('Download CSV');
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(await saved[0]!.text()).toBe('date,spend\r\n2026-10-01,1\r\n2026-10-02,1\r\n');
    expect(askedMonths(asked).slice(1)).toEqual([
      '?month=2026-10&kind=spend',
      '?month=2026-10&kind=spend&after=2026-10-01.1',
    ]);
  });
});
