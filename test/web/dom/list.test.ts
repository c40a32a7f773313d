import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import CampaignsPage from '../../../web/campaigns/list-page.tsx';
import { campaign } from './campaign.ts';
import { type Answers, closeDesk, found, openDesk, push, waitFor } from './desk.ts';

afterEach(() => {
  closeDesk();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

type Campaign = ReturnType<typeof campaign> & Record<string, unknown>;

const PAUSED = { code: 'paused', field: 'status', message: 'Paused.', blocking: true };
const userPaused = { status: 'paused', serving: { eligible: false, reasons: [PAUSED] } };
const spentPaused = {
  status: 'paused',
  serving: { eligible: false, reasons: [{ ...PAUSED, code: 'daily_budget', field: 'dailyBudget' }] },
};

/** The service's campaigns. A change of the status takes effect at once, but the list stays as it was when it was read. */
let all: Campaign[];
/** Responses to changes by campaign, instead of success. */
let refusals: Record<string, () => unknown>;
let time: number;

beforeEach(() => {
  all = [];
  refusals = {};
  time = Date.parse('2026-11-20T09:00:00.000Z');
});

const named = (name: string, others: object = {}) => campaign({ id: name, name, ...others }) as Campaign;

function change(id: string, { status }: { status: string }): unknown {
  const refusal = refusals[id]?.();
  if (refusal) return refusal;
  const others = status === 'paused' ? userPaused : { status, serving: { eligible: true, reasons: [] } };
  return named(id, { ...others, updatedAt: new Date(++time).toISOString() });
}

/** Opens the list of these campaigns. Returns the requests that changed one, as `status name`. */
async function openList(campaigns: Campaign[], at = '/campaigns?sort=name') {
  all = campaigns;
  const answers: Answers = {
    'GET /api/v1/campaigns': () => Response.json(all, { headers: { 'x-total-count': String(all.length) } }),
  };
  for (const { id } of all)
    answers[`PATCH /api/v1/campaigns/${id}`] = ({ body }) => change(id, body as { status: string });
  const asked = openDesk({ '/campaigns': CampaignsPage }, at, answers);
  await found('tbody', campaigns[0]!.name);
  return () =>
    asked.flatMap(({ route, body }) =>
      route.startsWith('PATCH') ? [`${(body as { status: string }).status} ${route.split('/').at(-1)}`] : [],
    );
}

const rows = () =>
  [...document.querySelectorAll('tbody tr')].map(
    (row) => `${row.querySelector('a')!.textContent} ${row.querySelector('.status')!.textContent}`,
  );
const select = async (name: string, more: MouseEventInit = {}) =>
  (await found(`tbody [aria-label="Select ${name}"]`)).dispatchEvent(
    new MouseEvent('click', { bubbles: true, ...more }),
  );
const pushIn = async (name: string) => (await found(`tbody [aria-label="${name}"]`)).click();
const selectShown = async () => (await found('thead input')).click();
const bar = (text: string) => found('.bulk', text);
const checked = () =>
  [...document.querySelectorAll<HTMLInputElement>('tbody input')].map(({ checked: isChecked }) => isChecked);

const ROW = ['Ant', 'Bee', 'Cat', 'Dog'];

describe('The selection of campaigns', () => {
  it('pauses and resumes those that it fits with one request each, and shows the result without loading the list', async () => {
    const sent = await openList([
      named('Ant'),
      named('Bee', userPaused),
      named('Cat', { status: 'draft' }),
      named('Dog', spentPaused),
    ]);
    await selectShown();
    await bar('4 selected');
    await push('Pause 2');
    await found('.toast', '2 campaigns paused');
    expect(sent()).toEqual(['paused Ant', 'paused Dog']);
    await waitFor(() => expect(rows()).toEqual(['Ant Paused', 'Bee Paused', 'Cat Draft', 'Dog Paused']));
    await bar('2 selected');
    await push('Resume 1');
    await found('.toast', '1 campaign resumed');
    expect(sent()).toEqual(['paused Ant', 'paused Dog', 'active Bee']);
    await waitFor(() => expect(rows()[1]).toBe('Bee Live'));
    await bar('Only live and paused campaigns can be paused or resumed.');
    await push('Clear selection');
    await waitFor(() => expect(document.querySelector('.bulk')).toBeNull());
  });

  it('extends from the last click to a click while Shift is held', async () => {
    await openList(ROW.map((name) => named(name)));
    await select('Bee');
    await waitFor(() => expect(checked()).toEqual([false, true, false, false]));
    await select('Dog', { shiftKey: true });
    await waitFor(() => expect(checked()).toEqual([false, true, true, true]));
    const header = await found<HTMLInputElement>('thead input');
    expect([header.checked, header.indeterminate]).toEqual([false, true]);
    await selectShown();
    await waitFor(() => expect(checked()).toEqual([true, true, true, true]));
    await selectShown();
    await waitFor(() => expect(checked()).toEqual([false, false, false, false]));
  });

  it('covers other pages only if the visitor asks for it', async () => {
    const sent = await openList(Array.from({ length: 60 }, (_, at) => named(`Kayak${at + 10}`)));
    await selectShown();
    await bar('50 selected');
    await push('Select all 60');
    await bar('60 selected');
    await push('Pause 60');
    await found('.toast', '60 campaigns paused');
    expect(new Set(sent()).size).toBe(60);
  });

  it('waits while the service refuses requests, counts down, and goes on', async () => {
    vi.useFakeTimers();
    const sent = await openList(ROW.map((name) => named(name)));
    let isRefused = true;
    const refusal = () =>
      Response.json({ error: 'Too Many Requests' }, { status: 429, headers: { 'retry-after': '12' } });
    refusals = { Cat: () => (isRefused ? refusal() : undefined) };
    await selectShown();
    await push('Pause 4');
    await bar('Paused 2 of 4 campaigns. Continues in 12 s.');
    expect(rows()).toEqual(['Ant Paused', 'Bee Paused', 'Cat Live', 'Dog Live']);
    await vi.advanceTimersByTimeAsync(5_000);
    await bar('Continues in 7 s.');
    expect(sent()).toHaveLength(3);
    isRefused = false;
    await vi.advanceTimersByTimeAsync(7_000);
    await found('.toast', '4 campaigns paused');
  });

  it('stops when the visitor asks for it, and keeps the rest selected', async () => {
    vi.useFakeTimers();
    const sent = await openList(ROW.map((name) => named(name)));
    refusals = { Cat: () => new Response('{}', { status: 429, headers: { 'retry-after': '60' } }) };
    await selectShown();
    await push('Pause 4');
    await bar('Continues in 60 s.');
    await push('Stop');
    await bar('Paused 2 of 4 campaigns. Stopped.');
    await bar('2 selected');
    await vi.advanceTimersByTimeAsync(120_000);
    expect(sent()).toHaveLength(3);
  });

  it('reports by name what could not be changed, and what did not last', async () => {
    const sent = await openList(ROW.map((name) => named(name, userPaused)));
    refusals = {
      Ant: () => Response.json({ error: 'Not Found', message: 'Campaign not found' }, { status: 404 }),
      Cat: () => Response.json(named('Cat', { ...spentPaused, updatedAt: '2026-11-21T00:00:00.000Z' })),
    };
    await selectShown();
    await push('Resume 4');
    await bar('Resumed 2 of 4 campaigns.');
    await bar('Dismiss');
    expect([...document.querySelectorAll('.failures li')].map(({ textContent }) => textContent)).toEqual([
      'Ant Campaign not found',
      'Cat Today’s budget is spent. It resumes tomorrow (UTC).',
    ]);
    expect(sent()).toHaveLength(4);
  });

  it('ends at the first failure of the service itself', async () => {
    const sent = await openList(ROW.map((name) => named(name)));
    refusals = { Bee: () => new Response('{}', { status: 503 }) };
    await selectShown();
    await push('Pause 4');
    await bar('Paused 1 of 4 campaigns. The service did not respond.');
    await bar('3 selected');
    expect(sent()).toEqual(['paused Ant', 'paused Bee']);
    expect(rows()).toEqual(['Ant Paused', 'Bee Live', 'Cat Live', 'Dog Live']);
  });

  it('skips and names those that could not serve, and those that do not', async () => {
    const noBudget = { code: 'budget', field: 'budget', message: 'It has no budget.', blocking: true };
    const lacking = { eligible: false, reasons: [PAUSED, noBudget] };
    const sent = await openList([
      named('Ant', { ...userPaused, budget: 0, serving: lacking }),
      named('Bee', userPaused),
      named('Cat', userPaused),
    ]);
    const notServing = { eligible: false, reasons: [{ ...noBudget, message: 'It is not serving.' }] };
    refusals = { Cat: () => named('Cat', { budget: 0, serving: notServing, updatedAt: '2026-11-21T00:00:00.000Z' }) };
    await selectShown();
    await push('Resume 3');
    await bar('Resumed 1 of 3 campaigns.');
    await bar('Dismiss');
    expect([...document.querySelectorAll('.failures li')].map(({ textContent }) => textContent)).toEqual([
      'Ant It has no budget.',
      'Cat It is not serving.',
    ]);
    expect(sent()).toEqual(['active Bee', 'active Cat']);
    expect(document.querySelector('.toast')).toBeNull();
  });

  it('asks in its own words before the visitor leaves it under way', async () => {
    await openList(ROW.map((name) => named(name)));
    const answer = Promise.withResolvers<unknown>();
    refusals = { Bee: () => answer.promise };
    const questions: string[] = [];
    vi.stubGlobal('confirm', (question: string) => {
      questions.push(question);
      return false;
    });
    await selectShown();
    await push('Pause 4');
    await bar('Paused 1 of 4 campaigns.');
    await push('Publisher');
    expect(questions).toEqual(['3 of 4 campaigns are not paused yet. Leave anyway?']);
    answer.resolve(named('Bee', userPaused));
    await found('.toast', '4 campaigns paused');
  });
});

describe('The total', () => {
  const total = async () => (await found('tfoot tr')).textContent;

  it('leaves out canceled campaigns and says so, unless the filter shows them', async () => {
    const performance = { impressions: 100, clicks: 5, conversions: 2, ctr: 0.05 };
    const numbers = { budget: 100, spentBudget: 40, spentToday: 3, performance };
    await openList([named('Ant', numbers), named('Bee', { ...numbers, status: 'cancelled' })]);
    expect(await total()).toBe('Total without canceled 1 campaign$40.00 / $100.00$3.0010055.0%2$20.00 each–');
    await push('Canceled');
    await waitFor(async () => expect(await total()).toMatch(/^Total 1 campaign\$40\.00/));
    expect(rows()).toEqual(['Bee Canceled']);
    await push('Live');
    await waitFor(async () => expect(await total()).toMatch(/^Total 1 campaign\$40\.00/));
  });
});

describe('The order', () => {
  it('follows any column, the most first for numbers, and is announced on that column alone', async () => {
    const conversions = (count: number) => ({ ...campaign().performance, conversions: count });
    await openList([
      named('Ant', { spentToday: 1, performance: conversions(3), status: 'completed' }),
      named('Bee', { spentToday: 2, performance: conversions(1), ...userPaused }),
      named('Cat', { spentToday: 0, performance: conversions(2) }),
    ]);
    const names = () => rows().map((row) => row.slice(0, 3));
    const sorted = () =>
      [...document.querySelectorAll('[aria-sort]')].map(
        (cell) => `${cell.textContent} ${cell.getAttribute('aria-sort')}`,
      );
    expect(sorted()).toEqual(['Campaign↑ ascending']);
    for (const [column, order, expected] of [
      ['Today (UTC)', '↓ descending', ['Bee', 'Ant', 'Cat']],
      ['Today (UTC)', '↑ ascending', ['Cat', 'Ant', 'Bee']],
      ['Conversions', '↓ descending', ['Ant', 'Cat', 'Bee']],
      ['Status', '↑ ascending', ['Cat', 'Bee', 'Ant']],
    ] as const) {
      (await found('thead button', column)).click();
      await waitFor(() => expect(names()).toEqual(expected));
      expect(sorted()).toEqual([`${column}${order}`]);
    }
    expect(document.querySelectorAll('thead button .order')).toHaveLength(9);
  });
});

describe('A row', () => {
  it('says what its button does while it does it, and the new state at once', async () => {
    const sent = await openList([named('Ant')]);
    const answer = Promise.withResolvers<unknown>();
    refusals = { Ant: () => answer.promise };
    await pushIn('Pause Ant');
    await found('tbody button', 'Pausing…');
    answer.resolve(named('Ant', { ...userPaused, updatedAt: '2026-11-21T00:00:00.000Z' }));
    await found('tbody button', 'Resume');
    await found('.toast', 'Ant paused');
    expect([sent(), rows()]).toEqual([['paused Ant'], ['Ant Paused']]);
  });

  it('explains why a change failed, in its own place', async () => {
    await openList([named('Ant')]);
    refusals = { Ant: () => Response.json({ error: 'Conflict', message: 'Someone else changed it' }, { status: 409 }) };
    await pushIn('Pause Ant');
    await found('tbody [role="alert"]', 'Someone else changed it');
    expect(rows()).toEqual(['Ant Live']);
  });

  it('leads a draft that lacks something to its form, and launches any other', async () => {
    const reason = (code: string, field: string) => ({
      code,
      field,
      message: `The reason is ${code}.`,
      blocking: true,
    });
    const draft = (...reasons: object[]) => ({ status: 'draft', serving: { eligible: false, reasons } });
    await openList([
      named('Ant', draft(reason('draft', 'status'), reason('incomplete', 'creative.headline'))),
      named('Bee', draft(reason('draft', 'status'))),
    ]);
    const actions = [...document.querySelectorAll('tbody .end')].map(({ textContent }) => textContent);
    expect(actions).toEqual(['Finish', 'Launch']);
    expect((await found('[aria-label="Finish Ant"]')).getAttribute('href')).toBe('/campaigns/Ant/edit?launch=1');
  });
});

it('shows why the list could not be loaded, without a placeholder', async () => {
  openDesk({ '/campaigns': CampaignsPage }, '/campaigns', {
    'GET /api/v1/campaigns': () => Response.json({ error: 'No', message: 'No such query' }, { status: 400 }),
  });
  await found('.problem', 'No such query');
  expect(document.querySelector('.skeleton')).toBeNull();
});

it('offers to finish a paused campaign that lacks something instead of resuming it', async () => {
  const noBudget = { code: 'budget', field: 'budget', message: 'No budget.', blocking: true };
  const spent = { ...noBudget, code: 'daily_budget', field: 'dailyBudget' };
  await openList([
    named('Ant', { ...userPaused, serving: { eligible: false, reasons: [PAUSED, noBudget] } }),
    // This passes by itself.
    named('Bee', { ...userPaused, serving: { eligible: false, reasons: [PAUSED, spent] } }),
  ]);
  const actions = [...document.querySelectorAll('tbody .end')].map(({ textContent }) => textContent);
  expect(actions).toEqual(['Finish', 'Resume']);
});
