import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import CampaignPage from '../../../web/campaigns/campaign-page.tsx';
import { campaign } from './campaign.ts';
import { type Answers, closeDesk, found, openDesk, toasts, waitFor } from './desk.ts';

const ONE = 'GET /api/v1/campaigns/camp_1';
const SAVE = 'PATCH /api/v1/campaigns/camp_1';
const TERMS = 'GET /api/v1/reports/terms';
const CARD = '[aria-label="What won"]';

/** Shows every part that waits to be seen. */
let see = () => {};

beforeEach(() => {
  const waiting: ((entries: { isIntersecting: boolean }[]) => void)[] = [];
  see = () => {
    for (const call of waiting) call([{ isIntersecting: true }]);
  };
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(call: (typeof waiting)[number]) {
        waiting.push(call);
      }
      observe = () => {};
      disconnect = () => {};
    },
  );
});

afterEach(() => {
  closeDesk();
  vi.unstubAllGlobals();
});

/** The UTC month so many months ago. */
function month(back: number): string {
  const at = new Date();
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1)).toISOString().slice(0, 7);
}

const row = (term: string, kind: string, impressions: number, clicks: number) => ({ term, kind, impressions, clicks });
const ROWS = [
  row('Kayaks', 'keyword', 1_200, 30),
  row('sit on top kayak', 'phrase', 800, 4),
  row('canoe', 'phrase', 20, 0),
  row('other', 'other', 90, 1),
];
const OLD = { createdAt: new Date(Date.parse(`${month(2)}-15`)).toISOString() };
const audience = (keywords: string[], excludedKeywords: string[] = []) => ({
  targetAudience: { ...campaign().targetAudience, keywords, excludedKeywords },
});

/** Opens the page of a campaign that is three months old, and comes to the card. */
async function open(answers: Answers = {}) {
  const asked = openDesk({ '/campaigns/:id': CampaignPage }, '/campaigns/camp_1', {
    [ONE]: () => campaign({ ...OLD, ...audience(['kayaks']) }),
    [`${ONE}/report`]: () => [],
    [TERMS]: () => ROWS,
    ...answers,
  });
  await found(`${CARD} h2`);
  see();
  return asked;
}

/** Opens the page of a campaign with these keywords, which saving changes. */
async function openStored(...lists: Parameters<typeof audience>) {
  const stored = audience(...lists);
  const asked = await open({
    [ONE]: () => campaign({ ...OLD, ...stored }),
    [SAVE]: ({ body }) => {
      const { targetAudience } = body as typeof stored;
      stored.targetAudience = { ...stored.targetAudience, ...targetAudience };
      return campaign({ ...OLD, ...stored });
    },
  });
  return { asked, stored };
}

const rows = () =>
  [...document.querySelectorAll(`${CARD} tbody tr`)].map((line) =>
    [...line.children].map(({ textContent }) => textContent).join(' | '),
  );
const askedMonths = (asked: Awaited<ReturnType<typeof open>>) =>
  asked.filter(({ route }) => route === TERMS).map(({ query }) => query);
const saved = (asked: Awaited<ReturnType<typeof open>>) =>
  asked.filter(({ route }) => route === SAVE).map(({ body }) => body);
const pushIn = async (label: string) => (await found(`${CARD} [aria-label="${label}"]`)).click();
const texts = () => toasts.all().map(({ text }) => text);

describe('The card of what won', () => {
  it('lists the terms of the last month with their figures, and says which are in the campaign', async () => {
    await open();
    await found(`${CARD} tbody`);
    expect(rows()).toEqual([
      'KayaksKeyword | 1,200 | 30 | 2.5% | In keywordsExclude',
      'sit on top kayakPhrase | 800 | 4 | 0.5% | Add as keywordExclude',
      'canoePhrase | 20 | 0 | 0.0% | Add as keywordExclude',
      'OtherShared by too few conversations | 90 | 1 | 1.1% | ',
    ]);
    await found(
      `${CARD} .explained`,
      'a term is named only if at least 5 conversations of at least 2 publishers had it in the month.',
    );
  });

  it('has the months since the campaign was created that are over, and loads one when it is chosen', async () => {
    const asked = await open();
    await found(`${CARD} tbody`);
    const select = await found<HTMLSelectElement>(`${CARD} select`);
    expect([...select.options].map(({ value }) => value)).toEqual([month(1), month(2)]);
    select.value = month(2);
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await waitFor(() =>
      expect(askedMonths(asked)).toEqual([1, 2].map((back) => `?campaignId=camp_1&month=${month(back)}`)),
    );
  });

  it('loads nothing before the visitor comes to it', async () => {
    const asked = openDesk({ '/campaigns/:id': CampaignPage }, '/campaigns/camp_1', {
      [ONE]: () => campaign(OLD),
      [`${ONE}/report`]: () => [],
      [TERMS]: () => ROWS,
    });
    await found(`${CARD} .skeleton`);
    expect(askedMonths(asked)).toEqual([]);
    see();
    await found(`${CARD} tbody`);
  });

  it('says when the first month of a new campaign is over, and asks for nothing', async () => {
    const asked = await open({ [ONE]: () => campaign({ createdAt: new Date().toISOString() }) });
    await found(`${CARD} p`, 'The first month of this campaign is over on');
    expect(document.querySelector(`${CARD} select`)).toBeNull();
    expect(askedMonths(asked)).toEqual([]);
  });

  it('says that a month has no terms', async () => {
    await open({ [TERMS]: () => [] });
    await found(`${CARD} p`, 'No keyword or phrase was counted in');
  });

  it('shows ten terms at first, and all when asked for', async () => {
    const many = Array.from({ length: 12 }, (_, n) => row(`kayak ${n}`, 'phrase', 100 - n, 0));
    await open({ [TERMS]: () => [...many, row('other', 'other', 5, 0)] });
    const button = await found(`${CARD} button`, 'Show all 12');
    expect(rows()).toHaveLength(11);
    button.click();
    await found(`${CARD} button`, 'Show fewer');
    expect(rows()).toHaveLength(13);
  });

  it('adds a phrase as a keyword to the lists as they are now, and takes it back', async () => {
    const { asked, stored } = await openStored(['kayaks', 'paddles']);
    await found(`${CARD} tbody`);
    stored.targetAudience = audience(['kayaks', 'paddles', 'oars']).targetAudience;
    await pushIn('Add as keyword: canoe');
    await waitFor(() => expect(texts()).toEqual(['“canoe” added to the keywords']));
    expect(saved(asked)).toEqual([{ targetAudience: { keywords: ['kayaks', 'paddles', 'oars', 'canoe'] } }]);
    await waitFor(() => expect(rows()[2]).toContain('In keywords'));
    toasts.all()[0]!.action!.run();
    await waitFor(() =>
      expect(saved(asked)[1]).toEqual({ targetAudience: { keywords: ['kayaks', 'paddles', 'oars'] } }),
    );
    await found(`${CARD} [aria-label="Add as keyword: canoe"]`);
  });

  it('excludes a term, which is then no keyword any more', async () => {
    const { asked } = await openStored(['kayaks', 'paddles']);
    await pushIn('Exclude: Kayaks');
    await waitFor(() => expect(rows()[0]).toBe('KayaksKeyword | 1,200 | 30 | 2.5% | ExcludedInclude'));
    expect(saved(asked)).toEqual([{ targetAudience: { keywords: ['paddles'], excludedKeywords: ['Kayaks'] } }]);
    expect(texts()).toEqual(['“Kayaks” excluded']);
  });

  it('includes an excluded term again, also long after it was excluded', async () => {
    const { asked } = await openStored(['paddles'], ['kayaks', 'oars']);
    await pushIn('Include: Kayaks');
    await waitFor(() => expect(rows()[0]).toBe('KayaksKeyword | 1,200 | 30 | 2.5% | Add as keywordExclude'));
    expect(saved(asked)).toEqual([{ targetAudience: { excludedKeywords: ['oars'] } }]);
    expect(texts()).toEqual(['“Kayaks” included again']);
    toasts.all()[0]!.action!.run();
    await waitFor(() => expect(rows()[0]).toBe('KayaksKeyword | 1,200 | 30 | 2.5% | ExcludedInclude'));
  });

  it('changes nothing twice, and shows why a change was rejected next to its term', async () => {
    const message = 'targetAudience.keywords must have at most 200 entries';
    const asked = await open({
      [SAVE]: () => Response.json({ error: 'Validation failed', message, statusCode: 400 }, { status: 400 }),
    });
    const button = await found(`${CARD} [aria-label="Add as keyword: canoe"]`);
    button.click();
    button.click();
    await found(`${CARD} tr:nth-child(3) [role=alert]`, message);
    expect(saved(asked)).toHaveLength(1);
    expect(texts()).toEqual([]);
  });
});
