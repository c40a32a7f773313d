import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import CampaignPage from '../../../web/campaigns/campaign-page.tsx';
import EditCampaignPage from '../../../web/campaigns/edit-page.tsx';
import NewCampaignPage from '../../../web/campaigns/new-page.tsx';
import { campaign } from './campaign.ts';
import { type Answers, closeDesk, found, openDesk, push, type, waitFor } from './desk.ts';

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  closeDesk();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const ONE = 'GET /api/v1/campaigns/camp_1';
const PREVIEW = 'POST /api/v1/campaigns/preview';

const SUGGESTIONS = [
  { keyword: 'trail running shoes', conversations: 4 },
  { keyword: 'marathon', conversations: 0 },
];

/** The reach of keywords by the conversations that each reaches. */
const toReach = (keywords: Record<string, number>, suggestions = SUGGESTIONS) => ({
  match: null,
  reach: {
    conversations: 700,
    campaign: 9,
    keywords: Object.entries(keywords).map(([keyword, conversations]) => ({
      ...{ keyword, conversations, add: [], hint: conversations === 0 ? 'We know no topic for this keyword.' : null },
    })),
    suggestions,
  },
});

/** Opens the form for a new campaign. Returns a function that lists the bodies of the previews. */
function openForm(answers: Answers = {}) {
  const asked = openDesk({ '/campaigns/new': NewCampaignPage }, '/campaigns/new', {
    [PREVIEW]: () => toReach({}),
    ...answers,
  });
  return () => asked.filter(({ route }) => route === PREVIEW).map(({ body }) => body);
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const getSuggested = () =>
  [...document.querySelectorAll('[aria-label="Suggested keywords"] button')].map(({ textContent }) => textContent);

it('suggests keywords with their reach when the texts have been typed, and adds one with a click', async () => {
  const getPreviews = openForm();
  await found('#field-name');
  await pass(10_000);
  expect(getPreviews()).toEqual([]);
  await type('#field-creative\\.headline', 'Trail');
  await pass(500);
  await type('#field-creative\\.headline', 'Trail shoes');
  await pass(500);
  expect(getPreviews()).toEqual([]);
  await pass(500);
  expect(getPreviews()).toMatchObject([{ campaign: { creative: { headline: 'Trail shoes' } } }]);
  await waitFor(() => expect(getSuggested()).toEqual(['+ trail running shoes · 4', '+ marathon · 0']));
  await found('small', 'Suggestions and how many of 700 sample conversations each reaches');
  await push('trail running shoes');
  await found('.tokens', 'trail running shoes');
  await waitFor(() => expect(getSuggested()).toEqual(['+ marathon · 0']));
});

it('asks only if a text that affects the reach has changed, and at most every five seconds', async () => {
  const getPreviews = openForm();
  await type('#field-creative\\.headline', 'Trail shoes');
  await pass(1_000);
  expect(getPreviews()).toHaveLength(1);
  await type('#field-budget', '25');
  await type('#field-creative\\.landingUrl', 'https://shoes.example/');
  await pass(20_000);
  expect(getPreviews()).toHaveLength(1);
  await type('#field-creative\\.headline', 'Shoes');
  await pass(1_000);
  expect(getPreviews()).toHaveLength(2);
  await type('#field-creative\\.headline', 'Light shoes');
  await pass(3_500);
  expect(getPreviews()).toHaveLength(2);
  await pass(1_500);
  expect(getPreviews()).toHaveLength(3);
  // Emptied fields have no suggestions.
  await type('#field-creative\\.headline', '');
  await waitFor(() => expect(getSuggested()).toEqual([]));
  await pass(20_000);
  expect(getPreviews()).toHaveLength(3);
});

it('does not ask again for texts that are as before', async () => {
  const getPreviews = openForm();
  await type('#field-creative\\.headline', 'Trail shoes');
  await pass(1_000);
  await type('#field-creative\\.headline', 'Trail shoes!');
  await type('#field-creative\\.headline', 'Trail shoes');
  await pass(20_000);
  expect(getPreviews()).toHaveLength(1);
});

it('suggests the phrases of a language model first', async () => {
  const phrases = [{ text: 'muddy trails', weight: 1 }];
  openDesk({ '/campaigns/:id/edit': EditCampaignPage }, '/campaigns/camp_1/edit', {
    [ONE]: () => campaign({ suggestedPhrases: phrases }),
    [PREVIEW]: () => toReach({ kayaks: 9 }),
  });
  await waitFor(() => expect(getSuggested()).toEqual(['+ muddy trails']));
  await pass(1_000);
  await waitFor(() =>
    expect(getSuggested()).toEqual(['+ muddy trails', '+ trail running shoes · 4', '+ marathon · 0']),
  );
});

it('reports that suggestions could not be loaded, and retries on request', async () => {
  let isFailing = true;
  openForm({ [PREVIEW]: () => (isFailing ? new Response('{}', { status: 503 }) : toReach({})) });
  await type('#field-name', 'Trail shoes');
  await pass(30_000);
  await found('.problem', 'We could not load suggestions and reach');
  isFailing = false;
  await push('Try again');
  await waitFor(() => expect(getSuggested()).toHaveLength(2));
  expect(document.querySelector('.problem')).toBeNull();
});

it.each([
  [{ kayaks: 8, xyl: 0 }, 'A full bar is 10 conversations.', 80],
  [{ kayaks: 60 }, 'A full bar is 100 conversations.', 60],
  [{ kayaks: 350 }, 'A full bar is 500 conversations.', 70],
  [{ kayaks: 630 }, 'A full bar is the whole sample.', 90],
])('draws the reach %j to a labeled scale', async (keywords, scale, percent) => {
  openDesk({ '/campaigns/:id': CampaignPage }, '/campaigns/camp_1', {
    [ONE]: () => campaign(),
    [PREVIEW]: () => toReach(keywords),
  });
  await found('section p', scale);
  const bar = await found(`[aria-label="Reach of kayaks: ${keywords.kayaks} conversations"] > div`);
  expect(bar.style.width).toBe(`${percent}%`);
});

it('warns next to a keyword without a topic', async () => {
  openDesk({ '/campaigns/:id': CampaignPage }, '/campaigns/camp_1', {
    [ONE]: () => campaign(),
    [PREVIEW]: () => toReach({ kayaks: 8, xyl: 0 }),
  });
  const warning = await found('.bars .warning', 'We know no topic for this keyword.');
  expect(warning.closest('li')!.textContent).toContain('xyl');
});

it('keeps a keyword open while an input method composes it', async () => {
  openForm();
  await type('#field-targetAudience\\.keywords', 'ランニング');
  const field = document.querySelector('#field-targetAudience\\.keywords')!;
  const press = (isComposing: boolean) =>
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing, bubbles: true, cancelable: true }));
  press(true);
  await pass(100);
  expect(document.querySelector('.tokens bdi')).toBeNull();
  press(false);
  await found('.tokens bdi', 'ランニング');
});
