import { SIZE } from '../api-keys/window.ts';
import { keysOf } from '../values/typed.ts';
import { type Endpoint, type Grants, QUICK, USUAL } from './rows.ts';

const KEYS = '/api/v1/auth/api-keys';
const CAMPAIGNS = '/api/v1/campaigns';
const WEBHOOKS = '/api/v1/webhooks';
const TRUSTED_MATCH = '/api/v1/trusted-match';

/** What every legacy operation has in common (api 1.3 and 1.4). */
const AD_SERVING = '/api/v1/ad-serving';
const LEGACY = {
  ...QUICK,
  area: 'legacy',
  credential: 'any-key',
  limit: { most: 1_000, group: 'legacy' },
  deadlineMs: 2_800,
} as const;

/** What every management operation has in common (api 1.3 and 1.4). */
const MANAGEMENT = {
  ...USUAL,
  area: 'management',
  credential: 'owner',
  limit: { most: 100, group: 'management' },
  deadlineMs: 10_000,
} as const;

const KEY_READ_ONLY = ['id', 'key', 'isActive', 'createdAt', 'lastUsedAt', 'requestCount', 'oldKeyUntil'];
/** What the place of an ad is told from: the settings of the key, and the conversation. */
const PLACE = { 'key-settings': ['get'], conversations: ['get', 'put'] } as const;
/** What came of the day before, and why requests had no bid, are written to the key's days. */
const ASKING = { 'key-days': ['update'] } as const;

const CAMPAIGN_READ_ONLY = ['id', 'spentBudget', 'performance', 'serving', 'createdAt', 'updatedAt'];
const WEBHOOK_READ_ONLY = ['id', 'secret', 'createdAt', 'updatedAt', 'lastDeliveryAt', 'lastError'];

/** The table of operations: infrastructure, the local server and the tests all read it. */
export const endpoints = {
  'ssp/bid': {
    ...QUICK,
    methods: ['POST'],
    path: '/api/v1/ssp/bid',
    area: 'ssp',
    credential: 'key',
    limit: { most: SIZE, register: 'b' },
    deadlineMs: 900,
    tables: { ...PLACE, ...ASKING, campaigns: ['query'], snapshots: ['get', 'getAll'], bids: ['put'] },
    judge: { campaigns: ['getAll'] },
    summary: 'Submit a conversation, get a bid or null',
  },
  'ssp/ad': {
    ...QUICK,
    methods: ['GET'],
    path: '/api/v1/ssp/ad/{bidId}',
    area: 'ssp',
    credential: 'key',
    limit: { most: SIZE, register: 'a' },
    deadlineMs: 2_800,
    tables: {
      'key-settings': ['get'],
      campaigns: ['get', 'update'],
      bids: ['get', 'update'],
      ledgers: ['get', 'update', 'put'],
      conversations: ['update', 'put'],
    },
    summary: 'Exchange a won bid for its ad',
  },
  'click/redirect': {
    ...QUICK,
    methods: ['GET', 'HEAD'],
    path: '/api/v1/click/{trackingId}',
    area: 'open',
    credential: 'none',
    deadlineMs: 1_000,
    tables: { bids: ['update'], campaigns: ['get'] },
    summary: 'Follow an ad to its landing page',
  },
  'openrtb2/bid': {
    ...QUICK,
    methods: ['POST'],
    path: '/api/v1/openrtb2/bid',
    area: 'ssp',
    credential: 'key',
    limit: { most: 200, second: 'exchange' },
    deadlineMs: 900,
    headers: { 'x-openrtb-version': '2.6' },
    tables: {
      ...PLACE,
      ...ASKING,
      conversations: ['get', 'getAll', 'put'],
      campaigns: ['query', 'get'],
      snapshots: ['get', 'getAll'],
      bids: ['put'],
    },
    summary: 'Bid on impressions that an exchange offers, in OpenRTB 2.6',
  },
  'openrtb2/notice': {
    ...QUICK,
    methods: ['GET'],
    path: '/api/v1/openrtb2/notice/{token}',
    area: 'open',
    credential: 'none',
    deadlineMs: 2_800,
    tables: {
      campaigns: ['get', 'update'],
      bids: ['get', 'update'],
      ledgers: ['get', 'update', 'put'],
      conversations: ['update', 'put'],
    },
    summary: "Take an exchange's notice: won, billable, lost or seen",
  },
  'trusted-match/context': {
    ...QUICK,
    methods: ['POST'],
    path: `${TRUSTED_MATCH}/context`,
    area: 'trusted-match',
    credential: 'key',
    limit: { most: 200, second: 'exchange' },
    deadlineMs: 900,
    tables: {
      ...ASKING,
      'key-settings': ['get'],
      campaigns: ['query', 'get'],
      snapshots: ['get', 'getAll'],
      bids: ['put'],
    },
    summary: 'Experimental: offer an ad for what an assistant talks about, in AdCP Trusted Match',
  },
  'trusted-match/click': {
    ...QUICK,
    methods: ['GET', 'HEAD'],
    path: `${TRUSTED_MATCH}/click/{trackingId}`,
    area: 'open',
    credential: 'none',
    deadlineMs: 2_800,
    tables: { bids: ['get', 'update'], campaigns: ['get', 'update'], ledgers: ['get', 'update', 'put'] },
    summary: 'Experimental: follow an offer to its landing page; charged where no impression was told of',
  },
  'trusted-match/health': {
    ...USUAL,
    methods: ['GET'],
    path: `${TRUSTED_MATCH}/health`,
    area: 'open',
    credential: 'none',
    tables: {},
    summary: 'Experimental: say that the provider of Trusted Match is ready',
  },
  'legacy/request': {
    ...LEGACY,
    methods: ['POST'],
    path: `${AD_SERVING}/request`,
    tables: { ...PLACE, ...ASKING, campaigns: ['query', 'get'], snapshots: ['get', 'getAll'], bids: ['put'] },
    judge: { campaigns: ['getAll'] },
    summary: 'Deprecated: request one to five ads',
  },
  'legacy/click': {
    ...LEGACY,
    methods: ['GET'],
    path: `${AD_SERVING}/click/{adId}`,
    tables: { bids: ['update'], campaigns: ['get'] },
    summary: 'Deprecated: track a click, get its landing page',
  },
  'legacy/impression': {
    ...LEGACY,
    methods: ['GET'],
    path: `${AD_SERVING}/impression/{adId}`,
    tables: {
      bids: ['get', 'update'],
      campaigns: ['get', 'update'],
      ledgers: ['get', 'update', 'put'],
      conversations: ['update', 'put'],
    },
    summary: 'Deprecated: track an impression; the first is charged',
  },
  'conversions/record': {
    ...USUAL,
    area: 'management',
    credential: 'owner',
    limit: { most: 1_000, group: 'conversions' },
    deadlineMs: 10_000,
    methods: ['POST'],
    path: '/api/v1/conversions',
    readOnly: ['campaignId', 'createdAt'],
    tables: { bids: ['get'], conversions: ['put'] },
    summary: 'Record what a click led to',
  },
  'api-keys/create': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: KEYS,
    readOnly: KEY_READ_ONLY,
    idempotent: true,
    tables: { 'api-keys': ['put', 'get'], 'key-settings': ['put', 'get'] },
    summary: 'Create an API key; its secret is shown once',
  },
  'api-keys/list': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: KEYS,
    tables: { 'api-keys': ['query', 'getAll'], 'key-settings': ['getAll'], 'key-days': ['query'] },
    summary: 'List API keys, masked, and what came of each',
  },
  'api-keys/update': {
    ...MANAGEMENT,
    methods: ['PATCH'],
    path: `${KEYS}/{id}`,
    readOnly: [...KEY_READ_ONLY, 'mode'],
    tables: { 'api-keys': ['get', 'update', 'check'], 'key-settings': ['get', 'update'] },
    summary: 'Change an API key and its settings',
  },
  'api-keys/delete': {
    ...MANAGEMENT,
    methods: ['DELETE'],
    path: `${KEYS}/{id}`,
    tables: { 'api-keys': ['remove'], 'key-settings': ['remove'] },
    summary: 'Delete an API key for good',
  },
  'api-keys/toggle': {
    ...MANAGEMENT,
    methods: ['PATCH'],
    path: `${KEYS}/{id}/toggle`,
    tables: { 'api-keys': ['get', 'update'], 'key-settings': ['get'] },
    summary: 'Switch an API key off or on',
  },
  'api-keys/rotate': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${KEYS}/{id}/rotate`,
    tables: { 'api-keys': ['get', 'update'], 'key-settings': ['get'] },
    summary: 'Give an API key a new secret; the old one works for 24 hours',
  },
  'api-keys/report': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${KEYS}/{id}/report`,
    tables: { 'api-keys': ['get'], 'key-settings': ['get'], 'key-days': ['query'] },
    summary: "Report a key's days, as JSON or CSV",
  },
  'campaigns/create': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: CAMPAIGNS,
    readOnly: [...CAMPAIGN_READ_ONLY, 'pausedReason', 'suggestedPhrases'],
    idempotent: true,
    tables: { campaigns: ['put', 'update', 'query', 'get'], ledgers: ['put', 'getAll'] },
    summary: 'Create a campaign',
  },
  'campaigns/list': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: CAMPAIGNS,
    tables: { campaigns: ['query'], ledgers: ['getAll'] },
    summary: 'List campaigns in the order of their creation',
  },
  'campaigns/get': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${CAMPAIGNS}/{id}`,
    tables: { campaigns: ['get'], ledgers: ['getAll'] },
    summary: 'Get a campaign',
  },
  'campaigns/update': {
    ...MANAGEMENT,
    methods: ['PATCH'],
    path: `${CAMPAIGNS}/{id}`,
    readOnly: CAMPAIGN_READ_ONLY,
    tables: { campaigns: ['get', 'put', 'remove'], ledgers: ['get', 'update', 'put', 'getAll'] },
    summary: 'Change a campaign',
  },
  'campaigns/preview': {
    ...MANAGEMENT,
    ...QUICK, // it knows the campaigns, as bidding does
    methods: ['POST'],
    path: `${CAMPAIGNS}/preview`,
    tables: { campaigns: ['get', 'query'], ledgers: ['getAll'], snapshots: ['get', 'getAll'] },
    summary: 'Try a campaign on a conversation, and see what its keywords reach',
  },
  'campaigns/report': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${CAMPAIGNS}/{id}/report`,
    tables: { campaigns: ['get'], ledgers: ['getAll', 'query'] },
    summary: "Report a campaign's days, as JSON or CSV",
  },
  'campaigns/delete': {
    ...MANAGEMENT,
    methods: ['DELETE'],
    path: `${CAMPAIGNS}/{id}`,
    tables: { campaigns: ['get', 'put', 'remove', 'update', 'query'], ledgers: ['get', 'update', 'put'] },
    summary: 'Delete a campaign for good',
  },
  'webhooks/create': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: WEBHOOKS,
    readOnly: [...WEBHOOK_READ_ONLY, 'status'],
    idempotent: true,
    tables: { webhooks: ['put', 'update', 'get'] },
    summary: 'Register a webhook; its secret is shown once',
  },
  'webhooks/list': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: WEBHOOKS,
    tables: { webhooks: ['query'] },
    summary: 'List webhooks',
  },
  'webhooks/get': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${WEBHOOKS}/{id}`,
    tables: { webhooks: ['get'] },
    summary: 'Get a webhook',
  },
  'webhooks/update': {
    ...MANAGEMENT,
    methods: ['PATCH'],
    path: `${WEBHOOKS}/{id}`,
    readOnly: WEBHOOK_READ_ONLY,
    tables: { webhooks: ['update'] },
    summary: 'Change a webhook, or revive it',
  },
  'webhooks/delete': {
    ...MANAGEMENT,
    methods: ['DELETE'],
    path: `${WEBHOOKS}/{id}`,
    tables: { webhooks: ['remove', 'update'] },
    summary: 'Delete a webhook',
  },
  'webhooks/test': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${WEBHOOKS}/{id}/test`,
    deadlineMs: 13_000, // the receiver may take ten seconds of it
    tables: { webhooks: ['get'] },
    summary: 'Send a webhook one sample event',
  },
  'webhooks/deliveries': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${WEBHOOKS}/{id}/deliveries`,
    tables: { webhooks: ['get'], deliveries: ['query'] },
    summary: 'List the last deliveries of a webhook',
  },
  'webhooks/delivery': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${WEBHOOKS}/{id}/deliveries/{deliveryId}`,
    tables: { webhooks: ['get'], deliveries: ['get'] },
    summary: 'Get a delivery with its payload and what was answered',
  },
  'webhooks/redeliver-failed': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${WEBHOOKS}/{id}/redeliver-failed`,
    tables: { webhooks: ['get'], deliveries: ['query', 'update'] },
    summary: 'Deliver what failed once more, at most 100 a call',
  },
  'webhooks/redeliver': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${WEBHOOKS}/{id}/deliveries/{deliveryId}/redeliver`,
    tables: { webhooks: ['get'], deliveries: ['update'] },
    summary: 'Deliver an event once more',
  },
  'webhooks/rotate-secret': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${WEBHOOKS}/{id}/rotate-secret`,
    tables: { webhooks: ['get', 'update'] },
    summary: 'Give a webhook a new secret; the old one signs along for 24 hours',
  },
  openapi: {
    ...USUAL,
    methods: ['GET'],
    path: '/api/v1/openapi.json',
    area: 'open',
    credential: 'none',
    tables: {},
    summary: 'Describe every operation in OpenAPI 3.1',
  },
  health: {
    ...USUAL,
    methods: ['GET'],
    path: '/api/v1/health',
    area: 'open',
    credential: 'none',
    tables: {},
    summary: 'Say that the service is up',
  },
  unmatched: {
    ...USUAL,
    methods: [],
    path: null,
    area: 'open',
    credential: 'none',
    tables: {},
    summary: 'Answer what no other operation does: 404, or 405 with Allow',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
export const endpointNames = keysOf(endpoints);

/** The row of an operation as the wide type that loops want, with all that its function does to tables. */
export const endpointRow = (name: EndpointName): Endpoint => ({
  ...endpoints[name],
  tables: grantsOf(endpoints[name]),
});

/** What counting the rate and finding the key take, and what the operation itself does. */
const grantsOf = ({ credential, limit, idempotent, tables }: Endpoint): Grants => ({
  ...(limit && 'group' in limit && { limits: ['update', 'put'] }),
  ...(idempotent && { idempotency: ['get', 'put'] }),
  ...((credential === 'key' || credential === 'any-key') && { 'api-keys': ['get', 'update'] }),
  ...tables,
});
