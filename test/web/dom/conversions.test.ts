import { afterEach, describe, expect, it, vi } from 'vitest';
import CampaignPage from '../../../web/campaigns/campaign-page.tsx';
import EditCampaignPage from '../../../web/campaigns/edit-page.tsx';
import { campaign } from './campaign.ts';
import { type Answers, closeDesk, found, openDesk, push, type, waitFor } from './desk.ts';

afterEach(() => {
  closeDesk();
  vi.unstubAllGlobals();
});

const DAY_MS = 24 * 60 * 60 * 1000;
const GET = 'GET /api/v1/campaigns/camp_1';
const REPORT = `${GET}/report`;
const PATCH = 'PATCH /api/v1/campaigns/camp_1';
const TEST = 'POST /api/v1/conversions/test';
const PAGES = { '/campaigns/:id': CampaignPage, '/campaigns/:id/edit': EditCampaignPage };
const open = (answers: Answers, at = '/campaigns/camp_1') =>
  openDesk(PAGES, at, { [GET]: () => campaign(), [REPORT]: () => [], ...answers });
const CARD = '[aria-label="Conversions"]';

describe('The card of conversions', () => {
  const getStatus = async (others: object) => {
    open({ [GET]: () => campaign(others) });
    const status = (await found(`${CARD} .status`)).textContent;
    closeDesk();
    return status;
  };

  it('says whether conversions arrive, also for a campaign from before the service noted it', async () => {
    expect(await getStatus({})).toBe('Never received');
    const lastConversionAt = new Date(Date.now() - 3 * 60_000).toISOString();
    const received = await getStatus({ conversionStatus: { lastConversionAt, lastTestAt: null } });
    expect(received).toContain('Last received 3 minutes ago');
    const performance = { ...campaign().performance, conversions: 4 };
    expect(await getStatus({ performance })).toBe('Received');
    expect(await getStatus({ performance, conversionStatus: undefined })).toBe('Received');
  });

  it('has code with the address, the campaign, and the user, in each language', async () => {
    open({});
    for (const language of ['curl', 'TypeScript', 'Python']) {
      await push(language);
      const text = (await found(`${CARD} pre`)).textContent;
      for (const part of [`${location.origin}/api/v1/conversions`, 'camp_1', 'x-user-id', 'alice'])
        expect(text, language).toContain(part);
    }
    expect((await found(`${CARD} [aria-pressed=true]`)).textContent).toBe('Python');
    expect(document.querySelector(`${CARD} pre .hljs-string`)).not.toBeNull();
    expect(document.querySelector<HTMLAnchorElement>(`${CARD} a`)?.getAttribute('href')).toBe('/docs/conversions');
  });

  it('sends one test however often the button is pressed, and shows that it was received', async () => {
    let respond = (_: unknown) => {};
    const asked = open({
      [TEST]: () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
    });
    const button = await found(`${CARD} button`, 'Send test');
    button.click();
    button.click();
    await found(`${CARD} [role=status]`, 'Sending the test');
    expect(button.ariaDisabled).toBe('true');
    const sent = { campaignId: 'camp_1', conversionType: 'purchase', value: 89.9 };
    respond({ ...sent, currency: 'USD', counted: false, createdAt: new Date().toISOString() });
    await found(`${CARD} [role=status]`, 'The test was received: purchase, $89.90. Tests count nowhere.');
    expect(asked.flatMap(({ route, body }) => (route === TEST ? [body] : []))).toEqual([sent]);
  });

  it('says why a test was rejected, and when the last one arrived', async () => {
    const lastTestAt = new Date(Date.now() - 2 * 3_600_000).toISOString();
    open({
      [GET]: () => campaign({ conversionStatus: { lastConversionAt: null, lastTestAt } }),
      [TEST]: () => Response.json({ error: 'Not found', message: 'Campaign not found' }, { status: 404 }),
    });
    await found(`${CARD} .notice`, 'Last test: 2 hours ago');
    await push('Send test');
    await found(`${CARD} [role=alert]`, 'Campaign not found');
  });
});

describe('Excluded publishers and the conversion window', () => {
  const [BEST, OTHER] = ['pub_7F3KQ2M9XW4A', 'pub_000000000000'];
  const rows = [
    { date: '2026-11-20', by: 'publisher', value: BEST, label: 'Trail Assistant', impressions: 5 },
    { date: '2026-11-20', by: 'publisher', value: 'unattributed', label: 'Unattributed', impressions: 1 },
  ];

  it('are chosen by name or entered by ID, and saved', async () => {
    const answers = { [REPORT]: () => rows, [PATCH]: () => campaign() };
    const asked = open(answers, '/campaigns/camp_1/edit');
    const field = '#field-excludedPublishers';
    const enter = async (text: string) => {
      await type(field, text);
      (await found(field)).dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
      );
    };
    await found('#about-excludedPublishers', 'in the last 93 days');
    await enter('nobody');
    await found(
      '#about-excludedPublishers.fault',
      '“nobody” is not a publisher. Enter an ID such as pub_7F3KQ2M9XW4A.',
    );
    await enter('trail');
    await enter(OTHER);
    await found('[aria-label="Remove publisher Trail Assistant"]');
    await found(`[aria-label="Remove publisher Publisher ${OTHER}"]`);
    await type('#field-conversionWindowDays', '91');
    await push('Save');
    await found('#about-conversionWindowDays.fault', 'Enter a whole number from 1 to 90.');
    await type('#field-conversionWindowDays', '7');
    await push('Save');
    const saved = await waitFor(() => {
      const found = asked.find(({ route }) => route === PATCH);
      if (!found) throw new Error('Nothing is saved yet');
      return found.body;
    });
    expect(saved).toEqual({ excludedPublishers: [BEST, OTHER], conversionWindowDays: 7 });
  });

  it('are on the campaign’s page, by name if the publisher showed the ad in the 93 days that a report may have', async () => {
    const excluded = campaign({ excludedPublishers: [BEST, OTHER], conversionWindowDays: 7 });
    const daysOf = (query: string) => {
      const { from, to } = Object.fromEntries(new URLSearchParams(query));
      return (Date.parse(to!) - Date.parse(from!)) / DAY_MS + 1;
    };
    const isLong = (query: string) => query.startsWith('?by=publisher') && daysOf(query) === 93;
    const asked = open({ [GET]: () => excluded, [REPORT]: ({ query }) => (isLong(query) ? rows : []) });
    await found('[aria-label=Settings] li', 'Trail Assistant');
    await found('[aria-label=Settings] li', `Publisher ${OTHER}`);
    await found('[aria-label=Settings] dd', '7 days');
    expect(asked.filter(({ route, query }) => route === REPORT && isLong(query))).toHaveLength(1);
  });

  it('are each listed on the campaign’s page, also if two have the same name', async () => {
    const excluded = campaign({ excludedPublishers: [BEST, OTHER] });
    const alike = [BEST, OTHER].map((value) => ({ ...rows[0], value }));
    open({ [GET]: () => excluded, [REPORT]: ({ query }) => (query.startsWith('?by=publisher') ? alike : []) });
    await found('[aria-label=Settings] li', 'Trail Assistant');
    const listed = [...document.querySelectorAll('[aria-label=Settings] li')].map(({ textContent }) => textContent);
    expect(listed.filter((text) => text === 'Trail Assistant')).toHaveLength(2);
  });

  it('are left alone by the form if the previous version responds without them', async () => {
    const before = campaign({ excludedPublishers: undefined, conversionWindowDays: undefined });
    const asked = open({ [GET]: () => before, [PATCH]: () => before }, '/campaigns/camp_1/edit');
    await type('#field-maxCpb', '2');
    await push('Save');
    await waitFor(() => expect(asked.find(({ route }) => route === PATCH)?.body).toEqual({ maxCpb: 2 }));
  });
});
