import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type FunctionComponent, h } from 'preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EVENT_TYPES } from '../../../shared/webhooks/events/types.ts';
import NewCampaignPage from '../../../web/campaigns/new-page.tsx';
import { TopUp } from '../../../web/campaigns/top-up.tsx';
import { lazyPage, lazyPart } from '../../../web/parts/deferred.tsx';
import KeyPage from '../../../web/publisher/key-page.tsx';
import KeysPage from '../../../web/publisher/list-page.tsx';
import WebhooksPage from '../../../web/webhooks/list-page.tsx';
import WebhookPage from '../../../web/webhooks/webhook-page.tsx';
import { type Answers, closeDesk, found, openDesk, push, type ServiceCall, type, waitFor } from './desk.ts';

afterEach(() => {
  closeDesk();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const goTo = (path: string) => {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
};
const goBack = async (path: string) => {
  history.back();
  await waitFor(() => expect(location.pathname).toBe(path));
};
/** The response is lost after the service has processed the request. */
const lose = () => {
  throw new TypeError('Failed to fetch');
};
/** A response that the test sends when it wants to. */
function later(value: unknown) {
  let tell = () => {};
  const promise = new Promise((resolve) => {
    tell = () => resolve(value);
  });
  return { answer: () => promise, tell };
}

it('creates one campaign if the response is lost, and another if the form was changed in between', async () => {
  const CREATE = 'POST /api/v1/campaigns';
  const asked = openDesk({ '/campaigns/new': NewCampaignPage }, '/campaigns/new', { [CREATE]: lose });
  const keys = () => asked.filter(({ route }) => route === CREATE).map(({ idempotencyKey }) => idempotencyKey);
  const save = async () => {
    const before = keys().length;
    await waitFor(async () => expect((await found('button', 'Save as draft')).ariaDisabled).toBe('false'));
    await push('Save as draft');
    await waitFor(() => expect(keys().length).toBeGreaterThan(before));
  };
  await type('#field-name', 'Sent twice');
  await save();
  await found('.problem', 'Your change may have been saved');
  await save();
  expect(new Set(keys()).size).toBe(1);
  await type('#field-name', 'Sent again');
  await save();
  expect(new Set(keys()).size).toBe(2);
  // Wait for the automatic retry, so that it does not reach the next test.
  await waitFor(async () => expect((await found('button', 'Save as draft')).ariaDisabled).toBe('false'));
});

it('shows the not-found page with its links for a URL that cannot be decoded', async () => {
  openDesk({ '/webhooks': WebhooksPage, '/webhooks/:id': WebhookPage }, '/webhooks/%E0%A4%A', {
    'GET /api/v1/webhooks': () => [],
  });
  await found('h1', 'Page not found');
  await push('Webhooks');
  await found('h1', 'Webhooks');
  goTo('/webhooks/%');
  await found('h1', 'Page not found');
});

describe('The banner', () => {
  const HEALTH = 'GET /api/v1/health';
  const banner = () => document.querySelector('.banner')?.textContent ?? null;

  it('disappears when the service responds again, also on a page without requests', async () => {
    vi.useFakeTimers();
    let isDown = true;
    const asked = openDesk({ '/campaigns/new': NewCampaignPage }, '/campaigns/new', {
      [HEALTH]: () => (isDown ? lose() : { status: 'ok' }),
    });
    const askedIn = async (ms: number) => {
      const before = asked.length;
      await vi.advanceTimersByTimeAsync(ms);
      return asked.length - before;
    };
    await found('h1', 'New campaign');
    dispatchEvent(new Event('offline'));
    await waitFor(() => expect(banner()).toContain('We cannot reach the service'));
    // It rechecks at growing intervals, and stops when all is well.
    expect([await askedIn(5_000), await askedIn(10_000), await askedIn(20_000)]).toEqual([1, 1, 1]);
    expect(await askedIn(10 * 60_000)).toBe(10);
    isDown = false;
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(banner()).toBeNull();
    expect(await askedIn(10 * 60_000)).toBe(0);
  });

  it("stays while the page's own requests fail, and disappears when they succeed", async () => {
    vi.useFakeTimers();
    const LIST = 'GET /api/v1/webhooks';
    let isFailing = true;
    openDesk({ '/webhooks': WebhooksPage }, '/webhooks', {
      [HEALTH]: () => ({ status: 'ok' }),
      [LIST]: () => (isFailing ? new Response('{}', { status: 503 }) : []),
    });
    const seen = new Set<string | null>();
    await waitFor(() => expect(banner()).toContain('is having problems'));
    const changes = new MutationObserver(() => seen.add(banner()));
    changes.observe(document.body, { childList: true, subtree: true, characterData: true });
    await vi.advanceTimersByTimeAsync(60_000);
    seen.add(banner());
    changes.disconnect();
    expect([...seen]).toEqual([expect.stringContaining('is having problems')]);
    isFailing = false;
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(banner()).toBeNull());
  });
});

describe('A script that does not load while the service is down', () => {
  const SITE = 'GET /assets/settings.json';
  const Start = () => h('a', { href: '/next' }, 'Next');
  const Next = () => h('h1', null, 'The next page');
  /** A script that loads when the service is up. */
  function open(make: (load: () => Promise<{ default: typeof Next }>) => FunctionComponent, at = '/start') {
    const service = { isUp: false, loads: 0 };
    const load = async () => {
      service.loads++;
      return service.isUp ? { default: Next } : lose();
    };
    openDesk({ '/start': Start, '/next': make(load) }, at, { [SITE]: () => (service.isUp ? {} : lose()) });
    return service;
  }

  it('shows that its page could not be loaded, and the page on the next try', async () => {
    const service = open(lazyPage);
    await push('Next');
    await found('h1', 'The page could not be loaded');
    await found('[role=alert]', 'The service does not respond.');
    expect([document.querySelector('main a'), location.pathname]).toEqual([null, '/next']);
    service.isUp = true;
    await push('Try again');
    await found('h1', 'The next page');
    expect(document.querySelector('[role=alert]')).toBeNull();
  });

  it('shows it in the place of its part, and what is typed next to it stays', async () => {
    const service = open((load) => {
      const Part = lazyPart(load, 'Loading');
      return () => h('div', null, h('input', { id: 'field-name' }), h(Part, null));
    }, '/next');
    await found('[role=alert]', 'This part of the page could not be loaded: the service does not respond.');
    await type('#field-name', 'Kayaks');
    service.isUp = true;
    await push('Try again');
    await found('h1', 'The next page');
    expect((await found<HTMLInputElement>('#field-name')).value).toBe('Kayaks');
  });

  it('retries at once when asked to, and otherwise on its own', async () => {
    vi.useFakeTimers();
    const service = open(lazyPage, '/next');
    await vi.advanceTimersByTimeAsync(0);
    expect(service.loads).toBe(1);
    await push('Try again');
    await vi.advanceTimersByTimeAsync(0);
    expect(service.loads).toBe(2);
    service.isUp = true;
    await vi.advanceTimersByTimeAsync(1_000);
    await found('h1', 'The next page');
    expect(service.loads).toBe(3);
  });

  it('reloads its page if the browser does not load it again when the service is back', async () => {
    vi.useFakeTimers();
    const service = open((load) => lazyPage(() => load().then(lose)), '/next');
    await vi.advanceTimersByTimeAsync(0);
    await found('h1', 'The page could not be loaded');
    const reload = vi.fn();
    vi.stubGlobal('location', { href: location.href, reload });
    service.isUp = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe('A script that a new deployment removed', () => {
  const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  const SITE = 'GET /assets/settings.json';

  it('is retried while the site is unreachable; then a page with typed values offers the new version', async () => {
    vi.useFakeTimers();
    let isUnreachable = true;
    let looked = 0;
    const Part = lazyPart(() => {
      looked++;
      return gone();
    }, null);
    const Page = () => h('div', null, h('input', null), h(Part, null));
    openDesk({ '/page': Page }, '/page', { [SITE]: () => (isUnreachable ? lose() : {}) });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(looked).toBeGreaterThan(30);
    expect(document.querySelector('[aria-label="New version"]')).toBeNull();
    isUnreachable = false;
    await vi.advanceTimersByTimeAsync(5_000);
    const reload = vi.fn();
    vi.stubGlobal('location', { reload });
    await push('Reload');
    expect(reload).toHaveBeenCalledOnce();
  });

  it('reloads its page once', async () => {
    vi.useFakeTimers();
    const reload = vi.fn();
    const open = async () => {
      const Page = lazyPage(gone);
      openDesk({ '/page': Page }, '/page', { [SITE]: () => ({}) });
      vi.stubGlobal('location', { href: location.href, reload });
      await vi.advanceTimersByTimeAsync(10_000);
    };
    await open();
    expect([reload.mock.calls.length, document.body.textContent]).toEqual([1, expect.not.stringContaining('Reload')]);
    closeDesk();
    vi.unstubAllGlobals();
    await open();
    await found('[aria-label="New version"] button', 'Reload');
    expect(reload).toHaveBeenCalledOnce();
  });
});

describe('The top-up dialog', () => {
  /** Opens the dialog of a campaign with a budget of 5 dollars. `change` handles the PATCH request. */
  function open(change: (body: { budget: number; expectedBudget: number }) => unknown) {
    const world = { budget: 5, sent: [] as unknown[], told: [] as string[], isReadable: true };
    const campaign = () => ({ id: 'camp_1', budget: world.budget, spentBudget: 0 });
    const Page = () =>
      h(TopUp, {
        campaign: { id: 'camp_1', budget: 5, spentBudget: 0 },
        onSaved: () => void world.told.push('saved'),
        onFailed: async () => void world.told.push('failed'),
        onClose: () => void world.told.push('closed'),
      });
    openDesk({ '/top-up': Page }, '/top-up', {
      'GET /api/v1/campaigns/camp_1': () => (world.isReadable ? campaign() : lose()),
      'PATCH /api/v1/campaigns/camp_1': ({ body }) => {
        world.sent.push(body);
        const { budget, expectedBudget } = body as { budget: number; expectedBudget: number };
        if (expectedBudget === world.budget) {
          world.budget = budget;
          return change({ budget, expectedBudget }) ?? campaign();
        }
        const details = [{ path: 'expectedBudget', message: `The budget is ${world.budget} USD now` }];
        const refusal = {
          error: 'Conflict',
          message: 'The budget has changed since it was read',
          statusCode: 409,
          details,
        };
        return Response.json(refusal, { status: 409 });
      },
    });
    const button = () => found('dialog [type="submit"]', 'Add');
    const add = async () => {
      await waitFor(async () => expect((await button()).ariaDisabled).toBe('false'));
      (await button()).click();
    };
    return { world, button, add };
  }

  it('shows the current budget after a lost response before it adds again', async () => {
    const { world, button, add } = open(() => {
      world.isReadable = false;
      return lose();
    });
    await add();
    await found('.problem', 'Your change may have been saved');
    expect((await button()).ariaDisabled).toBe('true');
    (await button()).click();
    world.isReadable = true;
    dispatchEvent(new Event('online'));
    await found('dialog', '$0.00 of $105.00 is spent');
    await found('dialog', 'The budget becomes $205.00');
    expect(world.told).toEqual(['failed']);
    expect(world.sent).toEqual([{ budget: 105, expectedBudget: 5 }]);
  });

  it('reports that the campaign no longer exists', async () => {
    openDesk(
      {
        '/top-up': () =>
          h(TopUp, {
            campaign: { id: 'camp_2', budget: 5, spentBudget: 0 },
            onSaved: () => {},
            onFailed: async () => {},
            onClose: () => {},
          }),
      },
      '/top-up',
      {
        'GET /api/v1/campaigns/camp_2': () =>
          Response.json({ error: 'Not found', message: 'Campaign not found', statusCode: 404 }, { status: 404 }),
      },
    );
    await found('dialog .problem', 'Campaign not found');
    expect((await found('dialog [type="submit"]', 'Add')).ariaDisabled).toBe('true');
  });

  it('ignores an amount below a micro-dollar', async () => {
    const { world, button } = open(() => undefined);
    await waitFor(async () => expect((await button()).ariaDisabled).toBe('false'));
    await type('#field-amount', '0.0000001');
    await found('dialog', 'Enter an amount');
    (await button()).click();
    expect((await button()).ariaDisabled).toBe('true');
    expect(world.sent).toEqual([]);
  });

  it('asks again for an amount that may be a typing error', async () => {
    const { world, button } = open(() => undefined);
    await waitFor(async () => expect((await button()).ariaDisabled).toBe('false'));
    await type('#field-amount', '$99,999');
    const sure = await found('dialog label:has([type="checkbox"])', 'Yes, add $99,999.00');
    await waitFor(async () => expect((await button()).ariaDisabled).toBe('true'));
    (await button()).click();
    expect(world.sent).toEqual([]);
    sure.click();
    await waitFor(async () => expect((await button()).ariaDisabled).toBe('false'));
    // Another amount has not been confirmed.
    await type('#field-amount', '$99,998');
    await waitFor(async () => expect((await button()).ariaDisabled).toBe('true'));
    await type('#field-amount', '$50');
    await waitFor(async () => expect((await button()).ariaDisabled).toBe('false'));
    expect(document.querySelector('dialog [type="checkbox"]')).toBeNull();
  });

  it('does not overwrite a concurrent change of the budget, and adds to it', async () => {
    const { world, add } = open(() => undefined);
    await found('dialog', 'The budget becomes $105.00');
    await waitFor(async () => expect((await found('dialog [type="submit"]')).ariaDisabled).toBe('false'));
    world.budget = 1_000;
    await add();
    await found('.problem', 'The budget has changed since it was read. The budget is 1000 USD now');
    await found('dialog', 'The budget becomes $1,100.00');
    await add();
    await waitFor(() => expect(world.told).toEqual(['failed', 'saved', 'closed']));
    expect(world.budget).toBe(1_100);
  });
});

describe('The page of an API key', () => {
  const key = (id: string, name: string, others: object = {}) => ({
    ...{ id, name, key: `ak_live_…${id}`, mode: 'live', bidFloor: 0.5, isActive: true, requestCount: 3, judge: false },
    ...{ blockedDomains: [], blockedCategories: [], createdAt: '2026-11-20T09:00:00.000Z' },
    ...{ lastUsedAt: '2026-11-21T20:30:00.000Z', oldKeyUntil: null, oldKeysUntil: [], ...others },
  });
  const day = (requests: number) => ({
    ...{ date: '2026-11-20', requests, bids: 1, impressions: 1, clicks: 1, earnings: 0.004, approximateNoBids: {} },
  });
  const KEYS = 'GET /api/v1/auth/api-keys';
  const CREATE = 'POST /api/v1/auth/api-keys';
  const [REPORT_1, REPORT_2] = ['GET /api/v1/auth/api-keys/key_1/report', 'GET /api/v1/auth/api-keys/key_2/report'];
  const bothKeys = () => [key('key_1', 'One'), key('key_2', 'Two')];
  const open = (at: string, answers: Answers = {}): ServiceCall[] =>
    openDesk({ '/publisher': KeysPage, '/publisher/:id': KeyPage }, at, {
      [KEYS]: bothKeys,
      [REPORT_1]: () => [day(11)],
      [REPORT_2]: () => [day(22)],
      ...answers,
    });
  const periods = (asked: ServiceCall[]) =>
    asked.filter(({ route }) => route === `${KEYS}/key_1`).map(({ query }) => query.replace('report=true&', ''));
  const isChosen = (says: string) => found('[aria-pressed="true"]', says);

  it('keeps the range of its figures in the URL, for reloads and the Back button', async () => {
    const asked = open('/publisher/key_1?from=2026-03-01&to=2026-03-09');
    await found('.tile', 'Requests11');
    expect(periods(asked)).toEqual(['?from=2026-03-01&to=2026-03-09']);
    await isChosen('Custom');
    await push('90 days');
    await waitFor(() => expect(location.search).toBe('?days=90'));
    await waitFor(() => expect(periods(asked)).toHaveLength(2));
    goTo('/publisher');
    await found('h1', 'Publisher');
    await goBack('/publisher/key_1');
    await isChosen('90 days');
    await waitFor(() => expect(periods(asked)).toHaveLength(3));
    expect(periods(asked)[2]).toBe(periods(asked)[1]);
    await push('30 days');
    await waitFor(() => expect(location.search).toBe(''));
  });

  it('says when the no-bid reasons will be available until they are', async () => {
    let approximateNoBids: object = {};
    open('/publisher/key_1', { [REPORT_1]: () => [{ ...day(11), approximateNoBids }] });
    await found('p', 'appear after the key’s next request');
    closeDesk();
    approximateNoBids = { no_match: 10 };
    open('/publisher/key_1', { [REPORT_1]: () => [{ ...day(11), approximateNoBids }] });
    await found('[aria-label="Requests without an ad"]', 'about 10');
    closeDesk();
    open('/publisher/key_1', { [REPORT_1]: () => [day(1)] });
    await found('.tile', 'Requests1');
    expect(document.body.textContent).not.toContain('got no ad');
  });

  it('labels the figures of all keys with their own days while other days load', async () => {
    const figures = (earnings: number) => ({
      figures: { requests: 1, bids: 1, fillRate: 1, impressions: 1, clicks: 0, earnings },
    });
    const ofMonth = later([key('key_1', 'One', figures(30))]);
    open('/publisher', {
      [KEYS]: ({ query }) => (query === '?days=30' ? ofMonth.answer() : [key('key_1', 'One', figures(7))]),
    });
    await found('.tile', 'Earnings$7.00');
    await push('30 days');
    await waitFor(() => expect(location.search).toBe('?days=30'));
    await isChosen('7 days');
    ofMonth.tell();
    await isChosen('30 days');
    await found('.tile', 'Earnings$30.00');
  });

  it("never shows another key's data, even after fast navigation", async () => {
    const ofOne = later([day(11)]);
    let answer: () => unknown = () => [day(10)];
    const asked = open('/publisher/key_1', { [REPORT_1]: () => answer() });
    vi.stubGlobal('confirm', () => true);
    await type('#field-key-name', 'One more');
    answer = ofOne.answer;
    await push('7 days');
    await waitFor(() => expect(periods(asked)).toHaveLength(2));
    goTo('/publisher/key_2');
    await found('h1', 'Two');
    expect((await found<HTMLInputElement>('#field-key-name')).value).toBe('Two');
    await found('.tile', 'Requests22');
    ofOne.tell();
    await new Promise((resolve) => setTimeout(resolve)); // the response has been read
    await found('.tile', 'Requests22');
    expect(document.body.textContent).not.toContain('Requests11');
  });

  it("sends only what was changed on it, so that another page's changes stay", async () => {
    const saving = later(key('key_1', 'First', { bidFloor: 2 }));
    const PATCH = 'PATCH /api/v1/auth/api-keys/key_1';
    const asked = open('/publisher/key_1', { [PATCH]: saving.answer });
    const sent = () => asked.filter(({ route }) => route === PATCH).map(({ body }) => body);
    await type('#field-key-name', 'First');
    await push('Save');
    await waitFor(() => expect(sent()).toEqual([{ name: 'First' }]));
    await type('#field-key-name', 'First of all');
    saving.tell();
    await found('.toast', 'Changes saved');
    // Values that were typed during the request stay, and another page's changes are shown.
    const floor = await found<HTMLInputElement>('#field-key-floor');
    await waitFor(() => expect(floor.value).toBe('2'));
    await push('Save');
    await waitFor(() => expect(sent()).toEqual([{ name: 'First' }, { name: 'First of all' }]));
  });

  it('sets and clears the name that advertisers see, next to the one that only the publisher sees', async () => {
    const PATCH = 'PATCH /api/v1/auth/api-keys/key_1';
    let saved: object = {};
    const asked = open('/publisher/key_1', {
      [KEYS]: () => [key('key_1', 'One', saved)],
      [PATCH]: ({ body }) => {
        saved = Object(body);
        return key('key_1', 'One', saved);
      },
      [CREATE]: () => Response.json({ error: 'No', message: 'No' }, { status: 400 }),
    });
    const sent = (route: string) => asked.filter((call) => call.route === route).map(({ body }) => body);
    await found('.facts dd', 'None: a pseudonym');
    await type('#field-publicName', ' Trail Assistant ');
    await push('Save');
    await found('.facts dd', 'Trail Assistant');
    await waitFor(async () =>
      expect((await found<HTMLInputElement>('#field-publicName')).value).toBe('Trail Assistant'),
    );
    await type('#field-publicName', ' ');
    await push('Save');
    await found('.facts dd', 'None: a pseudonym');
    expect(sent(PATCH)).toEqual([{ publicName: 'Trail Assistant' }, { publicName: null }]);
    goTo('/publisher');
    await push('Create key');
    await type('#field-name', 'Mine');
    await type('#field-publicName', 'Trail Assistant');
    await push('Create');
    await waitFor(() =>
      expect(sent(CREATE)).toEqual([{ name: 'Mine', publicName: 'Trail Assistant', bidFloor: 0, mode: 'live' }]),
    );
  });

  it('sends the chosen strictness, of a new key only if it is not the default', async () => {
    const patches: unknown[] = [];
    open('/publisher/key_1', {
      'PATCH /api/v1/auth/api-keys/key_1': ({ body }) => {
        patches.push(body);
        return key('key_1', 'One', { adStrictness: 'strict' });
      },
    });
    const getChosen = async () => (await found('label:has([name="adStrictness"]:checked)')).textContent;
    await found('legend', 'Ad strictness');
    expect(await getChosen()).toContain('Balanced');
    (await found('label', 'Strict')).click();
    await push('Save');
    await found('.toast', 'Changes saved');
    expect([patches, await getChosen()]).toEqual([[{ adStrictness: 'strict' }], expect.stringContaining('Strict')]);
    closeDesk();
    const asked = open('/publisher', {
      [CREATE]: () => Response.json({ error: 'No', message: 'No' }, { status: 400 }),
    });
    const created = () => asked.filter(({ route }) => route === CREATE).map(({ body }) => body);
    await push('Create key');
    await type('#field-name', 'Choosy');
    await push('Create');
    await waitFor(() => expect(created()).toHaveLength(1));
    (await found('label', 'Open')).click();
    await waitFor(async () => expect((await found('button[type="submit"]')).ariaDisabled).toBe('false'));
    await push('Create');
    await waitFor(() => expect(created()).toHaveLength(2));
    const [first, second] = created();
    expect([first, second]).toEqual([
      { name: 'Choosy', bidFloor: 0, mode: 'live' },
      { name: 'Choosy', bidFloor: 0, mode: 'live', adStrictness: 'open' },
    ]);
  });

  it('limits the ads in a conversation, where an empty field is no limit', async () => {
    const PATCH = 'PATCH /api/v1/auth/api-keys/key_1';
    const asked = open('/publisher/key_1', {
      [KEYS]: () => [key('key_1', 'One', { turnSpacing: 3, adsPerConversation: null })],
      [PATCH]: ({ body }) => key('key_1', 'One', { turnSpacing: 3, ...(body as object) }),
    });
    const sent = () => asked.filter(({ route }) => route === PATCH).map(({ body }) => body);
    const spacing = await found<HTMLInputElement>('#field-turnSpacing');
    const most = await found<HTMLInputElement>('#field-adsPerConversation');
    expect([spacing.value, most.value]).toEqual(['3', '']);
    await type('#field-adsPerConversation', 'two');
    await found('#about-adsPerConversation.fault', 'Enter a whole number, or leave empty for no limit.');
    await push('Save');
    await type('#field-adsPerConversation', '2');
    await push('Save');
    await found('.toast', 'Changes saved');
    await type('#field-turnSpacing', ' ');
    await waitFor(async () => expect((await found('.primary', 'Save')).ariaDisabled).toBe('false'));
    await push('Save');
    await waitFor(() => expect(sent()).toEqual([{ adsPerConversation: 2 }, { turnSpacing: null }]));
  });

  it('is created with limits only if they are typed, and shows their errors next to the fields', async () => {
    const message = 'adsPerConversation must be a whole number from 1 to 200';
    const asked = open('/publisher', {
      [CREATE]: () =>
        Response.json(
          { error: 'Validation failed', message, details: [{ path: 'adsPerConversation', message }] },
          { status: 400 },
        ),
    });
    await push('Create key');
    await type('#field-name', 'Calm');
    await type('#field-adsPerConversation', '900');
    await push('Create key');
    await found('#about-adsPerConversation.fault', 'Ads per conversation must be a whole number from 1 to 200');
    const bodies = asked.filter(({ route }) => route === CREATE).map(({ body }) => body);
    expect(bodies).toEqual([{ name: 'Calm', bidFloor: 0, mode: 'live', adsPerConversation: 900 }]);
  });

  it('of test mode shows on its page and in the list that it earns nothing', async () => {
    open('/publisher', { [KEYS]: () => [key('key_1', 'Trial', { mode: 'test' })] });
    expect((await found('th', 'Trial')).textContent).toContain('earns nothing');
    expect((await found('td.earned')).textContent).toBe('–');
    goTo('/publisher/key_1');
    await found('.notice', 'This is a test key.');
    await found('.facts dd', 'Test: earns nothing');
    // Its requests are not counted, so only their time shows that they work.
    await found('.notice', 'Your requests work: the last one came');
    await found('[aria-label="Snippet"] h2', 'In your chat’s server');
  });

  it('that is off says what happens to requests', async () => {
    open('/publisher/key_1', { [KEYS]: () => [key('key_1', 'One', { isActive: false })] });
    await found('.notice', 'This key is off: requests with it are answered with 401.');
  });

  it('takes domains out of pasted URLs, and refuses what is not a domain', async () => {
    const PATCH = 'PATCH /api/v1/auth/api-keys/key_1';
    const asked = open('/publisher/key_1', { [PATCH]: () => key('key_1', 'One') });
    const field = await found<HTMLInputElement>('#field-key-domains');
    const enter = () => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await type('#field-key-domains', 'https://Shop.example/path');
    enter();
    await waitFor(() => expect(field.value).toBe(''));
    await type('#field-key-domains', 'not a domain');
    enter();
    await found('#about-key-domains.fault', '“not a domain” is not a domain.');
    expect(field.value).toBe('not a domain');
    await push('Save');
    expect(asked.some(({ route }) => route === PATCH)).toBe(false);
    await type('#field-key-domains', 'SHOP.example');
    enter();
    await push('Save');
    await waitFor(() =>
      expect(asked.find(({ route }) => route === PATCH)?.body).toEqual({ blockedDomains: ['shop.example'] }),
    );
  });

  it('says of a new secret what someone else could do with it', async () => {
    open('/publisher/key_1', {
      'POST /api/v1/auth/api-keys/key_1/rotate': () => key('key_1', 'One', { key: 'ak_live_anew' }),
    });
    await push('Rotate secret');
    (await found('dialog button.danger', 'Rotate secret')).click();
    await found('.secret p', 'Whoever has it can request ads as you and use up your rate limit.');
    expect((await found<HTMLAnchorElement>('.secret a')).pathname).toBe('/docs/publisher');
  });

  it('shows what each strictness would have filled on the last seven days that counted it', async () => {
    const fills = (strict: number, balanced: number, open: number) => ({
      approximateFills: { strict, balanced, open },
    });
    const none = { approximateFills: null };
    const week = Array.from({ length: 6 }, () => ({ ...day(10), ...fills(1, 4, 5) }));
    open('/publisher/key_1', {
      [REPORT_1]: () => [{ ...day(1_000), ...fills(9, 9, 9) }, { ...day(99), ...none }, ...week],
    });
    const section = await found('[aria-label="Fills by strictness"]');
    const rows = [...section.querySelectorAll('.row')].map(({ textContent }) => textContent);
    expect(rows).toEqual([
      'Strictabout 6 of 60 (10.0%)',
      'Balancedabout 24 of 60 (40.0%)',
      'Openabout 30 of 60 (50.0%)',
    ]);
    expect(section.textContent).toContain('An estimate: with more ads, budgets would run out sooner');
    closeDesk();
    open('/publisher/key_1', { [REPORT_1]: () => [{ ...day(11), ...none }] });
    await found('.tile', 'Requests11');
    expect(document.querySelector('[aria-label="Fills by strictness"]')).toBeNull();
  });

  it("shows the API's errors next to each field", async () => {
    const details = [
      { path: 'bidFloor', message: 'bidFloor must be an amount in USD' },
      { path: 'blockedDomains.0', message: 'blockedDomains must contain only domains' },
    ];
    open('/publisher/key_1', {
      'PATCH /api/v1/auth/api-keys/key_1': () =>
        Response.json({ error: 'Validation failed', message: details[0]!.message, details }, { status: 400 }),
    });
    await type('#field-key-floor', '9000');
    await push('Save');
    await found('#about-key-floor.fault', 'Bid floor must be an amount in USD');
    await found('#about-key-domains.fault', 'Blocked domains must contain only domains');
    // Each error once, until its field changes.
    expect((await found('.problem')).textContent).toBe('2 fields need attention.');
    await type('#field-key-floor', '900');
    await found('.problem', '1 field needs attention.');
    expect(document.querySelector('#about-key-floor.fault')).toBeNull();
  });

  it('rotates the secret again if the response with it was lost', async () => {
    const rotated: unknown[] = [];
    let isLost = true;
    open('/publisher', {
      [CREATE]: () => {
        if (!isLost) return key('key_3', 'Found', { key: 'ak_live_****GUn3' });
        isLost = false;
        return lose();
      },
      'POST /api/v1/auth/api-keys/key_3/rotate': ({ body }) => {
        rotated.push(body);
        return key('key_3', 'Found', { key: 'ak_live_whole' });
      },
    });
    await push('Create key');
    await type('#field-name', 'Found');
    await push('Create');
    await found('[aria-label="Snippet"]', "'ak_live_whole'");
    expect(rotated).toEqual([{ revokeOld: true }]);
    expect(document.body.textContent).not.toContain('GUn3');
  });

  it('creates one key if the response is lost, and does not claim that nothing happened', async () => {
    const asked = open('/publisher', { [CREATE]: lose });
    await push('Create key');
    await waitFor(() => expect(document.activeElement?.id).toBe('field-name'));
    await type('#field-name', 'Lost and found');
    await push('Create');
    await found('.problem', 'Your change may have been saved');
    const keys = () => asked.filter(({ route }) => route === CREATE).map(({ idempotencyKey }) => idempotencyKey);
    const before = keys().length;
    await push('Create');
    await waitFor(() => expect(keys().length).toBeGreaterThan(before));
    expect(new Set(keys()).size).toBe(1);
    await type('#field-name', 'Another');
    await waitFor(async () => expect((await found('.primary', 'Create')).ariaDisabled).toBe('false'));
    await push('Create');
    await waitFor(() => expect(new Set(keys()).size).toBe(2));
  });

  it('has a snippet that does not mistake an error for a bid', async () => {
    open('/publisher/key_1', { [KEYS]: () => [key('key_1', 'One', { requestCount: 0 })] });
    // Run as JavaScript, because the compiler would reject the untyped parameter.
    const typed = (await found('[aria-label="Snippet"] pre')).textContent;
    const text = typed.replace('(answer: Response)', '(answer)');
    expect(text).not.toBe(typed);
    vi.stubGlobal('fetch', async () => Response.json({ error: 'Unauthorized' }, { status: 401 }));
    const url = `data:text/javascript,${encodeURIComponent(text)}`;
    await expect(import(/* @vite-ignore */ url)).rejects.toThrow('401: {"error":"Unauthorized"}');
  });

  it('has a curl snippet that runs unchanged, with the new secret', async () => {
    open('/publisher/key_1', {
      [KEYS]: () => [key('key_1', 'One', { requestCount: 0 })],
      'POST /api/v1/auth/api-keys/key_1/rotate': () => key('key_1', 'One', { key: 'ak_live_anew' }),
    });
    await push('Rotate');
    (await found('dialog button.danger')).click();
    await found('[aria-label="Snippet"] pre', "'ak_live_anew'");
    await push('curl');
    const text = (await found('[aria-label="Snippet"] pre', 'curl')).textContent;
    const curl = `curl() { printf '%s\\n' "$*" >&2; echo '{"bid":4,"bidId":"b-1"}'; }`;
    const { stderr } = await promisify(execFile)('sh', ['-c', `${curl}\n${text}`]);
    expect(stderr.trim().split('\n').at(-1)).toBe(`-s ${location.origin}/api/v1/ssp/ad/b-1 -H X-API-Key: ak_live_anew`);
  });

  it('reports that a rotation with a lost response may have happened, and which earlier secrets still work', async () => {
    const oldKeysUntil: string[] = [];
    open('/publisher/key_1', {
      [KEYS]: () => [key('key_1', 'One', { oldKeysUntil })],
      'POST /api/v1/auth/api-keys/key_1/rotate': () => {
        oldKeysUntil.unshift(`2026-11-2${2 + oldKeysUntil.length}T09:00:00.000Z`);
        return lose();
      },
    });
    await push('Rotate');
    (await found('dialog button.danger')).click();
    await found('dialog .problem', 'Your change may have been saved');
    await found('dialog [role=status]', 'It was rotated within the last 24 hours. The secret before it works until');
    for (let n = 2; n <= 5; n++) {
      (await found('dialog button.danger')).click();
      await found('dialog [role=status]', `${n} earlier secrets still work`);
    }
    await found('dialog [role=status]', 'there may be no more: until Nov 22, 2026');
    expect(document.querySelectorAll('.facts dd time')).toHaveLength(7);
  });

  it('shows a key from the previous version, whose response lacks the earlier secrets', async () => {
    open('/publisher/key_1', { [KEYS]: () => [key('key_1', 'One', { oldKeysUntil: undefined })] });
    await push('Rotate');
    await found('dialog', 'The key gets a new secret');
    expect(document.querySelector('dialog [role=status]')).toBeNull();
  });

  it('shows times in the visitor’s time zone, and UTC on hover, on focus, and for screen readers', async () => {
    open('/publisher/key_1');
    const time = await found('time', 'Nov 22, 2026, 5:30');
    expect(time.querySelector('.utc')!.textContent.trim()).toBe('2026-11-21 20:30:00 UTC');
    expect(time.tabIndex).toBe(0);
    goTo('/publisher');
    // In a row, the link takes the focus, so the time adds no second tab stop.
    expect((await found('th time', 'Nov 22, 2026, 5:30')).hasAttribute('tabindex')).toBe(false);
  });

  it('keeps the focus nearby if the focused element is removed', async () => {
    open('/publisher/key_1', { [KEYS]: () => [key('key_1', 'One', { blockedDomains: ['a.example', 'b.example'] })] });
    const remove = await found('[aria-label="Remove domain a.example"]');
    remove.focus();
    remove.click();
    expect(document.activeElement?.id).toBe('field-key-domains');
    goTo('/publisher');
    await push('Create key');
    const cancel = await found('button', 'Cancel');
    cancel.focus();
    cancel.click();
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Publisher'));
  });
});

describe('The webhook pages', () => {
  const webhook = (at: number) => ({
    ...{ id: `wh_${at}`, url: `https://hooks.example/${at}`, events: ['ad.click'], status: 'active', description: '' },
    ...{ createdAt: '2026-11-20T09:00:00.000Z', lastDeliveryAt: null, lastError: null },
  });
  const delivery = { id: 'whd_1', type: 'ad.click', status: 'failed', attempts: [] as object[], payload: {} };
  const attempt = { time: '2026-11-20T09:00:00.000Z', statusCode: 500, durationMs: 7, error: null, answer: null };
  const LIST = 'GET /api/v1/webhooks';
  const ONE = `${LIST}/wh_1`;

  it('register one webhook if the response is lost, and rotate its lost secret', async () => {
    let isLost = true;
    const asked = openDesk({ '/webhooks': WebhooksPage }, '/webhooks', {
      [LIST]: () => [],
      'POST /api/v1/webhooks': () => {
        if (!isLost) return webhook(1);
        isLost = false;
        return lose();
      },
      'POST /api/v1/webhooks/wh_1/rotate-secret': ({ body }) => {
        expect(body).toEqual({ revokeOld: true });
        return { ...webhook(1), secret: 'whsec_other' };
      },
    });
    await push('Add webhook');
    await type('#field-url', 'https://hooks.example/1');
    await push('Add webhook');
    await found('code', 'whsec_other');
    // The test document has no clipboard.
    await push('Copy');
    await found('.code-line button', 'Could not copy. Select the text instead');
    const keys = asked.filter(({ route }) => route === 'POST /api/v1/webhooks').map((call) => call.idempotencyKey);
    expect(keys).toHaveLength(2);
    expect([new Set(keys).size, keys[0]]).toEqual([1, expect.any(String)]);
  });

  it('resend all failed deliveries request by request, and continue after a rejected request', async () => {
    const RESEND = 'POST /api/v1/webhooks/wh_1/redeliver-failed';
    const failed = { ...delivery, status: 'failed', attempts: [attempt] };
    let isRefused = true;
    let status = 'active';
    const answers: Record<string, () => unknown> = {
      '': () => ({ redelivered: 100, remaining: 7, more: true, next: 'evt_2' }),
      '?before=evt_2': () => ({ redelivered: 7, remaining: 0, more: true, next: 'evt_1' }),
      '?before=evt_1': () => {
        if (!isRefused) return { redelivered: 1, remaining: 0, more: false, next: null };
        isRefused = false;
        const refusal = {
          error: 'Rate limit exceeded',
          message: 'Too many requests, please try again later',
          statusCode: 429,
        };
        return Response.json(refusal, { status: 429, headers: { 'retry-after': '60' } });
      },
    };
    const asked = openDesk({ '/webhooks/:id': WebhookPage }, '/webhooks/wh_1', {
      [ONE]: () => ({ ...webhook(1), status }),
      [`${ONE}/deliveries`]: () => [failed],
      [`${ONE}/deliveries/whd_1`]: () => ({ ...failed, payload: {} }),
      'PATCH /api/v1/webhooks/wh_1': () => {
        status = 'disabled';
        return { ...webhook(1), status };
      },
      [RESEND]: ({ query }) => answers[query]!(),
    });
    await push('Send all failed again');
    await found('.problem', 'Too many requests. Try again in 60 s.');
    await found('[role="status"]', '107 failed deliveries sent again so far…');
    await push('Send the rest again');
    await found('[role="status"]', '108 failed deliveries sent again.');
    await found('button', 'Send all failed again');
    const queries = asked.filter(({ route }) => route === RESEND).map(({ query }) => query);
    expect(queries).toEqual(['', '?before=evt_2', '?before=evt_1', '?before=evt_1']);
    // A disabled webhook offers no resend.
    (await found<HTMLDetailsElement>('details', 'ad.click')).open = true;
    await found('button', 'Send again');
    await push('Turn off');
    await found('[role="status"]', 'This webhook is off');
    const buttons = [...document.querySelectorAll('button')].map(({ textContent }) => textContent);
    expect(buttons.filter((label) => /again/.test(label))).toEqual([]);
  });

  it('turn a webhook whose last delivery failed off and on', async () => {
    const PATCH = 'PATCH /api/v1/webhooks/wh_1';
    let status: unknown = 'failed';
    const asked = openDesk({ '/webhooks/:id': WebhookPage }, '/webhooks/wh_1', {
      [ONE]: () => ({ ...webhook(1), status }),
      [`${ONE}/deliveries`]: () => [],
      [PATCH]: ({ body }) => {
        ({ status } = body as { status: string });
        return { ...webhook(1), status };
      },
    });
    await push('Turn off');
    await found('h2', 'No events are sent while this webhook is off');
    await push('Turn on');
    await found('h2', 'Events are sent to this URL');
    expect(asked.filter(({ route }) => route === PATCH).map(({ body }) => body)).toEqual([
      { status: 'disabled' },
      { status: 'active' },
    ]);
    const buttons = [...document.querySelectorAll('.page-head button')].map(({ textContent }) => textContent);
    expect(buttons).toEqual(['Edit', 'Rotate secret', 'Turn off', 'Delete']);
  });

  it.each([
    ['No events sent yet', { lastDelivery: null }],
    ['Delivered 3 minutes ago', { lastDelivery: { status: 'delivered', statusCode: 200, error: null } }],
    [
      'Last delivery failed 3 minutes ago: 503',
      {
        status: 'failed',
        lastDelivery: { status: 'failed', statusCode: 503, error: 'The receiver responded with 503' },
      },
    ],
    [
      'Last delivery failed 3 minutes ago: No response within 10 s, retrying',
      { lastDelivery: { status: 'pending', statusCode: null, error: 'No response within 10 s' } },
    ],
    ['Last sent 3 minutes ago', { lastDelivery: null, isBefore: true }],
    ['Last delivery failed 3 minutes ago: answered 500', { lastError: 'answered 500', isBefore: true }],
  ])(
    'show how the last delivery ended, next to the status: %s',
    async (says, {
      isBefore,
      ...fields
    }: {
      isBefore?: boolean;
      lastDelivery?: object | null;
    }) => {
      const at = new Date(Date.now() - 185_000).toISOString();
      const shown = { ...webhook(1), ...fields, ...((isBefore || fields.lastDelivery) && { lastDeliveryAt: at }) };
      openDesk({ '/webhooks': WebhooksPage, '/webhooks/:id': WebhookPage }, '/webhooks', {
        [LIST]: () => [shown],
        [ONE]: () => shown,
        [`${ONE}/deliveries`]: () => [],
      });
      // The UTC time is for screen readers and for the hover.
      const text = (element: HTMLElement) => element.textContent.replace(/ \d{4}-\S+ [\d:]+ UTC/, '');
      expect(text(await found('.row-card .status + small'))).toBe(says);
      goTo('/webhooks/wh_1');
      expect(text(await found('.page-title .status + small'))).toBe(says);
    },
  );

  it('say what a signing secret is for, and what someone else could do with it', async () => {
    openDesk({ '/webhooks/:id': WebhookPage }, '/webhooks/wh_1', {
      [ONE]: () => webhook(1),
      [`${ONE}/deliveries`]: () => [],
      'POST /api/v1/webhooks/wh_1/rotate-secret': () => ({ ...webhook(1), secret: 'whsec_new' }),
    });
    await push('Rotate secret');
    (await found('dialog button.danger', 'Rotate secret')).click();
    await found('.secret p', 'Whoever has it can forge events to your endpoint.');
    expect((await found<HTMLAnchorElement>('.secret a', 'How to verify events')).pathname).toBe('/docs/events');
  });

  it("show the API's errors next to their fields, and an error in an earlier version's format", async () => {
    const lastError = 'The receiver answered 503';
    const message = 'url must be an https URL';
    openDesk({ '/webhooks/:id': WebhookPage }, '/webhooks/wh_1', {
      [ONE]: () => ({ ...webhook(1), status: 'failed', lastError }),
      [`${ONE}/deliveries`]: () => [],
      'PATCH /api/v1/webhooks/wh_1': () =>
        Response.json(
          { error: 'Validation failed', message, statusCode: 400, details: [{ path: 'url', message }] },
          { status: 400 },
        ),
    });
    await found('[aria-label="Health"]', `Last error: ${lastError}.`);
    await push('Edit');
    await type('#field-url', 'http://hooks.example/1');
    await push('Save');
    await found('#about-url.fault', 'URL must be an https URL');
    expect((await found('.problem')).textContent).toBe('1 field needs attention.');
    await type('#field-url', 'https://hooks.example/1');
    await waitFor(() => expect(document.querySelector('.problem, .fault[id]')).toBeNull());
  });

  it('show the result of a request only once', async () => {
    const fault = { statusCode: 500, durationMs: 12, error: 'The receiver responded with 500' };
    const failed = { ...delivery, status: 'failed', attempts: [{ ...attempt, ...fault, answer: 'Out of order' }] };
    openDesk({ '/webhooks/:id': WebhookPage }, '/webhooks/wh_1', {
      [ONE]: () => webhook(1),
      [`${ONE}/deliveries`]: () => [failed],
      [`${ONE}/deliveries/whd_1`]: () => ({ ...failed, payload: {} }),
      'POST /api/v1/webhooks/wh_1/test': () => ({
        success: false,
        eventId: 'evt_1',
        ...fault,
        answer: 'Out of order',
        payload: {},
      }),
    });
    await push('Send test');
    const told = /responded with 500/g;
    const test = await found('[aria-label="Test"]', 'The receiver responded with 500, after 12 ms.');
    expect([test.textContent.match(told)?.length, test.textContent.match(/Out of order/g)?.length]).toEqual([1, 1]);
    (await found<HTMLDetailsElement>('details', 'ad.click')).open = true;
    const opened = await found('.delivery ol li', 'The receiver responded with 500, after 12 ms');
    expect(opened.textContent.match(told)).toHaveLength(1);
  });

  it('test every type of event, show what was sent, and list it as a test', async () => {
    const tests: object[] = [];
    const TEST = 'POST /api/v1/webhooks/wh_1/test';
    const asked = openDesk({ '/webhooks/:id': WebhookPage }, '/webhooks/wh_1', {
      [ONE]: () => ({ ...webhook(1), events: ['ad.click', 'account.billing'] }),
      [`${ONE}/deliveries`]: () => [...tests, delivery],
      [TEST]: ({ body }) => {
        const { type } = body as { type: string };
        tests.push({ ...delivery, id: 'evt_2', type, status: 'delivered', isTest: true });
        const result = { success: true, statusCode: 200, durationMs: 5, error: null, answer: 'Thanks' };
        return { ...result, eventId: 'evt_2', payload: { kind: 'daily_statement' } };
      },
    });
    const select = await found<HTMLSelectElement>('[aria-label="Test"] select');
    const types = [...select.options].map(({ textContent }) => textContent);
    expect(types).toHaveLength(EVENT_TYPES.length);
    expect(types).toContain('Click (ad.click)');
    expect(types).toContain('Impression (ad.impression), not subscribed');
    expect(select.value).toBe('ad.click');
    select.value = 'account.billing';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await push('Send test');
    await found(
      '[aria-label="Test"] [role="status"]',
      'The test was delivered. The receiver responded with 200, after 5 ms.',
    );
    await found('[aria-label="Test"] pre', 'Thanks');
    await found('[aria-label="Test"] pre', '"kind": "daily_statement"');
    const listed = await found('.deliveries summary', 'Daily statement');
    expect(listed.querySelector('.tag')?.textContent).toBe('Test');
    expect((await found('.deliveries summary', 'Click')).querySelector('.tag')).toBeNull();
    expect(asked.filter(({ route }) => route === TEST).map(({ body }) => body)).toEqual([{ type: 'account.billing' }]);
  });

  it('load only what is open, until it is closed', async () => {
    vi.useFakeTimers();
    let isGone = false;
    let attempts = delivery.attempts;
    const asked = openDesk({ '/webhooks': WebhooksPage, '/webhooks/:id': WebhookPage }, '/webhooks', {
      [LIST]: () => [1, 2, 3, 4, 5].map(webhook),
      [ONE]: () => (isGone ? new Response('{}', { status: 404 }) : webhook(1)),
      [`${ONE}/deliveries`]: () => [{ ...delivery, attempts }],
      [`${ONE}/deliveries/whd_1`]: () => ({ ...delivery, attempts }),
    });
    /** Counts the requests of a minute by route. */
    const askedInAMinute = async () => {
      asked.length = 0;
      await vi.advanceTimersByTimeAsync(60_000);
      const counts = Map.groupBy(asked, ({ route }) => route);
      return Object.fromEntries([...counts].map(([route, all]) => [route, all.length]));
    };
    await found('a', 'https://hooks.example/5');
    expect(await askedInAMinute()).toEqual({ [LIST]: 2 });
    goTo('/webhooks/wh_1');
    const details = await found<HTMLDetailsElement>('details', 'ad.click');
    expect(await askedInAMinute()).toEqual({ [ONE]: 2 });
    details.open = true;
    await found('h3', 'Payload');
    // The request and response are loaded once, and again after another attempt.
    expect(await askedInAMinute()).toEqual({ [ONE]: 1 });
    attempts = [attempt];
    expect(await askedInAMinute()).toEqual({ [ONE]: 3, [`${ONE}/deliveries/whd_1`]: 1 });
    details.open = false;
    await vi.advanceTimersByTimeAsync(100);
    expect(await askedInAMinute()).toEqual({ [ONE]: 1 });
    isGone = true;
    await vi.advanceTimersByTimeAsync(60_000);
    await found('h1', 'This webhook does not exist');
  });
});
