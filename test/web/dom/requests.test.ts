import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import CampaignPage from '../../../web/campaigns/campaign-page.tsx';
import EditCampaignPage from '../../../web/campaigns/edit-page.tsx';
import CampaignsPage from '../../../web/campaigns/list-page.tsx';
import KeyPage from '../../../web/publisher/key-page.tsx';
import KeysPage from '../../../web/publisher/list-page.tsx';
import WebhooksPage from '../../../web/webhooks/list-page.tsx';
import WebhookPage from '../../../web/webhooks/webhook-page.tsx';
import { campaign } from './campaign.ts';
import { closeDesk, found, openDesk, push, type ServiceCall, waitFor } from './desk.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  closeDesk();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const MINUTE_MS = 60_000;
const CAMPAIGNS = 'GET /api/v1/campaigns';
const KEYS = 'GET /api/v1/auth/api-keys';
const WEBHOOKS = 'GET /api/v1/webhooks';

/** How often something has changed. */
let changes = 0;
let isChanging = false;
let isRefused = false;
/** Whether the service refuses to load the page again. */
let isReadRefused = false;
const count = () => (isChanging ? ++changes : changes);
const refusal = () =>
  Response.json(
    { error: 'Rate limit exceeded', message: 'Too many requests, please try again later', statusCode: 429 },
    { status: 429, headers: { 'retry-after': '23' } },
  );
const answer = (value: () => unknown) => (asked?: ServiceCall) =>
  isRefused || (isReadRefused && asked?.query) ? refusal() : value();

const one = () => campaign({ spentToday: count() });
const key = () => ({
  ...{
    id: 'key_1',
    name: 'Chat',
    key: 'ak_live_…',
    mode: 'live',
    bidFloor: 0,
    isActive: true,
    requestCount: 9 + count(),
  },
  ...{ judge: true, blockedDomains: [], blockedCategories: [], createdAt: '2026-11-20T09:00:00.000Z' },
  ...{ lastUsedAt: null, oldKeyUntil: null, oldKeysUntil: [] },
});
const webhook = () => ({
  ...{ id: 'wh_1', url: 'https://hooks.example/1', events: ['ad.click'], status: 'active', description: `${count()}` },
  ...{ createdAt: '2026-11-20T09:00:00.000Z', lastDeliveryAt: null, lastDelivery: null, lastError: null },
});

function open(at: string): ServiceCall[] {
  [changes, isChanging, isRefused, isReadRefused] = [0, false, false, false];
  return openDesk(
    {
      '/campaigns': CampaignsPage,
      '/campaigns/:id': CampaignPage,
      '/campaigns/:id/edit': EditCampaignPage,
      '/publisher': KeysPage,
      '/publisher/:id': KeyPage,
      '/webhooks': WebhooksPage,
      '/webhooks/:id': WebhookPage,
    },
    at,
    {
      [CAMPAIGNS]: answer(() => Response.json([one()], { headers: { 'x-total-count': '1' } })),
      [`${CAMPAIGNS}/camp_1`]: answer(one),
      [`${CAMPAIGNS}/camp_1/report`]: () => [],
      'POST /api/v1/campaigns/preview': () => ({
        match: null,
        reach: { conversations: 100, campaign: 0, keywords: [] },
      }),
      'PATCH /api/v1/campaigns/camp_1': answer(() =>
        campaign({ status: 'paused', serving: { eligible: false, reasons: [PAUSED] } }),
      ),
      [KEYS]: answer(() => [key()]),
      [`${KEYS}/key_1`]: answer(key),
      'PATCH /api/v1/auth/api-keys/key_1/toggle': () => ({ ...key(), isActive: false }),
      'PATCH /api/v1/webhooks/wh_1': () => ({ ...webhook(), status: 'disabled' }),
      [`${KEYS}/key_1/report`]: () => [],
      [WEBHOOKS]: answer(() => [webhook()]),
      [`${WEBHOOKS}/wh_1`]: answer(webhook),
      [`${WEBHOOKS}/wh_1/deliveries`]: () => [],
    },
  );
}

const PAUSED = { code: 'paused', field: 'status', message: 'Paused.', blocking: true };

const banner = () => document.querySelector('.banner')?.textContent ?? null;

describe('A page', () => {
  /** The requests of each of the next minutes. */
  const askedInMinutes = async (asked: ServiceCall[], minutes: number) => {
    const counts: number[] = [];
    for (let minute = 0; minute < minutes; minute++) {
      asked.length = 0;
      await vi.advanceTimersByTimeAsync(MINUTE_MS);
      counts.push(asked.length);
    }
    return counts;
  };

  it.each([
    ['/campaigns', 'Kayaks', 1, 6],
    ['/campaigns/camp_1', 'Kayaks', 1, 6],
    ['/campaigns/camp_1?days=7', 'Kayaks', 1, 6],
    ['/campaigns/camp_1/edit', 'Kayaks', 1, 6],
    ['/publisher/key_1', 'Chat', 1, 6],
    ['/publisher', 'Chat', 1, 6],
    ['/webhooks', 'hooks.example', 1, 6],
    ['/webhooks/wh_1', 'hooks.example', 1, 6],
  ] as const)(
    'at %s requests its data once, and then rarely while nothing changes',
    async (at, says, idle, changing) => {
      const asked = open(at);
      await found('main', says);
      await vi.advanceTimersByTimeAsync(100);
      // The campaign's page also estimates its reach. Its form does so for what is typed, and names the publishers that it can exclude.
      const isExtra = ({ route, query }: ServiceCall) =>
        route.endsWith('/preview') || query.startsWith('?by=publisher&');
      expect(asked.filter((call) => !isExtra(call))).toHaveLength(1);
      expect(asked.filter(isExtra).length).toBeLessThan(3);
      await askedInMinutes(asked, 2);
      expect(await askedInMinutes(asked, 3)).toEqual([idle, idle, idle]);
      isChanging = true;
      await askedInMinutes(asked, 1);
      expect(await askedInMinutes(asked, 3)).toEqual([changing, changing, changing]);
    },
  );
});

describe('After too many requests, a page', () => {
  const count = async () => Number(/continue in (\d+) s\./.exec((await waitFor(banner)) ?? '')?.[1]);

  it('keeps what it shows, counts down, and goes on by itself', async () => {
    const asked = open('/campaigns/camp_1');
    await found('h1', 'Kayaks');
    isRefused = true;
    await vi.advanceTimersByTimeAsync(10_000);
    await waitFor(() => expect(banner()).toBe('Too many requests. Live updates continue in 23 s.'));
    expect(document.querySelector('.banner [role="timer"]')?.ariaLive).toBe('off');
    await found('h1', 'Kayaks');
    expect(document.querySelector('.problem')).toBeNull();
    const before = asked.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await count()).toBe(18);
    await vi.advanceTimersByTimeAsync(17_000);
    expect([await count(), asked.length - before]).toEqual([1, 0]);
    isRefused = false;
    isChanging = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([banner(), asked.length - before]).toEqual([null, 1]);
    await found('[aria-label="Budget"]', '$1.00');
  });

  it('counts down again if it is refused again', async () => {
    open('/webhooks');
    await found('main', 'hooks.example');
    isRefused = true;
    await vi.advanceTimersByTimeAsync(10_000 + 23_000);
    await waitFor(() => expect(banner()).toBe('Too many requests. Live updates continue in 23 s.'));
  });

  it('that has loaded nothing yet shows its frame, and loads when the time is over', async () => {
    const asked = open('/publisher/key_1');
    isRefused = true;
    await waitFor(() => expect(banner()).toContain('Too many requests'));
    await found('.skeleton');
    expect(document.querySelector('.problem')).toBeNull();
    isRefused = false;
    await vi.advanceTimersByTimeAsync(22_000);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    await found('h1', 'Chat');
    expect(banner()).toBeNull();
  });

  it('asks for nothing on another page before the time is over', async () => {
    const asked = open('/webhooks');
    await found('main', 'hooks.example');
    isRefused = true;
    await vi.advanceTimersByTimeAsync(10_000);
    await waitFor(() => expect(banner()).toContain('Too many requests'));
    const before = asked.length;
    history.pushState(null, '', '/campaigns');
    dispatchEvent(new PopStateEvent('popstate'));
    await found('h1', 'Campaigns');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(asked.length - before).toBe(0);
    isRefused = false;
    await vi.advanceTimersByTimeAsync(3_000);
    await found('tbody', 'Kayaks');
  });

  it('says when a refused action can be tried again, and does it then', async () => {
    open('/campaigns/camp_1');
    await found('h1', 'Kayaks');
    isRefused = true;
    await push('Pause');
    const alert = await found('[role="alert"]', 'Too many requests. Try again in 23 s.');
    expect(banner()).toBe('Too many requests. Live updates continue in 23 s.');
    await vi.advanceTimersByTimeAsync(22_000);
    expect(alert.textContent).toBe('Too many requests. Try again in 1 s.');
    isRefused = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(alert.textContent).toBe('Too many requests. Try again now.');
    await push('Pause');
    await waitFor(() => expect(document.querySelector('[role="alert"]')).toBeNull());
  });

  it.each([
    ['/campaigns/camp_1', 'Pause', 'Resume'],
    ['/publisher/key_1', 'Turn off', 'Turn on'],
    ['/webhooks/wh_1', 'Turn off', 'Turn on'],
  ])('at %s shows what was saved, with no request of its own', async (at, does, undoes) => {
    const asked = open(at);
    await found('button', does);
    await vi.advanceTimersByTimeAsync(100);
    isReadRefused = true;
    asked.length = 0;
    await push(does);
    await found('button', undoes);
    const pages = asked.filter(({ query }) => query !== '');
    expect([pages, document.querySelector('.toast')]).toEqual([[], expect.anything()]);
    await vi.advanceTimersByTimeAsync(20_000);
    await found('button', undoes);
  });
});
