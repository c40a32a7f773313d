import { afterEach, expect, it, vi } from 'vitest';
import CampaignPage from '../../../web/campaigns/campaign-page.tsx';
import EditCampaignPage from '../../../web/campaigns/edit-page.tsx';
import NewCampaignPage from '../../../web/campaigns/new-page.tsx';
import ChatPage from '../../../web/chat/chat.tsx';
import KeyPage from '../../../web/publisher/key-page.tsx';
import KeysPage from '../../../web/publisher/list-page.tsx';
import WebhooksPage from '../../../web/webhooks/list-page.tsx';
import WebhookPage from '../../../web/webhooks/webhook-page.tsx';
import { campaign } from './campaign.ts';
import { closeDesk, found, openDesk, push, type, waitFor } from './desk.ts';
import { key, webhook } from './key-and-webhook.ts';

afterEach(() => {
  closeDesk();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

const [CAMPAIGN, KEY, WEBHOOK] = ['/api/v1/campaigns/camp_1', '/api/v1/auth/api-keys/key_1', '/api/v1/webhooks/wh_1'];

const open = (at: string) =>
  openDesk(
    {
      ...{ '/campaigns/new': NewCampaignPage, '/campaigns/:id': CampaignPage, '/campaigns/:id/edit': EditCampaignPage },
      ...{ '/publisher': KeysPage, '/publisher/:id': KeyPage, '/chat': ChatPage },
      ...{ '/webhooks': WebhooksPage, '/webhooks/:id': WebhookPage },
    },
    at,
    {
      'POST /api/v1/campaigns': () => campaign(),
      [`GET ${CAMPAIGN}`]: () => campaign(),
      [`PATCH ${CAMPAIGN}`]: () => campaign(),
      [`GET ${CAMPAIGN}/report`]: () => [],
      'GET /api/v1/auth/api-keys': () => [key],
      'POST /api/v1/auth/api-keys': () => ({ ...key, key: 'ak_live_secret' }),
      [`GET ${KEY}`]: () => key,
      [`PATCH ${KEY}`]: () => key,
      [`PATCH ${KEY}/toggle`]: () => ({ ...key, isActive: false }),
      [`POST ${KEY}/rotate`]: () => ({ ...key, key: 'ak_live_secret' }),
      'GET /api/v1/webhooks': () => [webhook],
      'POST /api/v1/webhooks': () => ({ ...webhook, secret: 'whsec_1' }),
      [`GET ${WEBHOOK}`]: () => webhook,
      [`PATCH ${WEBHOOK}`]: () => webhook,
      [`GET ${WEBHOOK}/deliveries`]: () => [],
      [`POST ${WEBHOOK}/rotate-secret`]: () => ({ secret: 'whsec_2' }),
    },
  );

const pushInDialog = async (says: string) => (await found('dialog button', says)).click();
const submit = async () => (await found<HTMLButtonElement>('main form [type="submit"]')).click();

it.each<[what: string, at: string, toast: string, request: string | null, steps: (() => Promise<void>)[]]>([
  [
    'a changed campaign',
    '/campaigns/camp_1/edit',
    'Changes saved',
    `PATCH ${CAMPAIGN}`,
    [() => type('#field-maxCpb', '7'), submit],
  ],
  ['an unchanged campaign', '/campaigns/camp_1/edit', 'Nothing to save', null, [submit]],
  ['a launch', '/campaigns/new?from=camp_1', 'Campaign launched', 'POST /api/v1/campaigns', [() => push('Launch')]],
  ['a draft', '/campaigns/new?from=camp_1', 'Draft saved', 'POST /api/v1/campaigns', [() => push('Save as draft')]],
  [
    'a budget',
    '/campaigns/camp_1',
    'Budget added: $50.00',
    `PATCH ${CAMPAIGN}`,
    [
      () => push('Add budget'),
      () => type('#field-amount', '50'),
      () => waitFor(async () => expect((await found('dialog [type="submit"]')).ariaDisabled).toBe('false')),
      async () => (await found('dialog [type="submit"]')).click(),
    ],
  ],
  [
    'the settings of a key',
    '/publisher/key_1',
    'Changes saved',
    `PATCH ${KEY}`,
    [() => type('#field-key-name', 'Ours'), submit],
  ],
  ['unchanged settings of a key', '/publisher/key_1', 'Nothing to save', null, [submit]],
  ['a key that is turned off', '/publisher/key_1', 'Key turned off', `PATCH ${KEY}/toggle`, [() => push('Turn off')]],
  [
    'a rotated key',
    '/publisher/key_1',
    'Key rotated',
    `POST ${KEY}/rotate`,
    [() => push('Rotate'), () => pushInDialog('Rotate')],
  ],
  [
    'a new key',
    '/publisher',
    'Key created',
    'POST /api/v1/auth/api-keys',
    [() => push('Create key'), () => type('#field-name', 'Ours'), submit],
  ],
  [
    'a new webhook',
    '/webhooks',
    'Webhook added',
    'POST /api/v1/webhooks',
    [() => push('Add webhook'), () => type('#field-url', 'https://new.example/'), submit],
  ],
  [
    'a changed webhook',
    '/webhooks/wh_1',
    'Changes saved',
    `PATCH ${WEBHOOK}`,
    [() => push('Edit'), () => type('#field-description', 'Ours'), submit],
  ],
  ['an unchanged webhook', '/webhooks/wh_1', 'Nothing to save', null, [() => push('Edit'), submit]],
  [
    'a webhook that is turned off',
    '/webhooks/wh_1',
    'Webhook turned off',
    `PATCH ${WEBHOOK}`,
    [() => push('Turn off')],
  ],
  [
    'a rotated signing secret',
    '/webhooks/wh_1',
    'Secret rotated',
    `POST ${WEBHOOK}/rotate-secret`,
    [() => push('Rotate secret'), () => pushInDialog('Rotate')],
  ],
])('confirms %s', async (_, at, toast, request, steps) => {
  const calls = open(at);
  for (const step of steps) await step();
  await found('.toast', toast);
  const sent = calls.map(({ route }) => route).filter((route) => !/^GET|preview/.test(route));
  expect(sent).toEqual(request === null ? [] : [request]);
});

it('confirms on the page of the campaign that was edited', async () => {
  open('/campaigns/camp_1/edit');
  await type('#field-maxCpb', '7');
  await submit();
  await found('h1', 'Kayaks');
  await found('.toast', 'Changes saved');
  expect(location.pathname).toBe('/campaigns/camp_1');
});
