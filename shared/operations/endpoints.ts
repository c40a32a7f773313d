import type { ZodType } from 'zod';
import { createApiKey } from '../api-keys/schema.ts';
import { type Register, SIZE } from '../api-keys/window.ts';
import { bidRequest } from '../bids/schema.ts';
import { createCampaign, listCampaigns, updateCampaign } from '../campaigns/schema.ts';
import { recordConversion } from '../conversions/schema.ts';
import { reportPeriod } from '../ledgers/report.ts';
import { adRequest, tracking } from '../legacy/schema.ts';
import type { QueueName } from '../platform/queues.ts';
import type { TableName } from '../platform/tables.ts';
import { createWebhook, testWebhook, updateWebhook } from '../webhooks/schema.ts';

/** The areas of the API; each has its own words for the same refusals (api 1.2). */
export type Area = 'ssp' | 'legacy' | 'management' | 'open';

/** What a function does to a table; each verb is one action that its role grants. */
export type Verb = 'get' | 'getAll' | 'query' | 'put' | 'update' | 'remove' | 'check';
export type Grants = { readonly [T in TableName]?: readonly Verb[] };

/**
 * `register`: an exact sliding second in the key's own item (api 1.4: 15 a second for bids, and for ads).
 * `group`: a minute that begins with its first request, over all operations of the group together.
 */
export type Limit = { most: number; register: Register } | { most: number; group: string };

/** What a function is given to run with. */
export interface Sizing {
  /** At least 256. Lambda gives processor time in proportion to memory, and starting is all processor. */
  memoryMb: number;
  /** When Lambda itself ends it: generous, so that callers get an answer of ours and not the gateway's error. */
  timeoutSeconds: number;
}

/** One operation over HTTP. Its name is the path of its file in functions/ and of its fixture in events/. */
export interface Endpoint extends Sizing {
  methods: readonly ('GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE')[];
  /** As API Gateway writes it; null answers whatever no other row does. */
  path: string | null;
  area: Area;
  /** `key`: X-API-Key; `any-key`: a key in one of the three places of the legacy API; `user`: x-user-id. */
  credential: 'key' | 'any-key' | 'user' | 'none';
  /** Requests that one key or user may make. */
  limit?: Limit;
  body?: ZodType;
  /** Fields of the answer that cannot be set: a whole object that is sent back has them, and they are not named as ignored. */
  readOnly?: readonly string[];
  query?: ZodType;
  /**
   * Milliseconds after which the operation answers that it is late, a little less than its callers wait. Its calls of the store are
   * tried again until then. What asks no store has none.
   */
  deadlineMs?: number;
  tables: Grants;
  summary: string;
}

/** What wakes a function that no request calls: a table's stream, a queue, or the time of day. */
export type Source =
  | StreamSource
  | { queue: QueueName }
  | { /** As EventBridge writes it, in UTC. */ schedule: string };

export interface StreamSource {
  stream: TableName;
  /**
   * Which records wake it, as patterns of Lambda's event filtering: any one is enough, none means all. They only save
   * invocations; the function itself passes over what does not concern it.
   */
  filters?: readonly object[];
  /** How long records may wait for others to share an invocation with; nothing is waited for unless told. */
  gatherSeconds?: number;
}

/** One function that runs after the fact. */
export interface Worker extends Sizing {
  sources: readonly Source[];
  tables: Grants;
  /** Queues that it sends to. */
  queues: readonly QueueName[];
  summary: string;
}

const KEYS = '/api/v1/auth/api-keys';
const CAMPAIGNS = '/api/v1/campaigns';
const WEBHOOKS = '/api/v1/webhooks';

/** What the limiter of minutes does. */
const LIMITS = ['update', 'put'] as const;

const USUAL = { memoryMb: 512, timeoutSeconds: 15 } as const satisfies Sizing;
/** A conversation or a reader waits for it. */
const QUICK = { memoryMb: 1024, timeoutSeconds: 15 } as const satisfies Sizing;
/** Nobody waits for it, and it may have every campaign to go through. */
const BATCH = { memoryMb: 512, timeoutSeconds: 300 } as const satisfies Sizing;

/** What every legacy operation has in common (api 1.3 and 1.4). */
const AD_SERVING = '/api/v1/ad-serving';
const LEGACY = {
  ...QUICK,
  area: 'legacy',
  credential: 'any-key',
  limit: { most: 1_000, group: 'legacy' },
  deadlineMs: 2_800,
} as const;
const LEGACY_TABLES = { limits: LIMITS, 'api-keys': ['get', 'update'] } as const;

/** What every management operation has in common (api 1.3 and 1.4). */
const MANAGEMENT = {
  ...USUAL,
  area: 'management',
  credential: 'user',
  limit: { most: 100, group: 'management' },
  deadlineMs: 10_000,
} as const;

const CAMPAIGN_READ_ONLY = ['id', 'spentBudget', 'performance', 'serving', 'createdAt', 'updatedAt'];
const WEBHOOK_READ_ONLY = ['id', 'secret', 'createdAt', 'updatedAt', 'lastDeliveryAt', 'lastError'];

/** THE table of operations: infrastructure, the local server and the tests all read it. */
export const endpoints = {
  'ssp/bid': {
    ...QUICK,
    methods: ['POST'],
    path: '/api/v1/ssp/bid',
    area: 'ssp',
    credential: 'key',
    limit: { most: SIZE, register: 'b' },
    body: bidRequest,
    deadlineMs: 900,
    tables: { 'api-keys': ['get', 'update'], campaigns: ['query'], snapshots: ['get'], bids: ['put'] },
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
      'api-keys': ['get', 'update'],
      campaigns: ['get', 'update'],
      bids: ['get', 'update'],
      ledgers: ['update', 'put'],
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
    tables: { bids: ['update'] },
    summary: 'Follow an ad to its landing page',
  },
  'legacy/request': {
    ...LEGACY,
    methods: ['POST'],
    path: `${AD_SERVING}/request`,
    body: adRequest,
    tables: { ...LEGACY_TABLES, campaigns: ['query', 'get'], snapshots: ['get'], bids: ['put'] },
    summary: 'Deprecated: request one to five ads',
  },
  'legacy/click': {
    ...LEGACY,
    methods: ['GET'],
    path: `${AD_SERVING}/click/{adId}`,
    query: tracking,
    tables: { ...LEGACY_TABLES, bids: ['update'] },
    summary: 'Deprecated: track a click, get its landing page',
  },
  'legacy/impression': {
    ...LEGACY,
    methods: ['GET'],
    path: `${AD_SERVING}/impression/{adId}`,
    query: tracking,
    tables: { ...LEGACY_TABLES, bids: ['get', 'update'], campaigns: ['get', 'update'], ledgers: ['update', 'put'] },
    summary: 'Deprecated: track an impression; the first is charged',
  },
  'conversions/record': {
    ...USUAL,
    area: 'management',
    credential: 'user',
    limit: { most: 1_000, group: 'conversions' },
    deadlineMs: 10_000,
    methods: ['POST'],
    path: '/api/v1/conversions',
    body: recordConversion,
    readOnly: ['campaignId', 'createdAt'],
    tables: { limits: LIMITS, bids: ['get'], conversions: ['put'] },
    summary: 'Record what a click led to',
  },
  'api-keys/create': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: KEYS,
    body: createApiKey,
    readOnly: ['id', 'key', 'isActive', 'createdAt', 'lastUsedAt', 'requestCount'],
    tables: { limits: LIMITS, 'api-keys': ['put'] },
    summary: 'Create an API key; its secret is shown once',
  },
  'api-keys/list': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: KEYS,
    tables: { limits: LIMITS, 'api-keys': ['query', 'getAll'] },
    summary: 'List API keys, masked',
  },
  'api-keys/delete': {
    ...MANAGEMENT,
    methods: ['DELETE'],
    path: `${KEYS}/{id}`,
    tables: { limits: LIMITS, 'api-keys': ['remove'] },
    summary: 'Delete an API key for good',
  },
  'api-keys/toggle': {
    ...MANAGEMENT,
    methods: ['PATCH'],
    path: `${KEYS}/{id}/toggle`,
    tables: { limits: LIMITS, 'api-keys': ['get', 'update'] },
    summary: 'Switch an API key off or on',
  },
  'campaigns/create': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: CAMPAIGNS,
    body: createCampaign,
    readOnly: [...CAMPAIGN_READ_ONLY, 'pausedReason'],
    tables: { limits: LIMITS, campaigns: ['put', 'update', 'query'], ledgers: ['put', 'getAll'] },
    summary: 'Create a campaign',
  },
  'campaigns/list': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: CAMPAIGNS,
    query: listCampaigns,
    tables: { limits: LIMITS, campaigns: ['query'], ledgers: ['getAll'] },
    summary: 'List campaigns in the order of their creation',
  },
  'campaigns/get': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${CAMPAIGNS}/{id}`,
    tables: { limits: LIMITS, campaigns: ['get'], ledgers: ['getAll'] },
    summary: 'Get a campaign',
  },
  'campaigns/update': {
    ...MANAGEMENT,
    methods: ['PATCH'],
    path: `${CAMPAIGNS}/{id}`,
    body: updateCampaign,
    readOnly: CAMPAIGN_READ_ONLY,
    tables: { limits: LIMITS, campaigns: ['get', 'put', 'remove'], ledgers: ['get', 'update', 'getAll'] },
    summary: 'Change a campaign',
  },
  'campaigns/report': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${CAMPAIGNS}/{id}/report`,
    query: reportPeriod,
    tables: { limits: LIMITS, campaigns: ['get'], ledgers: ['query'] },
    summary: "Report a campaign's days, as JSON or CSV",
  },
  'campaigns/delete': {
    ...MANAGEMENT,
    methods: ['DELETE'],
    path: `${CAMPAIGNS}/{id}`,
    tables: { limits: LIMITS, campaigns: ['get', 'put', 'remove', 'update', 'query'] },
    summary: 'Delete a campaign for good',
  },
  'webhooks/create': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: WEBHOOKS,
    body: createWebhook,
    readOnly: [...WEBHOOK_READ_ONLY, 'status'],
    tables: { limits: LIMITS, webhooks: ['put', 'update'] },
    summary: 'Register a webhook; its secret is shown once',
  },
  'webhooks/list': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: WEBHOOKS,
    tables: { limits: LIMITS, webhooks: ['query'] },
    summary: 'List webhooks',
  },
  'webhooks/get': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${WEBHOOKS}/{id}`,
    tables: { limits: LIMITS, webhooks: ['get'] },
    summary: 'Get a webhook',
  },
  'webhooks/update': {
    ...MANAGEMENT,
    methods: ['PATCH'],
    path: `${WEBHOOKS}/{id}`,
    body: updateWebhook,
    readOnly: WEBHOOK_READ_ONLY,
    tables: { limits: LIMITS, webhooks: ['update'] },
    summary: 'Change a webhook, or revive it',
  },
  'webhooks/delete': {
    ...MANAGEMENT,
    methods: ['DELETE'],
    path: `${WEBHOOKS}/{id}`,
    tables: { limits: LIMITS, webhooks: ['remove', 'update'] },
    summary: 'Delete a webhook',
  },
  'webhooks/test': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${WEBHOOKS}/{id}/test`,
    deadlineMs: 13_000, // the receiver may take ten seconds of it
    body: testWebhook,
    tables: { limits: LIMITS, webhooks: ['get'] },
    summary: 'Send a webhook one sample event',
  },
  'webhooks/deliveries': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${WEBHOOKS}/{id}/deliveries`,
    tables: { limits: LIMITS, webhooks: ['get'], deliveries: ['query'] },
    summary: 'List the last deliveries of a webhook',
  },
  'webhooks/redeliver': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${WEBHOOKS}/{id}/deliveries/{deliveryId}/redeliver`,
    tables: { limits: LIMITS, webhooks: ['get'], deliveries: ['update'] },
    summary: 'Deliver an event once more',
  },
  'webhooks/rotate-secret': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${WEBHOOKS}/{id}/rotate-secret`,
    tables: { limits: LIMITS, webhooks: ['get', 'update'] },
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

/** An impression or a click that is not marked as counted: merely issued bids and the marks themselves wake nobody. */
const BID_FACTS = [
  { dynamodb: { NewImage: { state: { S: ['served'] }, impressionCounted: { BOOL: [{ exists: false }] } } } },
  {
    dynamodb: {
      NewImage: { click: { M: { at: { N: [{ exists: true }] } } }, clickCounted: { BOOL: [{ exists: false }] } },
    },
  },
];

/** Facts that are stored once and never change, but for marks. */
const INSERTS = [{ eventName: ['INSERT'] }];

/** The table of functions that run after the fact. */
export const workers = {
  'events/count': {
    // Bidding is told of a campaign's money once a batch: a second's charges together, not one by one.
    ...USUAL,
    sources: [
      { stream: 'bids', filters: BID_FACTS, gatherSeconds: 1 },
      { stream: 'conversions', filters: INSERTS, gatherSeconds: 1 },
    ],
    tables: { bids: ['update'], conversions: ['update'], ledgers: ['update', 'getAll'], campaigns: ['put'] },
    queues: ['parked'],
    summary: 'Count impressions, clicks, conversions and spend from the streams',
  },
  'events/fan-out': {
    ...USUAL,
    sources: [
      { stream: 'bids', filters: BID_FACTS },
      { stream: 'campaigns', filters: [{ dynamodb: { Keys: { item: { S: [{ prefix: 'campaign#' }] } } } }] },
      { stream: 'conversions', filters: INSERTS },
      { stream: 'statements', filters: INSERTS },
      {
        stream: 'deliveries',
        filters: [{ dynamodb: { NewImage: { redeliveries: { N: [{ 'anything-but': ['0'] }] } } } }],
      },
    ],
    tables: { webhooks: ['query'], ledgers: ['getAll'] },
    queues: ['parked', 'deliveries'],
    summary: 'Turn stored facts into events, one message for each receiver',
  },
  'events/deliver': {
    ...USUAL,
    sources: [{ queue: 'deliveries' }],
    tables: { webhooks: ['get', 'update'], deliveries: ['update'], limits: ['update'] },
    queues: ['dead', 'deliveries'],
    summary: 'Post one event to one receiver, and again after each failure',
  },
  'schedules/start-day': {
    ...BATCH,
    sources: [{ schedule: 'cron(0 * * * ? *)' }],
    tables: { campaigns: ['query', 'update'] },
    queues: [],
    summary: 'End the pauses of the day before and complete campaigns whose end date has passed',
  },
  'schedules/write-snapshot': {
    ...BATCH,
    sources: [{ schedule: 'cron(0/5 * * * ? *)' }],
    tables: { campaigns: ['query'], snapshots: ['get', 'put'] },
    queues: [],
    summary: 'Keep a snapshot of the campaigns from which a new instance learns them soon',
  },
  'schedules/bill-day': {
    ...BATCH,
    sources: [{ schedule: 'cron(10 0-4,8,12,18 * * ? *)' }],
    tables: { campaigns: ['query'], ledgers: ['getAll'], statements: ['getAll', 'put'] },
    queues: [],
    summary: 'Write a statement of the day before for each user who spent',
  },
} as const satisfies Record<string, Worker>;

export type EndpointName = keyof typeof endpoints;
export type WorkerName = keyof typeof workers;

/** The rows as the wide types that loops want. */
export const endpointRow = (name: EndpointName): Endpoint => endpoints[name];
export const workerRow = (name: WorkerName): Worker => workers[name];
export const endpointNames = Object.keys(endpoints) as EndpointName[];
export const workerNames = Object.keys(workers) as WorkerName[];
