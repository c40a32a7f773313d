import { h } from 'preact';
import { useLocation } from 'preact-iso';
import { afterEach, expect, it, vi } from 'vitest';
import EditCampaignPage from '../../../web/campaigns/edit-page.tsx';
import NewCampaignPage from '../../../web/campaigns/new-page.tsx';
import { AccountMenu } from '../../../web/parts/account.tsx';
import { mayLeave } from '../../../web/parts/unsaved.ts';
import KeyPage from '../../../web/publisher/key-page.tsx';
import KeysPage from '../../../web/publisher/list-page.tsx';
import WebhooksPage from '../../../web/webhooks/list-page.tsx';
import WebhookPage from '../../../web/webhooks/webhook-page.tsx';
import { campaign } from './campaign.ts';
import { closeDesk, found, openDesk, push, type, waitFor } from './desk.ts';
import { key, webhook } from './key-and-webhook.ts';

const asked = vi.fn();
let agrees = false;

afterEach(() => {
  closeDesk();
  asked.mockClear();
  vi.unstubAllGlobals();
});

/** The target page of the links. */
const Elsewhere = () => h('h1', null, useLocation().path);

/** Opens a page with a form, among other pages. */
function open(at: string) {
  agrees = false;
  vi.stubGlobal('confirm', (question: string) => {
    asked(question);
    return agrees;
  });
  const pages = {
    ...{ '/campaigns/new': NewCampaignPage, '/campaigns/:id/edit': EditCampaignPage, '/campaigns/:id': Elsewhere },
    ...{ '/webhooks': WebhooksPage, '/webhooks/:id': WebhookPage, '/publisher': KeysPage, '/publisher/:id': KeyPage },
    ...{ '/campaigns': Elsewhere, '/chat': Elsewhere },
  };
  return openDesk(pages, at, {
    'GET /api/v1/campaigns/camp_1': () => campaign(),
    'PATCH /api/v1/campaigns/camp_1': () => campaign(),
    'GET /api/v1/webhooks': () => [webhook],
    'GET /api/v1/webhooks/wh_1': () => webhook,
    'GET /api/v1/webhooks/wh_1/deliveries': () => [],
    'GET /api/v1/auth/api-keys': () => [key],
    'PATCH /api/v1/auth/api-keys/key_1': ({ body }) => ({ ...key, ...(body as object) }),
  });
}

/** Whether closing the tab now would ask for confirmation. */
const wouldAsk = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

it.each([
  ['a new campaign', '/campaigns/new', null, '#field-name'],
  ['a campaign that is edited', '/campaigns/camp_1/edit', null, '#field-maxCpb'],
  ['a new webhook', '/webhooks', 'Add webhook', '#field-url'],
  ['a webhook that is edited', '/webhooks/wh_1', 'Edit', '#field-description'],
  ['a new key', '/publisher', 'Create key', '#field-name'],
  ['the settings of a key', '/publisher/key_1', null, '#field-key-name'],
])('asks before leaving %s with unsaved changes, and keeps what was typed', async (_, path, opens, field) => {
  open(path);
  if (opens) await push(opens);
  const before = (await found<HTMLInputElement>(field)).value;
  expect(wouldAsk()).toBe(false);
  await type(field, '7');
  await waitFor(() => expect(wouldAsk()).toBe(true));
  await push('Chat');
  expect([asked.mock.calls.length, location.pathname]).toEqual([1, path]);
  expect((await found<HTMLInputElement>(field)).value).toBe('7');
  // A change that was undone is not unsaved.
  await type(field, before);
  await waitFor(() => expect(wouldAsk()).toBe(false));
  await type(field, '7');
  await waitFor(() => expect(wouldAsk()).toBe(true));
  agrees = true;
  await push('Chat');
  await found('h1', '/chat');
  expect([asked.mock.calls.length, wouldAsk()]).toEqual([2, false]);
});

it('asks on the Back button too, and stays on the page', async () => {
  open('/campaigns');
  history.pushState(null, '', '/campaigns/camp_1/edit');
  dispatchEvent(new PopStateEvent('popstate'));
  await type('#field-maxCpb', '7');
  await waitFor(() => expect(wouldAsk()).toBe(true));
  history.back();
  await waitFor(() => expect(asked).toHaveBeenCalledOnce());
  expect([location.pathname, (await found<HTMLInputElement>('#field-maxCpb')).value]).toEqual([
    '/campaigns/camp_1/edit',
    '7',
  ]);
  agrees = true;
  history.back();
  await found('h1', '/campaigns');
  expect(asked).toHaveBeenCalledTimes(2);
});

it('does not ask if all is saved, or if a link opens another tab or a part of the same page', async () => {
  const calls = open('/campaigns/camp_1/edit');
  await type('#field-maxCpb', '7');
  await waitFor(() => expect(wouldAsk()).toBe(true));
  const chat = await found('a', 'Chat');
  chat.addEventListener('click', (event) => event.preventDefault(), { once: true }); // a test cannot open another tab
  chat.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true }));
  await push('Skip to content');
  expect([asked.mock.calls.length, location.pathname]).toEqual([0, '/campaigns/camp_1/edit']);
  await push('Save');
  await found('h1', '/campaigns/camp_1');
  expect(calls.at(-1)?.body).toEqual({ maxCpb: 7 });
  await push('Chat');
  await found('h1', '/chat');
  closeDesk();
  open('/publisher/key_1');
  await type('#field-key-name', 'Ours');
  await waitFor(() => expect(wouldAsk()).toBe(true));
  await push('Save');
  await waitFor(() => expect(wouldAsk()).toBe(false));
  expect(asked).not.toHaveBeenCalled();
});

it('does not switch the user while there are unsaved changes', async () => {
  const became: string[] = [];
  open('/campaigns/new');
  await type('#field-name', 'Kayaks');
  await waitFor(() => expect(wouldAsk()).toBe(true));
  expect(mayLeave()).toBe(false);
  closeDesk();
  const menu = { visitor: { kind: 'demo', user: 'alice', apiKey: '' }, users: ['alice', 'bob'] } as const;
  const Menu = () => h(AccountMenu, { ...menu, onBecome: (user) => became.push(user), onSignOut: () => {} });
  openDesk({ '/menu': Menu }, '/menu', {});
  const select = await found<HTMLSelectElement>('.account select');
  select.value = 'bob';
  select.dispatchEvent(new Event('change', { bubbles: true }));
  expect([became, select.value]).toEqual([['bob'], 'alice']);
});
