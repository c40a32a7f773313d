import { afterEach, expect, it, vi } from 'vitest';
import CampaignPage from '../../../web/campaigns/campaign-page.tsx';
import EditCampaignPage from '../../../web/campaigns/edit-page.tsx';
import NewCampaignPage from '../../../web/campaigns/new-page.tsx';
import { type Answers, closeDesk, found, openDesk, push, type } from './desk.ts';

afterEach(() => {
  closeDesk();
  vi.unstubAllGlobals();
});

const campaign = (others: object = {}) => ({
  ...{ id: 'camp_1', name: 'Kayaks', description: '', status: 'active', pausedReason: null, bidStrategy: 'auto' },
  ...{ budget: 100, dailyBudget: 100, spentBudget: 0, remainingBudget: 100, maxCpb: 1, targetCpa: null },
  ...{ startDate: null, endDate: null, frequencyCap: null, suggestedPhrases: [] },
  targetAudience: {
    ...{ keywords: ['kayaks'], excludedKeywords: [], categories: [], countries: [], languages: [] },
    demographics: { interests: [], ageRange: null },
  },
  creative: {
    ...{ headline: 'Kayaks', description: '', callToAction: '', landingUrl: 'https://kayaks.example/' },
    ...{ imageUrl: '', videoUrl: '', thumbnailUrl: '', sponsoredBy: '' },
  },
  performance: { impressions: 0, clicks: 0, conversions: 0, ctr: 0 },
  serving: { eligible: true, reasons: [] },
  ...others,
});
const ONE = 'GET /api/v1/campaigns/camp_1';
const PREVIEW = 'POST /api/v1/campaigns/preview';

/** The page of the campaign, of a service that answers so. */
const openCampaign = (answers: Answers) =>
  openDesk({ '/campaigns/:id': CampaignPage }, '/campaigns/camp_1', { [ONE]: () => campaign(), ...answers });

it('never shows what came of one conversation beside the words of another', async () => {
  const reach = { conversations: 700, campaign: 7, keywords: [] };
  const match = {
    ...{ outcome: 'won', means: '', fits: true, relevance: 1, matched: [], price: null, others: null, own: [] },
  };
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
  await vi.waitFor(() => expect(document.querySelector('.match')).toBeNull());
  await found('.problem', 'Too long');
  expect(document.querySelector('.match')).toBeNull();
});

/** A day that is long over. */
const OVER = '2020-01-31T23:59:59.999Z';

it('copies what the form has no field for, and no day that is over', async () => {
  const CREATE = 'POST /api/v1/campaigns';
  const frequencyCap = { impressions: 2, per: 'conversation' };
  const asked = openDesk({ '/campaigns/new': NewCampaignPage }, '/campaigns/new?from=camp_1', {
    [ONE]: () => campaign({ frequencyCap, startDate: '2020-01-01T00:00:00.000Z', endDate: OVER }),
    [CREATE]: () => ({ id: 'camp_2' }),
  });
  await push('Launch');
  await vi.waitFor(() => expect(asked.at(-1)?.route).toBe(CREATE));
  expect(asked.at(-1)?.body).toMatchObject({ status: 'active', frequencyCap, startDate: null, endDate: null });
});

it('tells how often a campaign may be shown', async () => {
  openCampaign({ [ONE]: () => campaign({ frequencyCap: { impressions: 2, per: 'conversation' } }) });
  await found('.facts', 'Shown at most2 times in a conversation');
});

it('runs a campaign that its end has completed again when its end is put off, and no other', async () => {
  const SAVE = 'PATCH /api/v1/campaigns/camp_1';
  const saved = async (endDate: string | null) => {
    const asked = openDesk({ '/campaigns/:id/edit': EditCampaignPage }, '/campaigns/camp_1/edit', {
      [ONE]: () => campaign({ status: 'completed', endDate }),
      [SAVE]: () => campaign(),
    });
    await type('#field-endDate', '2999-12-31');
    await push('Save');
    const sent = await vi.waitFor(() => {
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
