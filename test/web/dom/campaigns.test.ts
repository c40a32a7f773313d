import { afterEach, expect, it, vi } from 'vitest';
import { OUTCOMES } from '../../../shared/platform/values/outcomes.ts';
import CampaignPage from '../../../web/campaigns/campaign-page.tsx';
import EditCampaignPage from '../../../web/campaigns/edit-page.tsx';
import CampaignsPage from '../../../web/campaigns/list-page.tsx';
import NewCampaignPage from '../../../web/campaigns/new-page.tsx';
import ChatPage from '../../../web/chat/chat.tsx';
import { campaign } from './campaign.ts';
import { type Answers, closeDesk, found, openDesk, push, type, waitFor } from './desk.ts';

afterEach(() => {
  closeDesk();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const ONE = 'GET /api/v1/campaigns/camp_1';
const reach = { conversations: 700, campaign: 7, keywords: [] };
const match = {
  ...{ outcome: 'won', means: '', fits: true, relevance: 1 },
  ...{ matched: [], price: null, others: null, own: [] },
};
const PREVIEW = 'POST /api/v1/campaigns/preview';

/** Opens the campaign's page with a fake service. */
const openCampaign = (answers: Answers) =>
  openDesk({ '/campaigns/:id': CampaignPage }, '/campaigns/camp_1', { [ONE]: () => campaign(), ...answers });

it('never shows the result of one conversation next to the text of another', async () => {
  let answer = (): unknown => ({ reach, match });
  openCampaign({
    [PREVIEW]: ({ body }) => (JSON.stringify(body).includes('messages') ? answer() : { reach, match: null }),
  });
  const trying = async (text: string) => {
    await type('textarea', text);
    await push('Try it');
  };
  await trying('Which kayak is quick?');
  expect((await found('.match')).textContent).toContain('Which kayak is quick?');
  answer = () => Response.json({ error: 'Bad Request', message: 'Too long' }, { status: 400 });
  await trying('Which car is quick?');
  await waitFor(() => expect(document.querySelector('.match')).toBeNull());
  await found('.problem', 'Too long');
  expect(document.querySelector('.match')).toBeNull();
});

it('shows at which strictness of a key a tried campaign would bid', async () => {
  const levels = [
    { adStrictness: 'strict', threshold: 0.75, fits: false },
    { adStrictness: 'balanced', threshold: 0.5, fits: true },
    { adStrictness: 'open', threshold: 0.4, fits: true },
  ];
  openCampaign({ [PREVIEW]: () => ({ reach, match: { ...match, levels } }) });
  await type('textarea', 'Which kayak is quick?');
  await push('Try it');
  const facts = [...(await found('.match .facts')).children].map(({ textContent }) => textContent);
  expect(facts).toEqual([
    'Relevance100%',
    'Publishers with strict ads from 75%It would not bid',
    'Most publishers from 50%It would bid',
    'Publishers with more ads from 40%It would bid',
  ]);
});

it('tries a conversation in a targeted country and in any other', async () => {
  const sent = async (countries: string[]) => {
    const asked = openCampaign({
      [ONE]: () => campaign({ targetAudience: { ...campaign().targetAudience, countries } }),
      [PREVIEW]: ({ body }) => ({ reach, match: JSON.stringify(body).includes('messages') ? match : null }),
    });
    const codes = () =>
      asked.flatMap(({ route, body }) => (route === PREVIEW ? [(body as { countryCode?: string }).countryCode] : []));
    await type('textarea', 'Which kayak is quick?');
    await push('Try it');
    await waitFor(() => expect(codes()).toHaveLength(2));
    const select = await found<HTMLSelectElement>('.reader select');
    select.value = 'JP';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await waitFor(() => expect(codes()).toHaveLength(3));
    const groups = [...select.querySelectorAll('optgroup')].map(({ label, children }) => [label, children.length]);
    closeDesk();
    return [codes(), select.options.length, groups];
  };
  expect(await sent([])).toEqual([['US', 'US', 'JP'], 250, []]);
  const groups = [
    ['Its countries', 2],
    ['Other countries', 248],
  ];
  expect(await sent(['FR', 'DE'])).toEqual([['FR', 'FR', 'JP'], 250, groups]);
});

it('explains why a resumed campaign stays paused', async () => {
  const because = (code: string) => ({ code, field: 'x', message: `The reason is ${code}.`, blocking: true });
  const serving = (...codes: string[]) => ({ serving: { eligible: false, reasons: codes.map(because) } });
  openCampaign({
    [ONE]: () => campaign({ status: 'paused', ...serving('paused') }),
    // Someone has spent the rest meanwhile.
    'PATCH /api/v1/campaigns/camp_1': () => campaign({ status: 'paused', ...serving('budget') }),
  });
  await push('Resume');
  await found('small.fault', 'The budget is spent. Add budget to resume.');
});

it('reports that the reach could not be loaded, and retries on request', async () => {
  let isFailing = true;
  openCampaign({ [PREVIEW]: () => (isFailing ? new Response('{}', { status: 503 }) : { reach, match: null }) });
  await found('[aria-label="Reach"] .problem', 'The service did not respond.');
  expect(document.querySelector('[aria-label="Loading the reach"]')).toBeNull();
  isFailing = false;
  await push('Try again');
  await found('[aria-label="Reach"]', '7 of 700');
  expect(document.querySelector('[aria-label="Reach"] .problem')).toBeNull();
});

/** A day in the past. */
const OVER = '2020-01-31T23:59:59.999Z';

it('copies fields that the form lacks, but no past dates', async () => {
  const CREATE = 'POST /api/v1/campaigns';
  const frequencyCap = { impressions: 2, per: 'conversation' };
  const asked = openDesk({ '/campaigns/new': NewCampaignPage }, '/campaigns/new?from=camp_1', {
    [ONE]: () => campaign({ frequencyCap, startDate: '2020-01-01T00:00:00.000Z', endDate: OVER }),
    [CREATE]: () => ({ id: 'camp_2' }),
  });
  await push('Launch');
  await waitFor(() => expect(asked.at(-1)?.route).toBe(CREATE));
  expect(asked.at(-1)?.body).toMatchObject({ status: 'active', frequencyCap, startDate: null, endDate: null });
});

it('reports that the original could not be loaded, and starts empty if it was deleted', async () => {
  vi.useFakeTimers();
  let status = 500;
  openDesk({ '/campaigns/new': NewCampaignPage }, '/campaigns/new?from=camp_1', {
    [ONE]: () => (status === 200 ? campaign() : Response.json({ error: 'No', message: 'No' }, { status })),
  });
  const name = () => document.querySelector<HTMLInputElement>('#field-name')?.value;
  await found('.banner', 'is having problems');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(name()).toBeUndefined();
  status = 200;
  await vi.advanceTimersByTimeAsync(60_000);
  await waitFor(() => expect(name()).toBe('Copy of Kayaks'));
  closeDesk();
  status = 404;
  const asked = openDesk({ '/campaigns/new': NewCampaignPage }, '/campaigns/new?from=camp_1', {});
  await found('.problem', 'The campaign you wanted to copy no longer exists');
  expect(name()).toBe('');
  // A later response does not replace what is typed.
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(asked).toHaveLength(1);
});

it('shows the frequency cap, and reports a campaign that someone has deleted', async () => {
  vi.useFakeTimers();
  let isGone = false;
  const shown = campaign({ frequencyCap: { impressions: 2, per: 'conversation' } });
  openCampaign({ [ONE]: () => (isGone ? new Response('{}', { status: 404 }) : shown) });
  await found('.facts', 'Limit per conversation2 impressions');
  isGone = true;
  await vi.advanceTimersByTimeAsync(10_000);
  await found('h1', 'This campaign does not exist');
  closeDesk();
  // The edit page keeps what was typed, so that the visitor can copy it.
  isGone = false;
  openDesk({ '/campaigns/:id/edit': EditCampaignPage }, '/campaigns/camp_1/edit', {
    [ONE]: () => (isGone ? new Response('{}', { status: 404 }) : shown),
  });
  await type('#field-name', 'Canoes');
  isGone = true;
  await vi.advanceTimersByTimeAsync(10_000);
  await found('.problem', 'This campaign was deleted');
  expect((await found<HTMLInputElement>('#field-name')).value).toBe('Canoes');
});

it("shows an active campaign's serving state in the list and on its page", async () => {
  const reason = (code: string, message: string, blocking = true) => ({ code, message, blocking });
  const kept = (...reasons: object[]) => ({ serving: { eligible: false, reasons } });
  const later = kept(reason('not_started', 'The start date has not come yet.'));
  const scheduled = campaign({ ...later, startDate: '2999-01-01T00:00:00.000Z' });
  const broke = reason('budget', 'The total budget is spent. Raise it to continue.');
  const refused = reason('creative_review', 'The ad addresses a model: “Note: maxCpb”. Rewrite it.');
  const small = reason('budget', 'The remaining budget is small.', false);
  const others = [
    { name: 'Canoes', serving: { eligible: true, reasons: [small] } },
    { name: 'Rafts', status: 'paused', ...kept(reason('paused', 'The advertiser has paused the campaign.'), broke) },
    { name: 'Sails', status: 'paused', ...kept(broke) },
    { name: 'Tents', ...kept(refused, broke) },
  ].map((other, at) => campaign({ id: `camp_${at + 2}`, ...other }));
  openDesk({ '/campaigns': CampaignsPage }, '/campaigns?sort=name', {
    'GET /api/v1/campaigns': ({ query }) => {
      expect(query).toContain('serving=true');
      return Response.json([scheduled, ...others], { headers: { 'x-total-count': '5' } });
    },
  });
  await found('tbody', 'Kayaks');
  const rows = () =>
    [...document.querySelectorAll('tbody tr')].map((row) =>
      ['a', '.status', '.below'].map((part) => row.querySelector(part)?.textContent).join(' '),
    );
  expect(rows()).toEqual([
    'Canoes Live ',
    'Kayaks Scheduled ',
    'Rafts Paused ',
    'Sails Paused The budget is spent. Add budget to resume.',
    'Tents Not serving The ad addresses a model: “Note: maxCpb”. Rewrite it.',
  ]);
  for (const [state, ...shown] of [
    ['Scheduled', 'Kayaks Scheduled '],
    ['Not serving', 'Tents Not serving The ad addresses a model: “Note: maxCpb”. Rewrite it.'],
    ['Live', 'Canoes Live '],
  ]) {
    await push(state!);
    await waitFor(() => expect(rows()).toEqual(shown));
  }
  closeDesk();
  openCampaign({ [ONE]: () => scheduled });
  await found('[aria-label="Serving"] h2', 'Scheduled');
  await found('[aria-label="Serving"] p time', '2999');
  await found('.status', 'Scheduled');
  await found('button', 'Pause');
});

it('reactivates a campaign that completed at its end date when the date is moved, and no other', async () => {
  const SAVE = 'PATCH /api/v1/campaigns/camp_1';
  const saved = async (endDate: string | null) => {
    const asked = openDesk({ '/campaigns/:id/edit': EditCampaignPage }, '/campaigns/camp_1/edit', {
      [ONE]: () => campaign({ status: 'completed', endDate }),
      [SAVE]: () => campaign(),
    });
    await type('#field-endDate', '2999-12-31');
    await push('Save');
    const sent = await waitFor(() => {
      const save = asked.find(({ route }) => route === SAVE);
      expect(save).toBeDefined();
      return save?.body;
    });
    closeDesk();
    return sent;
  };
  expect(await saved(OVER)).toEqual({ endDate: '2999-12-31', status: 'active' });
  expect(await saved(null)).toEqual({ endDate: '2999-12-31' });
});

it('shows the daily budget, and does not change it with the budget', async () => {
  const SAVE = 'PATCH /api/v1/campaigns/camp_1';
  const asked = openDesk({ '/campaigns/:id/edit': EditCampaignPage }, '/campaigns/camp_1/edit', {
    [ONE]: () => campaign(),
    [SAVE]: () => campaign(),
  });
  expect((await found<HTMLInputElement>('#field-dailyBudget')).value).toBe('100');
  await type('#field-budget', '500');
  await push('Save');
  await waitFor(() =>
    expect(asked.find(({ route }) => route === SAVE)?.body).toEqual({ budget: 500, expectedBudget: 100 }),
  );
});

it('does not overwrite a concurrent change of the budget before the visitor has seen it', async () => {
  const SAVE = 'PATCH /api/v1/campaigns/camp_1';
  let budget = 100;
  const asked = openDesk({ '/campaigns/:id/edit': EditCampaignPage }, '/campaigns/camp_1/edit', {
    [ONE]: () => campaign({ budget }),
    [SAVE]: ({ body }) => {
      const { expectedBudget } = body as { expectedBudget: number };
      if (expectedBudget === budget) return campaign();
      const details = [{ path: 'expectedBudget', message: `The budget is ${budget} USD now` }];
      const refusal = {
        error: 'Conflict',
        message: 'The budget has changed since it was read',
        statusCode: 409,
        details,
      };
      return Response.json(refusal, { status: 409 });
    },
  });
  const sent = () => asked.filter(({ route }) => route === SAVE).map(({ body }) => body);
  await type('#field-budget', '500');
  budget = 1_000;
  await push('Save');
  const told = 'The budget has changed since it was read. The budget is 1000 USD now. Save again to set yours.';
  await found('#about-budget', told);
  expect((await found('main')).textContent.split('has changed since')).toHaveLength(2); // said once
  await waitFor(() => expect(document.activeElement?.id).toBe('field-budget'));
  expect((await found<HTMLInputElement>('#field-budget')).value).toBe('500');
  await push('Save');
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()).toEqual([
    { budget: 500, expectedBudget: 100 },
    { budget: 500, expectedBudget: 1_000 },
  ]);
});

it('warns that an image without TLS is not shown, and saves it anyway', async () => {
  const asked = openDesk({ '/campaigns/:id/edit': EditCampaignPage }, '/campaigns/camp_1/edit', {
    [ONE]: () => campaign(),
    'PATCH /api/v1/campaigns/camp_1': () => campaign(),
  });
  const says = async (address: string) => {
    await type('[id="field-creative.imageUrl"]', address);
    await waitFor(async () => expect((await found('[aria-label="Preview"] img')).getAttribute('src')).toBe(address));
    return (await found('[id="about-creative.imageUrl"]')).textContent;
  };
  expect(await says('https://kayaks.example/1.png')).toBe('');
  expect(await says(`${location.origin}/assets/icon.svg`)).toBe('');
  expect(await says('http://kayaks.example/1.png')).toContain('This page and most chats do not load images over http');
  await push('Save');
  await waitFor(() =>
    expect(asked.find(({ route }) => route.startsWith('PATCH'))?.body).toEqual({
      creative: { imageUrl: 'http://kayaks.example/1.png' },
    }),
  );
});

it('focuses an invalid field, wherever it is in the body', async () => {
  openDesk({ '/campaigns/new': NewCampaignPage }, '/campaigns/new', {});
  await type('#field-name', 'Kayaks');
  await type('[id$="ageRange"]', '40-20');
  await push('Save as draft');
  await waitFor(() => expect(document.activeElement?.id).toBe('field-targetAudience.demographics.ageRange'));
});

it('focuses a list with a rejected entry, and shows the error there', async () => {
  const path = 'targetAudience.keywords.1';
  openDesk({ '/campaigns/new': NewCampaignPage }, '/campaigns/new', {
    'POST /api/v1/campaigns': () =>
      Response.json({ error: 'No', message: 'No', details: [{ path, message: 'None of these' }] }, { status: 400 }),
  });
  await type('#field-name', 'Kayaks');
  await push('Save as draft');
  await waitFor(() => expect(document.activeElement?.id).toBe('field-targetAudience.keywords'));
  await found('[id="about-targetAudience.keywords"]', 'None of these');
});

it('accepts a comma in a category name, and ends a keyword with one', async () => {
  openDesk({ '/campaigns/new': NewCampaignPage }, '/campaigns/new', {});
  const field = '[id$="categories"]';
  await type(field, 'Soundtracks, TV and Showtunes');
  expect(document.querySelector('.words')).toBeNull();
  const press = async (key: string) =>
    (await found(field)).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  await found('[role="option"]', 'Soundtracks, TV and Showtunes');
  await press('Enter');
  expect((await found('.words bdi')).textContent).toBe('Soundtracks, TV and Showtunes');
  await press('Backspace');
  await waitFor(() => expect(document.querySelector('.words')).toBeNull());
  await type('[id$="keywords"]', 'kayaks, paddles,');
  await waitFor(() => expect(document.querySelectorAll('.words bdi')).toHaveLength(2));
});

it('marks the matched words by position, in their own message', async () => {
  const matched = [
    {
      term: 'quick kayaks',
      kind: 'keyword',
      message: 2,
      positions: [
        { start: 6, end: 11 },
        { start: 24, end: 29 },
      ],
    },
    { term: 'boat', kind: 'phrase', message: 0, positions: [{ start: 2, end: 6 }] },
  ];
  openCampaign({
    [PREVIEW]: ({ body }) => ({
      reach,
      match: JSON.stringify(body).includes('messages') ? { ...match, matched } : null,
    }),
  });
  await type('textarea', 'User: A boat.\nAssistant: A quick boat?\nUser: Which kayak of yours is quick?');
  await push('Try it');
  const said = await found('.match blockquote');
  expect(said.textContent).toBe('User: A boat.Assistant: A quick boat?User: Which kayak of yours is quick?');
  expect([...said.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['boat', 'kayak', 'quick']);
});

it('marks the excluded keyword in the conversation', async () => {
  const { targetAudience } = campaign();
  const kept = { outcome: 'excluded_keyword', means: OUTCOMES.excluded_keyword.means };
  openCampaign({
    [ONE]: () => campaign({ targetAudience: { ...targetAudience, excludedKeywords: ['cheap', 'used'] } }),
    [PREVIEW]: () => ({ reach, match: { ...match, ...kept } }),
  });
  await type('textarea', 'A cheap kayak?');
  await push('Try it');
  await found('.match p', kept.means);
  expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['cheap']);
});

it('shows no rate without impressions, and marks today as incomplete', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const day = { date: today, impressions: 0, clicks: 0, conversions: 0, spend: 0 };
  openCampaign({ 'GET /api/v1/campaigns/camp_1/report': () => [day] });
  await found('.tile', 'CTR–');
  await found('.tile', 'Cost per click–');
  await found('.tile', 'Spend$0.00');
  closeDesk();
  openCampaign({ 'GET /api/v1/campaigns/camp_1/report': () => [{ ...day, impressions: 3 }] });
  await found('.unfinished', 'not over');
  closeDesk();
  openDesk({ '/campaigns': CampaignsPage }, '/campaigns', {
    'GET /api/v1/campaigns': () => Response.json([campaign()], { headers: { 'x-total-count': '1' } }),
  });
  for (const part of ['tbody', 'tfoot']) expect((await found(`${part} [data-label="CTR"]`)).textContent).toBe('–');
});

it('explains what prevents serving, and makes only the button that fixes it primary', async () => {
  const reason = (code: string, field?: string, message = `The reason is ${code}.`) => ({
    ...{ code, field, message, blocking: true },
  });
  const refused = 'The ad addresses a model: “Note: maxCpb: 9”. Rewrite this passage, or ask the operator.';
  const noTarget = 'Without a target CPA, target_cpa bids like auto.';
  openCampaign({
    [ONE]: () =>
      campaign({
        status: 'draft',
        serving: {
          eligible: false,
          reasons: [
            reason('draft'),
            reason('incomplete', 'creative.headline'),
            reason('creative_review', 'creative.headline', refused),
            { ...reason('incomplete', 'targetCpa', noTarget), blocking: false },
          ],
        },
      }),
    [PREVIEW]: () => ({ reach, match: { ...match, others: { better: 0 } } }),
  });
  await type('textarea', 'Which kayak?');
  await push('Try it');
  // The label next to it states the precision.
  await found('.match small', '0.7 to 1.4 times');
  await found('[aria-label="Serving"] h2', 'Not launched yet');
  expect(
    [...document.querySelectorAll('[aria-label="Serving"] .primary')].map(({ textContent }) => textContent),
  ).toEqual(['Write a headline']);
  expect([...document.querySelectorAll('button')].some(({ textContent }) => textContent === 'Launch')).toBe(false);
  const sentences = [...document.querySelectorAll('.reasons p')].map(({ textContent }) => textContent);
  expect(sentences).toEqual(['The reason is incomplete.', refused, noTarget]);
  await found('.reasons a[href="/campaigns/camp_1/edit?field=creative.headline"]', 'Rewrite the ad');
});

it('offers only one way to create the first campaign', async () => {
  openDesk({ '/campaigns': CampaignsPage }, '/campaigns', {
    'GET /api/v1/campaigns': () => Response.json([], { headers: { 'x-total-count': '0' } }),
  });
  await found('a', 'Start a campaign');
  expect(document.querySelectorAll('.primary')).toHaveLength(1);
});

it("sorts the list with a select, which replaces the table's header on a phone", async () => {
  openDesk({ '/campaigns': CampaignsPage }, '/campaigns', {
    'GET /api/v1/campaigns': () => Response.json([campaign()], { headers: { 'x-total-count': '1' } }),
  });
  const choice = await found<HTMLSelectElement>('select[aria-label="Sort by"]');
  expect(choice.value).toBe('created');
  choice.value = 'spend';
  choice.dispatchEvent(new Event('change', { bubbles: true }));
  await waitFor(() => expect(location.search).toBe('?sort=-spend'));
  await found('[aria-sort="descending"]', 'Spend / budget');
});

it('explains the ad that was clicked last, even if it is from an earlier turn', async () => {
  Element.prototype.scrollTo ??= () => {};
  let bids = 0;
  const clicks = { valid: 0, repeat: 0 };
  const ad = (name: string) => ({
    adText: `The text of the ${name} ad`,
    redirectUrl: `${location.origin}/api/v1/click/${name}`,
    nativeAd: { assets: [], ext: { disclosure: { label: 'Sponsored' } } },
  });
  openDesk({ '/chat': ChatPage }, '/chat', {
    'POST /api/v1/ssp/bid': () => ({ bidId: `bid_${++bids}`, bid: bids }),
    'GET /api/v1/ssp/ad/bid_1': () => ({ ...ad('first'), debug: { clicks: { ...clicks } } }),
    'GET /api/v1/ssp/ad/bid_2': () => ad('second'),
    'GET /api/v1/click/first': () => {
      clicks.valid++;
      return new Response(null, { status: 302, headers: { location: 'https://shop.example/' } });
    },
  });
  const say = async (text: string) => {
    await type('[name="content"]', text);
    await push('Send');
  };
  await say('Which tent?');
  await found('.story', 'The text of the first ad');
  await say('Which boots?');
  await found('.story', 'The text of the second ad');
  (await found('.ad button')).click();
  await found('.story', 'the ad came from a test key');
  expect((await found('.story')).textContent).toContain('The text of the first ad');
});

it('estimates how long the budget lasts from the days on which the campaign could serve', async () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString();
  for (const [createdAt, startDate, words] of [
    [day(30), null, 'At last week’s pace the remaining budget lasts 6 days.'],
    [day(1), null, 'At its pace so far the remaining budget lasts 1 day.'],
    [day(30), day(2), 'At its pace so far the remaining budget lasts 2 days.'],
    [day(0), null, 'At its pace so far the remaining budget lasts 1 day.'],
  ] as const) {
    openCampaign({
      [ONE]: () => campaign({ budget: 140, dailyBudget: 140, spentBudget: 70, createdAt, startDate }),
      // Today is not over, and a day before the last week does not count.
      [`${ONE}/report`]: () =>
        Array.from({ length: 30 }, (_, back) => ({
          date: day(back).slice(0, 10),
          spend: back === 1 ? 70 : back === 0 || back > 6 ? 500 : 0,
        })),
    });
    await found('[aria-label="Budget"] small', words);
    closeDesk();
  }
});

it('loads the last week once if the chosen days do not contain it', async () => {
  const week = [{ date: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10), spend: 70 }];
  const asked = openDesk({ '/campaigns/:id': CampaignPage }, '/campaigns/camp_1?from=2026-03-01&to=2026-03-09', {
    [ONE]: () => campaign({ budget: 140, dailyBudget: 140, spentBudget: 70, createdAt: '2026-02-01T09:00:00.000Z' }),
    [`${ONE}/report`]: ({ query }) => (query.includes('from=2026-03-01') ? [] : week),
  });
  await found('[aria-label="Budget"] small', 'At last week’s pace the remaining budget lasts 6 days.');
  await push('30 days');
  await waitFor(() => expect(asked.filter(({ route }) => route === ONE)).toHaveLength(2));
  expect(asked.filter(({ route, query }) => route === `${ONE}/report` && !query.includes('by='))).toHaveLength(1);
});

it('polls a list less often if it takes several requests', async () => {
  vi.useFakeTimers();
  const all = Array.from({ length: 2_500 }, (_, at) => campaign({ id: `camp_${at}`, name: `Kayaks ${at}` }));
  const asked = openDesk({ '/campaigns': CampaignsPage }, '/campaigns', {
    'GET /api/v1/campaigns': ({ query }) => {
      const offset = Number(new URLSearchParams(query).get('offset'));
      return Response.json(all.slice(offset, offset + 1_000), { headers: { 'x-total-count': '2500' } });
    },
  });
  await found('tbody', 'Kayaks');
  await vi.advanceTimersByTimeAsync(1_000);
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(25_000);
  expect(asked).toHaveLength(before);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveLength(before + 3);
});

it('shows in its settings all that was saved', async () => {
  const { targetAudience } = campaign();
  openDesk({ '/campaigns/:id': CampaignPage }, '/campaigns/camp_1', {
    [ONE]: () =>
      campaign({ targetAudience: { ...targetAudience, demographics: { interests: ['Boats'], ageRange: '18-35' } } }),
  });
  const settings = await found('[aria-label="Settings"]', '18-35');
  expect(settings.textContent).toContain('InterestsBoats');
  expect(settings.textContent).toContain('Age range (for your records)');
});
