import { CONTEXT_READS, COUNTED_REQUEST, DEFAULT_SIZING, type Endpoint, FAST_START_SIZING } from '../rows.ts';

const TRUSTED_MATCH = '/api/v1/trusted-match';

/** Requests from exchanges and assistants: OpenRTB 2.6 and AdCP Trusted Match. */
export const exchangeEndpoints = {
  'openrtb2/bid': {
    ...FAST_START_SIZING,
    methods: ['POST'],
    path: '/api/v1/openrtb2/bid',
    area: 'ssp',
    credential: 'key',
    limit: { max: 200, second: 'exchange' },
    deadlineMs: 900,
    headers: { 'x-openrtb-version': '2.6' },
    tables: {
      ...CONTEXT_READS,
      ...COUNTED_REQUEST,
      conversations: ['get', 'getAll', 'put'],
      campaigns: ['query', 'get', 'getAll'],
      snapshots: ['get', 'getAll'],
      bids: ['put'],
    },
    summary: 'Bid on impressions that an exchange offers, in OpenRTB 2.6',
  },
  'openrtb2/notice': {
    ...FAST_START_SIZING,
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
    summary: 'Receive a win, billing, loss, or view notice from an exchange',
  },
  'trusted-match/context': {
    ...FAST_START_SIZING,
    methods: ['POST'],
    path: `${TRUSTED_MATCH}/context`,
    area: 'trusted-match',
    credential: 'key',
    limit: { max: 200, second: 'exchange' },
    deadlineMs: 900,
    tables: {
      ...CONTEXT_READS,
      ...COUNTED_REQUEST,
      campaigns: ['query', 'get', 'getAll'],
      snapshots: ['get', 'getAll'],
      bids: ['put'],
    },
    summary: 'Experimental: offer an ad for an assistant conversation (AdCP Trusted Match)',
  },
  'trusted-match/click': {
    ...FAST_START_SIZING,
    methods: ['GET', 'HEAD'],
    path: `${TRUSTED_MATCH}/click/{trackingId}`,
    area: 'open',
    credential: 'none',
    deadlineMs: 2_800,
    tables: { bids: ['get', 'update'], campaigns: ['get', 'update'], ledgers: ['get', 'update', 'put'] },
    summary: 'Experimental: redirect an offer to its landing page; charges the click if no impression was reported',
  },
  'trusted-match/health': {
    ...DEFAULT_SIZING,
    methods: ['GET', 'HEAD'],
    path: `${TRUSTED_MATCH}/health`,
    area: 'open',
    credential: 'none',
    tables: {},
    summary: 'Experimental: check that the Trusted Match provider is ready',
  },
} as const satisfies Record<string, Endpoint>;
