import type { ZodType } from 'zod';
import { createApiKey } from './api-keys/schema.ts';
import type { Register } from './api-keys/window.ts';
import { bidRequest } from './bids/schema.ts';
import { createCampaign, updateCampaign } from './campaigns/schema.ts';
import type { QueueName } from './queues.ts';
import type { TableName } from './tables.ts';

/** The areas of the API; each has its own words for the same refusals (contract, section 7; decisions, section 1). */
export type Area = 'ssp' | 'legacy' | 'management' | 'open';

/** What a function does to a table; each verb is one action that its role grants. */
export type Verb = 'get' | 'getAll' | 'query' | 'put' | 'update' | 'remove' | 'check';
export type Grants = { readonly [T in TableName]?: readonly Verb[] };

/** One operation over HTTP. Its name is the path of its file in functions/ and of its fixture in events/. */
export interface Endpoint {
  methods: readonly ('GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE')[];
  /** As API Gateway writes it; null answers whatever no other row does. */
  path: string | null;
  area: Area;
  /** `key`: X-API-Key; `user`: x-user-id. */
  credential: 'key' | 'user' | 'none';
  /** For credential `key`: the window of 15 a second that the operation counts in. */
  window?: Register;
  body?: ZodType;
  tables: Grants;
  summary: string;
}

/** One function that runs after the fact: fed from a table's stream. */
export interface Worker {
  stream: TableName;
  tables: Grants;
  queues: readonly QueueName[];
  summary: string;
}

const KEYS = '/api/v1/auth/api-keys';
const CAMPAIGNS = '/api/v1/campaigns';
const FIGURES = ['getAll'] as const;

/** THE table of operations: infrastructure, the local server and the tests all read it. */
export const endpoints = {
  'ssp/bid': {
    methods: ['POST'],
    path: '/api/v1/ssp/bid',
    area: 'ssp',
    credential: 'key',
    window: 'b',
    body: bidRequest,
    tables: { 'api-keys': ['update'], campaigns: ['query'], bids: ['put'] },
    summary: 'Submit a conversation, get a bid or null',
  },
  'ssp/ad': {
    methods: ['GET'],
    path: '/api/v1/ssp/ad/{bidId}',
    area: 'ssp',
    credential: 'key',
    window: 'a',
    tables: {
      'api-keys': ['update'],
      campaigns: ['get', 'update'],
      bids: ['get', 'update'],
      ledgers: ['update', 'put'],
    },
    summary: 'Exchange a won bid for its ad',
  },
  'click/redirect': {
    methods: ['GET', 'HEAD'],
    path: '/api/v1/click/{trackingId}',
    area: 'open',
    credential: 'none',
    tables: { bids: ['update'] },
    summary: 'Follow an ad to its landing page',
  },
  'api-keys/create': {
    methods: ['POST'],
    path: KEYS,
    area: 'management',
    credential: 'user',
    body: createApiKey,
    tables: { 'api-keys': ['put'] },
    summary: 'Create an API key',
  },
  'campaigns/create': {
    methods: ['POST'],
    path: CAMPAIGNS,
    area: 'management',
    credential: 'user',
    body: createCampaign,
    tables: { campaigns: ['put'], ledgers: ['put', ...FIGURES] },
    summary: 'Create a campaign',
  },
  'campaigns/get': {
    methods: ['GET'],
    path: `${CAMPAIGNS}/{id}`,
    area: 'management',
    credential: 'user',
    tables: { campaigns: ['get'], ledgers: FIGURES },
    summary: 'Get a campaign',
  },
  'campaigns/update': {
    methods: ['PATCH'],
    path: `${CAMPAIGNS}/{id}`,
    area: 'management',
    credential: 'user',
    body: updateCampaign,
    tables: { campaigns: ['get', 'put', 'remove'], ledgers: ['update', ...FIGURES] },
    summary: 'Change a campaign',
  },
  health: {
    methods: ['GET'],
    path: '/api/v1/health',
    area: 'open',
    credential: 'none',
    tables: {},
    summary: 'Say that the service is up',
  },
  unmatched: {
    methods: [],
    path: null,
    area: 'open',
    credential: 'none',
    tables: {},
    summary: 'Answer what no other operation does: 404, or 405 with Allow',
  },
} as const satisfies Record<string, Endpoint>;

export const workers = {
  'events/count': {
    stream: 'bids',
    tables: { bids: ['update'], ledgers: ['update'] },
    queues: ['parked'],
    summary: 'Count impressions, clicks and spend from the stream of bids',
  },
} as const satisfies Record<string, Worker>;

export type EndpointName = keyof typeof endpoints;
export type WorkerName = keyof typeof workers;

/** The rows as the wide types that loops want. */
export const endpointRow = (name: EndpointName): Endpoint => endpoints[name];
export const workerRow = (name: WorkerName): Worker => workers[name];
export const endpointNames = Object.keys(endpoints) as EndpointName[];
export const workerNames = Object.keys(workers) as WorkerName[];
