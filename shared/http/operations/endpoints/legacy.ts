import { CONTEXT_READS, COUNTED_REQUEST, type Endpoint, FAST_START_SIZING } from '../rows.ts';

const AD_SERVING = '/api/v1/ad-serving';

/** Shared by all legacy operations (api 1.3 and 1.4). */
const LEGACY = {
  ...FAST_START_SIZING,
  area: 'legacy',
  credential: 'any-key',
  limit: { max: 1_000, group: 'legacy' },
  deadlineMs: 2_800,
} as const;

/** The legacy one-call API. */
export const legacyEndpoints = {
  'legacy/request': {
    ...LEGACY,
    methods: ['POST'],
    path: `${AD_SERVING}/request`,
    tables: {
      ...CONTEXT_READS,
      ...COUNTED_REQUEST,
      campaigns: ['query', 'get', 'getAll'],
      snapshots: ['get', 'getAll'],
      bids: ['put'],
    },
    judge: {},
    summary: 'Deprecated: request one to five ads',
  },
  'legacy/click': {
    ...LEGACY,
    methods: ['GET'],
    path: `${AD_SERVING}/click/{adId}`,
    tables: { bids: ['update'], campaigns: ['get'] },
    summary: 'Deprecated: record a click and get its landing page',
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
    summary: 'Deprecated: record an impression; the first is charged',
  },
} as const satisfies Record<string, Endpoint>;
