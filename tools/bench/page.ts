import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { example } from '../../events/fixture.ts';
import { listen } from '../../infra/local/gateway.ts';
import { siteFiles } from '../../infra/site/files.ts';
import { createSite, fileAt } from '../../infra/site/serve.ts';
import answers from '../../shared/http/openapi/answers.json' with { type: 'json' };
import { openApiDocument } from '../../shared/http/openapi/document.ts';
import { chromiumPath } from '../chromium.ts';
import { median } from '../median.ts';

const SLOWER = 4;
const RUNS = 5;
/** The viewer of the API's document takes many seconds on a slow machine. */
const LONGEST_MS = 120_000;

/** Pages, and what says that one can be used. Answers are made up: what is measured is the page, not the service. */
const PAGES: readonly [path: string, shows: string][] = [
  ['/campaigns', 'Campaign 1'],
  ['/campaigns/cmp_1', 'Day by day'],
  ['/campaigns/new', 'Call to action'],
  ['/webhooks', 'https://hooks.example/1'],
  ['/webhooks/wh_1', 'campaign.created'],
  ['/publisher', 'Key 1'],
  ['/publisher/key_1', 'Day by day'],
  ['/docs', '/api/v1/ssp/bid'],
  ['/docs/publisher', 'In a chatbot'],
  ['/chat', 'What the service makes of it'],
];

const creative = {
  headline: 'Run further',
  description: '',
  callToAction: '',
  landingUrl: 'https://shoes.example/',
  imageUrl: '',
  videoUrl: '',
  thumbnailUrl: '',
  sponsoredBy: '',
};
const performance = { impressions: 10, clicks: 1, conversions: 0, ctr: 0.1, averageCpb: 4 };
const summary = (at: number) => ({
  id: `cmp_${at}`,
  name: `Campaign ${at}`,
  description: '',
  budget: 100,
  dailyBudget: 100,
  spentBudget: 1,
  status: 'active',
  serving: { eligible: true, reasons: [] },
  performance,
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
});
const whole = {
  ...summary(1),
  pausedReason: null,
  targetAudience: {
    keywords: ['shoes'],
    demographics: { ageRange: null, interests: [] },
    countries: [],
    languages: [],
    excludedKeywords: [],
    categories: [],
  },
  creative,
  bidStrategy: 'auto',
  maxCpb: 1,
  targetCpa: null,
  startDate: null,
  endDate: null,
};
const days = Array.from({ length: 30 }, (_, at) => ({
  date: `2026-11-${String(at + 1).padStart(2, '0')}`,
  impressions: at,
  clicks: 1,
  conversions: 0,
  spend: 1,
}));

const keyDays = days.map(({ date, impressions, clicks }) => ({
  ...{ date, requests: 100, bids: 50, impressions, clicks, earnings: 1 },
  approximateNoBids: { no_match: 40, country: 10 },
}));
const key = (at: number) => ({
  ...{ id: `key_${at}`, name: `Key ${at}`, key: 'ak_live_****1a2B', mode: 'live', bidFloor: 0.5, isActive: true },
  ...{
    requestCount: 3_000,
    judge: false,
    blockedDomains: [],
    blockedCategories: [],
    oldKeyUntil: null,
    oldKeysUntil: [],
  },
  ...{ createdAt: '2026-11-20T09:00:00.000Z', lastUsedAt: '2026-11-21T20:30:00.000Z' },
  figures: { requests: 3_000, bids: 1_500, fillRate: 0.5, impressions: 435, clicks: 30, earnings: 30 },
});
const webhook = (at: number) => ({
  ...{ id: `wh_${at}`, url: `https://hooks.example/${at}`, events: ['campaign.created'], description: '' },
  ...{ status: 'active', createdAt: '2026-11-20T09:00:00.000Z', updatedAt: '2026-11-20T09:00:00.000Z' },
  ...{ lastDeliveryAt: '2026-11-21T09:00:00.000Z', lastError: null },
});
const deliveries = Array.from({ length: 100 }, (_, at) => ({
  ...{ id: `evt_${at}`, eventId: `evt_${at}`, type: 'campaign.created', status: 'delivered' },
  attempts: [{ time: '2026-11-21T09:00:00.000Z', statusCode: 200, durationMs: 30, error: null }],
}));
const many = <T>(length: number, one: (at: number) => T): T[] => Array.from({ length }, (_, at) => one(at));

/** Of a path's last parts; the first that matches. */
const ANSWERS: readonly [path: RegExp, json: unknown][] = [
  [/\/preview$/, { match: null, serving: whole.serving, reach: { conversations: 300, campaign: 1, keywords: [] } }],
  [/\/api-keys\/[^/]+\/report$/, keyDays],
  [/\/report$/, days],
  [/\/cmp_1$/, whole],
  [/\/campaigns$/, many(1_000, summary)],
  [/\/api-keys$/, many(20, key)],
  [/\/webhooks$/, many(20, webhook)],
  [/\/wh_1$/, webhook(1)],
  [/\/deliveries$/, deliveries],
  [/\/openapi\.json$/, openApiDocument('https://ads.example', { request: example, answers })],
];

async function answerRequests(page: Page): Promise<void> {
  await page.route('**/api/v1/**', (route) => {
    const { pathname } = new URL(route.request().url());
    const [, json = {}] = ANSWERS.find(([path]) => path.test(pathname)) ?? [];
    const total = Array.isArray(json) ? json.length : 1;
    return route.fulfill({ json, headers: { 'x-total-count': String(total) } });
  });
}

/** Opens a page on the slow processor; what it asked for, and after how long it could be used. */
async function visit(browser: Browser, address: string, shows: string): Promise<{ asked: Set<string>; ms: number }> {
  const page = await browser.newPage();
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).pathname));
  await answerRequests(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(address);
  await page.getByText(shows).first().waitFor({ timeout: LONGEST_MS });
  // Usable once it is drawn and the main thread has a moment: what a tap would wait for. A page that is still has no idle frames.
  const ms = await page.evaluate<number>("scheduler.postTask(() => performance.now(), { priority: 'background' })");
  await page.close();
  return { asked, ms };
}

/** `npm run bench:page`: what each page weighs as it is sent, and when it can be used on a processor four times slower. */
async function measure(): Promise<void> {
  if (!existsSync(chromiumPath)) throw new Error(`There is no browser at ${chromiumPath}: name one in CHROMIUM`);
  const files = await siteFiles({ demo: { users: ['demo'], apiKey: 'ak_test_none' }, signIn: null });
  const site = createSite(files);
  const server = createServer(({ url = '/', headers }, response) => {
    const { pathname: path } = new URL(url, 'http://localhost');
    const answer = site({ path, header: (name) => headers[name]?.toString() });
    response.writeHead(answer?.statusCode ?? 404, answer?.headers).end(Buffer.from(answer?.body ?? '', 'base64'));
  });
  const address = `http://localhost:${await listen(server, 0)}`;
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });
  console.log(
    `page                     requests   gzip, KB   usable after, ms (${SLOWER} x slower, median of ${RUNS})`,
  );
  try {
    for (const [path, shows] of PAGES) {
      const visits = [];
      for (let run = 0; run < RUNS; run++) visits.push(await visit(browser, address + path, shows));
      const ours = [...visits[0]!.asked].filter((name) => !name.startsWith('/api/'));
      const bytes = ours.reduce(
        (sum, name) => sum + gzipSync(files.get(fileAt(name) ?? '') ?? '', { level: 9 }).length,
        0,
      );
      const usable = Math.round(median(visits.map(({ ms }) => ms)));
      const cells = [
        String(ours.length).padStart(8),
        (bytes / 1024).toFixed(1).padStart(10),
        String(usable).padStart(18),
      ];
      console.log(`${path.padEnd(24)} ${cells.join(' ')}`);
    }
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}

await measure();
