import { afterEach, describe, expect, it, vi } from 'vitest';
import CampaignPage from '../../../web/campaigns/campaign-page.tsx';
import CampaignsReportPage from '../../../web/campaigns/report-page.tsx';
import KeyPage from '../../../web/publisher/key-page.tsx';
import { campaign } from './campaign.ts';
import { type Answers, closeDesk, found, openDesk, push, type ServiceCall, waitFor } from './desk.ts';
import { key } from './key-and-webhook.ts';

afterEach(() => {
  closeDesk();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const DAY_MS = 24 * 60 * 60 * 1000;
const date = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
const ONE = 'GET /api/v1/campaigns/camp_1';
const SAVE = 'PATCH /api/v1/campaigns/camp_1';

/** The figures of a value on a day: 1 % of clicks, at $4 for 1,000 impressions. */
const figures = (impressions: number, conversions = 0, conversionValue = 0) => ({
  ...{ impressions, clicks: impressions / 100, conversions, conversionValue, spend: impressions * 0.004 },
});
const row = (value: string, label: string, back: number, ...counts: Parameters<typeof figures>) => ({
  ...{ date: date(back), by: 'country', value, label },
  ...figures(...counts),
});
const COUNTRIES = [
  row('unattributed', 'Unattributed', 1, 500),
  row('DE', 'Germany', 1, 400, 2, 30),
  row('US', 'United States', 1, 1_000, 1),
  row('US', 'United States', 0, 2_000, 1),
  row('FR', 'France', 0, 300),
  row('other', 'Other', 0, 900),
];
const PUBLISHERS = [
  row('pub_1', 'Pantry Assistant', 1, 3_000),
  row('pub_2', 'Publisher 7F3K-Q2', 1, 2_000),
  row('none', 'Unknown', 0, 100),
];

const isBy = ({ query }: ServiceCall, by: string) => query.includes(`by=${by}`);

const open = (at = '', answers: Answers = {}): ServiceCall[] =>
  openDesk({ '/campaigns/:id': CampaignPage }, `/campaigns/camp_1${at}`, {
    [ONE]: () => campaign(),
    [`${ONE}/report`]: (asked) => {
      if (isBy(asked, 'publisher')) return PUBLISHERS;
      return isBy(asked, '') ? COUNTRIES : [{ date: date(0), ...figures(5_100, 4, 30) }];
    },
    ...answers,
  });

const card = () => found('[aria-label="Breakdown"]');
/** The texts of the rows of the table, with the total. */
const rows = () =>
  [...document.querySelectorAll('.sorted :is(tbody, tfoot) tr')].map((line) =>
    [...line.children].map(({ textContent }) => textContent.trim()).join(' | '),
  );
const names = () => [...document.querySelectorAll('.sorted .row-name')].map(({ textContent }) => textContent);
const sortBy = async (column: string) => (await found('.sorted thead button', column)).click();
const choose = async (by: string) => {
  const select = await found<HTMLSelectElement>('.by select');
  select.value = by;
  select.dispatchEvent(new Event('change', { bubbles: true }));
};
const reported = (asked: ServiceCall[]) =>
  asked.filter(({ route, query }) => route === `${ONE}/report` && query.includes('by=')).map(({ query }) => query);

describe('The breakdown of a campaign', () => {
  it('adds up the days of each value, with its share, and shows the same total as the performance', async () => {
    open();
    await found('.sorted tbody');
    expect(rows()).toEqual([
      'United States58.8% | 3,000 | 30 | 1.0% | $12.00 | 2 | $6.00 | – | –',
      'Germany7.8% | 400 | 4 | 1.0% | $1.60 | 2 | $0.80 | $30.00 | 18.75×',
      'France5.9% | 300 | 3 | 1.0% | $1.20 | 0 | – | – | –',
      'Other17.6% | 900 | 9 | 1.0% | $3.60 | 0 | – | – | –',
      'Unattributed9.8% | 500 | 5 | 1.0% | $2.00 | 0 | – | – | –',
      'Total | 5,100 | 51 | 1.0% | $20.40 | 4 | $5.10 | $30.00 | 1.47×',
    ]);
    await found('.tile', 'Impressions5,100');
    await found('.tile', 'Return on spend1.47×');
    expect((await found('.sorted .bar')).getAttribute('aria-label')).toBe('Impressions of United States: 59%');
  });

  it('explains in a sentence each what is not a value, where there is such a thing', async () => {
    open();
    await found('.explained', 'Other: all values after the 50 with the most impressions.');
    await found('.explained', 'Unattributed: counted before this breakdown existed, or in the last minutes.');
    await choose('publisher');
    await found('.sorted', 'Pantry Assistant');
    expect(document.querySelector('.explained')).toBeNull();
  });

  it('is for the days of the performance, and keeps its dimension and order in the URL', async () => {
    const asked = open('?days=7');
    await found('.sorted tbody');
    await choose('publisher');
    await found('.sorted', 'Publisher 7F3K-Q2');
    await sortBy('Spend');
    await waitFor(() => expect(location.search).toBe('?days=7&by=publisher&sort=-spend'));
    const period = `from=${date(6)}&to=${date(0)}`;
    expect(reported(asked)).toEqual([`?by=country&${period}`, `?by=publisher&${period}`]);
    closeDesk();
    open(location.search);
    await found('.sorted', 'Pantry Assistant');
    expect((await found<HTMLSelectElement>('.by select')).value).toBe('publisher');
    expect((await found('.sorted [aria-sort]')).textContent).toBe('Spend\u00a0↓');
    await found('.sorted thead small', 'Share of spend'); // what the percentages are of
    await choose('country');
    await found('.sorted', 'Germany');
    await waitFor(() => expect(location.search).toBe('?days=7&sort=-spend'));
  });

  it('shows countries for a dimension that it does not have', async () => {
    open('?by=constructor&sort=-toString');
    await found('.sorted', 'Germany');
    expect((await found('.sorted [aria-sort]')).textContent).toBe('Impressions\u00a0↓');
  });

  it('sorts by any column, the most first for numbers; what has no value, and what is not one, comes last', async () => {
    open();
    await found('.sorted tbody');
    for (const [column, expected] of [
      ['Country', ['France', 'Germany', 'United States']],
      ['Country', ['United States', 'Germany', 'France']],
      ['Cost per conversion', ['United States', 'Germany', 'France']],
      ['Cost per conversion', ['Germany', 'United States', 'France']],
      ['Conversion value', ['Germany', 'United States', 'France']],
      ['Impressions', ['United States', 'Germany', 'France']],
    ] as const) {
      await sortBy(column);
      await waitFor(() => expect(names().slice(0, 3)).toEqual(expected));
      expect(names().slice(3)).toEqual(['Other', 'Unattributed']);
    }
    expect(location.search).toBe('');
  });

  it('shows the first ten values, and all on request, while the total stays that of all', async () => {
    const many = Array.from({ length: 12 }, (_, at) => row(`v${at}`, `Value ${at}`, 0, 1_200 - at * 100));
    open('', { [`${ONE}/report`]: (asked) => (isBy(asked, '') ? [...many, COUNTRIES.at(-1)!] : [figures(1)]) });
    await found('.sorted tbody');
    expect(names()).toEqual([...many.slice(0, 10).map(({ label }) => label), 'Other']);
    expect(rows().at(-1)).toContain('8,700');
    await push('Show all 12');
    await waitFor(() => expect(names()).toHaveLength(13));
    await push('Show fewer');
    await waitFor(() => expect(names()).toHaveLength(11));
  });

  it('keeps its frame while it loads, and says what went wrong', async () => {
    let answer: () => unknown = () => new Promise(() => {});
    open('', { [`${ONE}/report`]: (asked) => (isBy(asked, '') ? answer() : [figures(1)]) });
    await found('[aria-label="Loading the breakdown"]');
    expect((await found<HTMLSelectElement>('.by select')).value).toBe('country');
    const refusal = { error: 'Bad Request', message: 'by must be a dimension', statusCode: 400 };
    answer = () => Response.json(refusal, { status: 400 });
    await choose('topic');
    await found('[aria-label="Breakdown"] .problem', 'by must be a dimension');
  });

  it('asks for fewer days if the performance covers more than a breakdown can', async () => {
    const asked = open(`?from=${date(200)}&to=${date(0)}&by=topic`);
    await found('[aria-label="Breakdown"] .plot.empty', 'Choose at most 93 days');
    expect(reported(asked)).toEqual([]);
    await push('Show the last 90 days');
    await waitFor(() => expect(location.search).toBe('?days=90&by=topic'));
    await waitFor(() => expect(reported(asked)).toHaveLength(1));
  });

  it('is not there without anything to break down', async () => {
    open('', { [`${ONE}/report`]: () => [{ date: date(0), ...figures(0) }] });
    await found('.plot.empty', 'No impressions yet');
    expect(document.querySelector('[aria-label="Breakdown"]')).toBeNull();
  });
});

describe('A publisher', () => {
  it('is excluded with one click, and included again with Undo, next to what others have excluded', async () => {
    let excluded = ['pub_9'];
    const body = () => campaign({ excludedPublishers: excluded });
    const asked = open('?by=publisher', {
      [ONE]: body,
      [SAVE]: ({ body: sent }) => {
        excluded = (sent as { excludedPublishers: string[] }).excludedPublishers;
        return body();
      },
    });
    await found('.sorted', 'Unknown');
    expect([...document.querySelectorAll('.sorted .inline')].map((one) => one.getAttribute('aria-label'))).toEqual([
      'Exclude Pantry Assistant',
      'Exclude Publisher 7F3K-Q2',
    ]);
    excluded = ['pub_8', 'pub_9'];
    (await found('[aria-label="Exclude Pantry Assistant"]')).click();
    await found('.toast', 'Pantry Assistant excluded');
    expect(excluded).toEqual(['pub_8', 'pub_9', 'pub_1']);
    await found('.sorted .tag', 'Excluded');
    await found('[aria-label="Include Pantry Assistant"]');
    await push('Undo');
    await found('.toast', 'Pantry Assistant included again');
    expect(excluded).toEqual(['pub_8', 'pub_9']);
    await found('[aria-label="Exclude Pantry Assistant"]');
    expect(asked.filter(({ route }) => route === SAVE)).toHaveLength(2);
  });

  it('stays as it is if the change is refused, and the row says why', async () => {
    const message = 'excludedPublishers must be a list of at most 100 publishers';
    open('?by=publisher', {
      [SAVE]: () => Response.json({ error: 'Bad Request', message, statusCode: 400 }, { status: 400 }),
    });
    (await found('[aria-label="Exclude Pantry Assistant"]')).click();
    await found('.sorted .fault', message);
    expect(document.querySelector('.sorted .tag')).toBeNull();
  });
});

describe('The breakdown of a key', () => {
  const KEY = 'GET /api/v1/auth/api-keys/key_1';
  const used = { ...key, requestCount: 9, lastUsedAt: '2026-11-20T09:00:00.000Z' };
  const day = {
    date: date(0),
    requests: 40,
    bids: 20,
    impressions: 10,
    clicks: 1,
    earnings: 0.028,
    notRelevant: 1,
    viewableImpressions: 6,
  };
  const domain = (value: string, counts: object) => ({ date: date(0), by: 'domain', value, label: value, ...counts });

  it('is by country, advertiser, or variant, and the key shows how often its ads were not relevant', async () => {
    openDesk({ '/publisher/:id': KeyPage }, '/publisher/key_1?by=domain', {
      [KEY]: () => used,
      [`${KEY}/report`]: ({ query }) =>
        query.includes('by=domain')
          ? [
              domain('shoes.example', { bids: 15, impressions: 8, clicks: 1, earnings: 0.02 }),
              domain('lake.example', { bids: 5, impressions: 2, clicks: 0, earnings: 0.008 }),
            ]
          : [{ ...day, approximateNoBids: {}, approximateFills: null }],
    });
    await found('.sorted tbody');
    expect(rows()).toEqual([
      'shoes.example80.0% | 8 | 1 | 12.5% | 15 | $0.02',
      'lake.example20.0% | 2 | 0 | 0.0% | 5 | $0.008',
      'Total | 10 | 1 | 10.0% | 20 | $0.028',
    ]);
    const options = [...(await found<HTMLSelectElement>('.by select')).options].map(({ text }) => text);
    expect(options).toEqual(['Country', 'Advertiser', 'Variant']);
    await found('.tile', 'Not relevant1');
    await found('.tile', 'Not relevant rate10.00%');
    await found('.tile', 'Viewable60.0%');
    expect((await card()).querySelector('.inline')).toBeNull();
  });
});

describe('The report of all campaigns', () => {
  const REPORT = 'GET /api/v1/reports/campaigns';
  const line = (at: number, counts: object) => ({
    ...{ campaignId: `camp_${at}`, name: `Kayaks ${at}`, status: 'active', notRelevant: 0, ...counts },
  });
  const openReport = (answer: (asked: ServiceCall) => unknown, at = '') =>
    openDesk({ '/campaigns/report': CampaignsReportPage }, `/campaigns/report${at}`, { [REPORT]: answer });

  it('compares campaigns in the chosen days, with their total', async () => {
    const asked = openReport(() => [line(1, figures(1_000, 2, 30)), line(2, { ...figures(3_000), status: 'paused' })]);
    await found('.sorted tbody');
    expect(rows()).toEqual([
      'Kayaks 2 Paused75.0% | 3,000 | 30 | 1.0% | $12.00 | 0 | – | – | – | $0.40 | 0 | 0.00%',
      'Kayaks 1 Live25.0% | 1,000 | 10 | 1.0% | $4.00 | 2 | $2.00 | $30.00 | 7.50× | $0.40 | 0 | 0.00%',
      'Total | 4,000 | 40 | 1.0% | $16.00 | 2 | $8.00 | $30.00 | 1.88× | $0.40 | 0 | 0.00%',
    ]);
    expect((await found('.sorted a', 'Kayaks 1')).getAttribute('href')).toBe('/campaigns/camp_1');
    await push('7 days');
    await waitFor(() => expect(asked.at(-1)!.query).toContain(`from=${date(6)}&to=${date(0)}`));
  });

  it('loads all pages, and joins them to one file', async () => {
    const all = Array.from({ length: 130 }, (_, at) => line(at, figures(at)));
    const files: Blob[] = [];
    const createObjectURL = (file: Blob) => String(files.push(file));
    vi.stubGlobal('URL', Object.assign(class extends URL {}, { createObjectURL, revokeObjectURL: () => {} }));
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {}); // the test document cannot download
    let isDownloading = false;
    openReport(({ query }) => {
      const offset = Number(new URLSearchParams(query).get('offset'));
      const page = all.slice(offset, offset + 100);
      const headers = { 'x-total-count': '130' };
      if (isDownloading) return new Response(`name\r\n${page.map(({ name }) => `${name}\r\n`).join('')}`, { headers });
      return Response.json(page, { headers });
    });
    await found('h2', '130 campaigns');
    await push('Show all 130');
    await waitFor(() => expect(names()).toHaveLength(130));
    isDownloading = true;
    await push('Download CSV');
    await waitFor(() => expect(files).toHaveLength(1));
    const lines = (await files[0]!.text()).trim().split('\r\n');
    expect(lines).toEqual(['name', ...all.map(({ name }) => name)]);
  });

  it('leads to a first campaign', async () => {
    openReport(() => []);
    await found('.empty a', 'Start a campaign');
    await found('h2', 'All campaigns');
    expect(document.querySelector('.card-head button')).toBeNull();
  });

  it('says that its total lacks deleted campaigns, and where their spend is', async () => {
    openReport(() => [line(1, figures(1_000))]);
    expect((await found('.explained', 'Without deleted campaigns.')).querySelector('a')?.getAttribute('href')).toBe(
      '/statements',
    );
  });
});
