import { h, render } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../../../web/app.tsx';
import CampaignPage from '../../../web/campaigns/campaign-page.tsx';
import CampaignsPage from '../../../web/campaigns/list-page.tsx';
import KeyPage from '../../../web/publisher/key-page.tsx';
import KeysPage from '../../../web/publisher/list-page.tsx';
import { openSession } from '../../../web/session.ts';
import WebhooksPage from '../../../web/webhooks/list-page.tsx';
import WebhookPage from '../../../web/webhooks/webhook-page.tsx';
import { campaign } from './campaign.ts';
import { closeDesk, toasts as deskToasts, openDesk, type ServiceCall } from './desk.ts';
import { key as sampleKey } from './key-and-webhook.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  closeDesk();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
const press = async (selector: string, says: string) => {
  const wanted = [...document.querySelectorAll<HTMLElement>(selector)].find((one) => one.textContent.startsWith(says));
  if (!wanted) throw new Error(`There is no ${selector} "${says}" in ${document.body.textContent}`);
  wanted.click();
  await pass(0);
};
const toasts = () =>
  [...document.querySelectorAll('.toast')].map(({ children: [text, button] }) =>
    [text!.textContent, button!.textContent === '×' ? '' : button!.textContent].join(' ').trim(),
  );
const refusal = (status: number, headers: HeadersInit = {}) =>
  Response.json({ error: 'Refused', message: 'The service refuses it' }, { status, headers });
/** The requests that change something. */
const changes = (calls: readonly ServiceCall[]) =>
  calls.flatMap(({ route, body }) =>
    /^(PATCH|DELETE)/.test(route) ? [body ? `${route} ${JSON.stringify(body)}` : route] : [],
  );

const PAGES = {
  ...{ '/campaigns': CampaignsPage, '/campaigns/:id': CampaignPage },
  ...{ '/publisher': KeysPage, '/publisher/:id': KeyPage },
  ...{ '/webhooks': WebhooksPage, '/webhooks/:id': WebhookPage },
};

const KAYAKS = '/api/v1/campaigns/camp_1';
const PAUSE = `PATCH ${KAYAKS} {"status":"paused"}`;
const RESUME = `PATCH ${KAYAKS} {"status":"active"}`;
const DELETE = `DELETE ${KAYAKS}`;

describe('Deleting a campaign', () => {
  let stored: Record<string, ReturnType<typeof campaign>>;
  /** What the service responds instead of pausing or deleting. */
  let onPatch: () => Response | undefined;
  let onDelete: () => Response | undefined;
  const put = (id: string, change: object) => {
    stored[id] = { ...campaign({ id }), ...stored[id], ...change };
    return stored[id];
  };
  const answersOf = (id: string) => ({
    [`GET /api/v1/campaigns/${id}`]: () => stored[id] ?? refusal(404),
    [`GET /api/v1/campaigns/${id}/report`]: () => [],
    [`PATCH /api/v1/campaigns/${id}`]: ({ body }: ServiceCall) =>
      onPatch() ?? put(id, { pausedReason: Object(body).status === 'paused' ? 'user' : null, ...Object(body) }),
    [`DELETE /api/v1/campaigns/${id}`]: () => {
      const refused = onDelete();
      if (!refused) delete stored[id];
      return refused ?? {};
    },
  });
  const ANSWERS = {
    ...answersOf('camp_1'),
    ...answersOf('camp_2'),
    'GET /api/v1/campaigns': () => Object.values(stored),
  };
  const open = async (change: object = {}) => {
    stored = {};
    put('camp_1', change);
    put('camp_2', { name: 'Canoes' });
    onPatch = onDelete = () => undefined;
    const calls = openDesk(PAGES, '/campaigns/camp_1', ANSWERS);
    await pass(0.1);
    return calls;
  };
  const listed = () =>
    location.pathname === '/campaigns'
      ? [...document.querySelectorAll('tbody th')].map((cell) => cell.textContent)
      : null;

  it('pauses it at once, hides it, returns to the list, and deletes it after ten seconds', async () => {
    const calls = await open();
    await press('button', 'Delete');
    expect([changes(calls), listed(), toasts()]).toEqual([[PAUSE], ['Canoes'], ['Kayaks deleted Undo (10)']]);
    expect(document.querySelector('dialog')).toBeNull();
    await pass(9);
    // The list was loaded again meanwhile, and the service still has it.
    expect([changes(calls), listed(), toasts()]).toEqual([[PAUSE], ['Canoes'], ['Kayaks deleted Undo (1)']]);
    await pass(1);
    expect([changes(calls), listed(), toasts()]).toEqual([[PAUSE, DELETE], ['Canoes'], []]);
    await pass(60);
    expect([changes(calls).length, listed()]).toEqual([2, ['Canoes']]);
  });

  it('can be undone: an active campaign is active again, and was never deleted', async () => {
    const calls = await open();
    await press('button', 'Delete');
    await pass(9);
    await press('.toast button', 'Undo');
    expect([changes(calls), listed(), toasts()]).toEqual([[PAUSE, RESUME], ['Kayaks', 'Canoes'], ['Kayaks restored']]);
    expect(document.querySelector('tbody .status')!.textContent).toBe('Live');
    await pass(60);
    expect(changes(calls)).toEqual([PAUSE, RESUME]);
  });

  it.each([
    ['a draft', { status: 'draft' }],
    ['a campaign that the visitor has paused', { status: 'paused', pausedReason: 'user' }],
    ['a completed campaign', { status: 'completed' }],
  ])('leaves the state of %s as it is, then and after Undo', async (_, state) => {
    const calls = await open(state);
    await press('button', 'Delete');
    await press('.toast button', 'Undo');
    expect([changes(calls), listed(), toasts()]).toEqual([[], ['Kayaks', 'Canoes'], ['Kayaks restored']]);
    await press('tbody a', 'Kayaks');
    await pass(0.1);
    await press('button', 'Delete');
    await pass(10);
    expect(changes(calls)).toEqual([DELETE]);
  });

  it('uses the state that the service has, not the one on the page', async () => {
    const calls = await open({ status: 'paused', pausedReason: 'user' });
    put('camp_1', { status: 'active', pausedReason: null });
    await press('button', 'Delete');
    expect(changes(calls)).toEqual([PAUSE]);
  });

  it('stops a campaign that would resume tomorrow, and says after Undo that its daily budget is spent', async () => {
    const spent = { status: 'paused', pausedReason: 'daily_budget' };
    const serving = {
      eligible: false,
      reasons: [{ code: 'daily_budget', message: 'No budget today', blocking: true }],
    };
    const calls = await open({ ...spent, serving });
    await press('button', 'Delete');
    expect(stored.camp_1).toMatchObject({ status: 'paused', pausedReason: 'user' });
    onPatch = () => Response.json(put('camp_1', spent));
    await press('.toast button', 'Undo');
    expect([changes(calls), toasts()]).toEqual([
      [PAUSE, RESUME],
      ['Kayaks restored. Today’s budget is spent. It resumes tomorrow (UTC).'],
    ]);
  });

  it.each([
    [429, 'Kayaks was not deleted. Too many requests. Try again in a moment.'],
    [503, 'Kayaks was not deleted. The service did not respond. It may be paused now.'],
  ])('hides nothing if the pause is refused with %i', async (status, message) => {
    const calls = await open();
    onPatch = () => refusal(status, { 'retry-after': '30' });
    await press('button', 'Delete');
    expect([location.pathname, toasts()]).toEqual(['/campaigns/camp_1', [message]]);
    await pass(60);
    await press('.top a', 'Campaigns');
    await pass(0.1);
    expect([changes(calls), listed()]).toEqual([[PAUSE], ['Kayaks', 'Canoes']]);
  });

  it('waits for Retry-After if the deletion is refused, with Undo until then', async () => {
    const calls = await open();
    onDelete = () => refusal(429, { 'retry-after': '23' });
    await press('button', 'Delete');
    await pass(10);
    const waiting = 'Too many requests. Retrying the deletion of Kayaks. Undo (23)';
    expect([changes(calls), listed(), toasts()]).toEqual([[PAUSE, DELETE], ['Canoes'], [waiting]]);
    await pass(23);
    expect([changes(calls).length, toasts()]).toEqual([3, [waiting]]);
    onDelete = () => undefined;
    await pass(23);
    expect([changes(calls).length, toasts(), Object.keys(stored)]).toEqual([4, [], ['camp_2']]);
  });

  it('tries again for minutes if the service fails, then shows the campaign again, as paused', async () => {
    const calls = await open();
    onDelete = () => refusal(503);
    await press('button', 'Delete');
    await pass(10);
    expect(toasts()).toEqual(['The service did not respond. Retrying the deletion of Kayaks. Undo (10)']);
    await pass(10 + 20 + 40 + 60);
    expect(changes(calls)).toEqual([PAUSE, DELETE, DELETE, DELETE, DELETE, DELETE]);
    expect(listed()).toEqual(['Kayaks', 'Canoes']);
    expect(document.querySelector('tbody .status')!.textContent).toBe('Paused');
    expect(toasts()[0]).toMatch(/^Kayaks was not deleted\. The service did not respond\. .*\. It is paused\.$/);
    await pass(600);
    expect(changes(calls).length).toBe(6);
  });

  it('shows it again at once if the service refuses to delete it', async () => {
    const calls = await open();
    onDelete = () => refusal(400);
    await press('button', 'Delete');
    await pass(10);
    expect([listed(), toasts()]).toEqual([
      ['Kayaks', 'Canoes'],
      ['Kayaks was not deleted. The service refuses it. It is paused.'],
    ]);
    await pass(60);
    expect(changes(calls)).toEqual([PAUSE, DELETE]);
  });

  it('restores it when the service accepts requests again, and says so until then', async () => {
    const calls = await open();
    await press('button', 'Delete');
    onPatch = () => refusal(429, { 'retry-after': '5' });
    await press('.toast button', 'Undo');
    expect([changes(calls), toasts()]).toEqual([[PAUSE, RESUME], ['Too many requests. Restoring Kayaks…']]);
    onPatch = () => undefined;
    await pass(4);
    expect(changes(calls)).toEqual([PAUSE, RESUME]);
    await pass(1);
    expect([changes(calls), listed(), toasts()]).toEqual([
      [PAUSE, RESUME, RESUME],
      ['Kayaks', 'Canoes'],
      ['Kayaks restored'],
    ]);
    await pass(60);
    expect([changes(calls).length, document.querySelector('tbody .status')!.textContent]).toEqual([3, 'Live']);
  });

  it.each([
    [400, 1, 'The service refuses it.'],
    [503, 5, 'The service did not respond. Try again in a moment.'],
  ])('reports if it cannot be restored because of %i', async (status, attempts, reason) => {
    const calls = await open();
    await press('button', 'Delete');
    onPatch = () => refusal(status);
    await press('.toast button', 'Undo');
    await pass(10 + 20 + 40 + 60);
    expect([listed(), toasts()]).toEqual([
      ['Kayaks', 'Canoes'],
      [`Kayaks was not deleted, but it is still paused. ${reason}`],
    ]);
    expect(changes(calls)).toEqual([PAUSE, ...Array.from({ length: attempts }, () => RESUME)]);
  });

  it('stays hidden after a reload while its deletion is on its way, and comes back if that has failed', async () => {
    const calls = await open();
    await press('button', 'Delete');
    const { promise, resolve } = Promise.withResolvers<Response>();
    onDelete = () => promise as unknown as Response;
    dispatchEvent(new Event('pagehide'));
    closeDesk();
    openDesk(PAGES, '/campaigns', ANSWERS);
    await pass(0.1);
    expect([changes(calls), listed()]).toEqual([[PAUSE, DELETE], ['Canoes']]);
    await pass(30);
    expect(listed()).toEqual(['Canoes']);
    await pass(60);
    expect(listed()).toEqual(['Kayaks', 'Canoes']);
    resolve(Response.json({}));
  });

  it('reports a campaign that someone else has deleted, before or after', async () => {
    const calls = await open();
    await press('button', 'Delete');
    delete stored.camp_1;
    onPatch = () => refusal(404);
    await press('.toast button', 'Undo');
    expect(toasts()).toEqual(['Kayaks could not be restored. It is already deleted.']);
    closeDesk();
    sessionStorage.clear();
    const more = await open();
    delete stored.camp_1;
    await press('button', 'Delete');
    expect([listed(), toasts(), changes(more)]).toEqual([['Canoes'], ['Kayaks was already deleted'], []]);
    expect(changes(calls)).toEqual([PAUSE, RESUME]);
  });

  it('sends the deletion when the visitor leaves the desk, with the credentials of the session', async () => {
    const calls = await open();
    const sent: RequestInit[] = [];
    const send = fetch;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      sent.push(init);
      return send(url, init);
    });
    await press('button', 'Delete');
    await pass(2);
    dispatchEvent(new Event('pagehide'));
    // The request has started before the event is over: later, the page no longer runs.
    expect(changes(calls)).toEqual([PAUSE, DELETE]);
    expect([sent.at(-1)?.keepalive, new Headers(sent.at(-1)?.headers).get('x-user-id')]).toEqual([true, 'alice']);
    await pass(60);
    expect(changes(calls)).toEqual([PAUSE, DELETE]);
  });

  it('keeps the token of a visitor who signs out until the deletion is sent', async () => {
    await open();
    const { ads, deletions } = openSession({ kind: 'signed in', user: 'alice', token: 'token-1' }, deskToasts);
    const send = vi.fn(async (_url: string, _init: RequestInit) => Response.json({}));
    vi.stubGlobal('fetch', send);
    const remove = () => ads('DELETE /api/v1/campaigns/{id}', { params: { id: 'camp_1' } });
    await deletions.start({ id: 'camp_1', name: 'Kayaks', stopped: 'paused', stop: async () => null, remove });
    sessionStorage.clear();
    dispatchEvent(new Event('pagehide'));
    const [[, init]] = send.mock.calls as [[string, RequestInit]];
    expect([init.method, new Headers(init.headers).get('authorization')]).toEqual(['DELETE', 'Bearer token-1']);
  });

  it('deletes several at once, each with its own Undo', async () => {
    const calls = await open();
    await press('button', 'Delete');
    await pass(3);
    await press('tbody a', 'Canoes');
    await pass(0.1);
    await press('button', 'Delete');
    expect([toasts(), listed()]).toEqual([['Kayaks deleted Undo (7)', 'Canoes deleted Undo (10)'], []]);
    await press('.toast button', 'Undo');
    expect(listed()).toEqual(['Kayaks']);
    await pass(10);
    expect(Object.keys(stored)).toEqual(['camp_1']);
    expect(changes(calls)).toEqual([
      PAUSE,
      PAUSE.replace('camp_1', 'camp_2'),
      RESUME,
      DELETE.replace('camp_1', 'camp_2'),
    ]);
  });

  it('does not show its page until Undo', async () => {
    await open();
    await press('button', 'Delete');
    history.pushState(null, '', '/campaigns/camp_1');
    dispatchEvent(new PopStateEvent('popstate'));
    await pass(0.1);
    expect(document.querySelector('h1')!.textContent).toBe('This campaign does not exist');
    await press('.toast button', 'Undo');
    await pass(0.1);
    expect(document.querySelector('h1')!.textContent).toBe('Kayaks');
  });

  it('deletes with the credentials of the user who did it, even after a switch to another user', async () => {
    const calls = await open();
    const send = fetch;
    const users: string[] = [];
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      if (init?.method === 'DELETE') users.push(new Headers(init.headers).get('x-user-id')!);
      return send(url, init);
    });
    closeDesk();
    const demo = { users: ['alice', 'bob'], apiKey: 'ak_test_1' };
    const visitor = { kind: 'demo' as const, user: 'alice', apiKey: 'ak_test_1' };
    render(h(App, { demo, arrival: { outcome: 'known', visitor } }), document.body);
    await pass(5);
    await press('button', 'Delete');
    await pass(2);
    const select = document.querySelector<HTMLSelectElement>('select[aria-label="User"]')!;
    select.value = 'bob';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await pass(20);
    expect([localStorage.getItem('user'), users, changes(calls)]).toEqual(['bob', ['alice'], [PAUSE, DELETE]]);
  });
});

describe('Deleting an API key', () => {
  const KEY = '/api/v1/auth/api-keys/key_1';
  const [TOGGLE, REMOVE] = [`PATCH ${KEY}/toggle`, `DELETE ${KEY}`];
  const open = async (isActive: boolean) => {
    const key = { ...sampleKey, isActive };
    const calls = openDesk(PAGES, '/publisher/key_1', {
      'GET /api/v1/auth/api-keys': () => [key],
      [`GET ${KEY}`]: () => key,
      [TOGGLE]: () => {
        key.isActive = !key.isActive;
        return key;
      },
      [REMOVE]: () => ({}),
    });
    await pass(0.1);
    return { key, calls };
  };

  it('turns it off at once and says what that means; Undo turns it on again', async () => {
    const { key, calls } = await open(true);
    await press('button', 'Delete');
    await pass(0.1);
    expect([key.isActive, location.pathname, document.querySelectorAll('tbody tr').length]).toEqual([
      false,
      '/publisher',
      0,
    ]);
    expect(toasts()).toEqual(['Mine deleted. Requests with this key are rejected. Undo (10)']);
    await press('.toast button', 'Undo');
    await pass(0.1);
    expect([key.isActive, document.querySelector('tbody th a')!.textContent]).toEqual([true, 'Mine']);
    await pass(60);
    expect(changes(calls)).toEqual([TOGGLE, TOGGLE]);
  });

  it('leaves a key that was off as it was', async () => {
    const { key, calls } = await open(false);
    await press('button', 'Delete');
    await press('.toast button', 'Undo');
    expect([key.isActive, changes(calls)]).toEqual([false, []]);
  });

  it('deletes it after ten seconds', async () => {
    const { calls } = await open(true);
    await press('button', 'Delete');
    await pass(10);
    expect(changes(calls)).toEqual([TOGGLE, REMOVE]);
  });
});

describe('Deleting a webhook', () => {
  const WEBHOOK = '/api/v1/webhooks/wh_1';
  const open = async (status: string) => {
    const webhook = {
      ...{ id: 'wh_1', url: 'https://hooks.example/', events: ['ad.click'], description: '', status },
      ...{ createdAt: '2026-11-20T09:00:00.000Z', lastDeliveryAt: null, lastError: null },
    };
    const calls = openDesk(PAGES, '/webhooks/wh_1', {
      'GET /api/v1/webhooks': () => [webhook],
      [`GET ${WEBHOOK}`]: () => webhook,
      [`GET ${WEBHOOK}/deliveries`]: () => [],
      // The service ignores the status `failed`.
      [`PATCH ${WEBHOOK}`]: ({ body }) => Object.assign(webhook, (body as typeof webhook).status !== 'failed' && body),
      [`DELETE ${WEBHOOK}`]: () => ({}),
    });
    await pass(0.1);
    return { webhook, calls };
  };
  const set = (status: string) => `PATCH ${WEBHOOK} {"status":"${status}"}`;

  it.each(['active', 'failed'])('turns one that is %s off at once, and Undo turns it on again', async (status) => {
    const { webhook, calls } = await open(status);
    await press('button', 'Delete');
    await pass(0.1);
    expect([location.pathname, document.querySelectorAll('main li').length]).toEqual(['/webhooks', 0]);
    expect(toasts()).toEqual(['hooks.example deleted. It gets no more events. Undo (10)']);
    await press('.toast button', 'Undo');
    await pass(0.1);
    expect(document.querySelector('main li a')!.textContent).toBe('https://hooks.example/');
    await pass(60);
    expect([changes(calls), webhook.status]).toEqual([[set('disabled'), set('active')], 'active']);
  });

  it('deletes it after ten seconds, and leaves one that was off as it was', async () => {
    const { calls } = await open('disabled');
    await press('button', 'Delete');
    await pass(10);
    expect(changes(calls)).toEqual([`DELETE ${WEBHOOK}`]);
  });
});
