import { WINDOW_SIZE } from '../../../keys/sliding-window.ts';
import { CONTEXT_READS, COUNTED_REQUEST, type Endpoint, FAST_START_SIZING } from '../rows.ts';

/** Requests of publishers while the user waits, and the click that follows. */
export const servingEndpoints = {
  'ssp/bid': {
    ...FAST_START_SIZING,
    methods: ['POST'],
    path: '/api/v1/ssp/bid',
    area: 'ssp',
    credential: 'key',
    limit: { max: WINDOW_SIZE, register: 'b' },
    deadlineMs: 900,
    tables: {
      ...CONTEXT_READS,
      ...COUNTED_REQUEST,
      campaigns: ['query', 'getAll'],
      snapshots: ['get', 'getAll'],
      bids: ['put'],
    },
    judge: {},
    summary: 'Submit a conversation and get a bid or null',
  },
  'ssp/ad': {
    ...FAST_START_SIZING,
    methods: ['GET'],
    path: '/api/v1/ssp/ad/{bidId}',
    area: 'ssp',
    credential: 'key',
    limit: { max: WINDOW_SIZE, register: 'a' },
    deadlineMs: 2_800,
    tables: {
      'key-settings': ['get'],
      campaigns: ['get', 'update'],
      bids: ['get', 'update'],
      ledgers: ['get', 'update', 'put'],
      conversations: ['get', 'update', 'put'],
    },
    summary: 'Retrieve the ad of a winning bid',
  },
  'click/redirect': {
    ...FAST_START_SIZING,
    methods: ['GET', 'HEAD'],
    path: '/api/v1/click/{trackingId}',
    area: 'open',
    credential: 'none',
    deadlineMs: 1_000,
    tables: { bids: ['update'], campaigns: ['get'] },
    summary: 'Redirect a click to the landing page',
  },
  'feedback/record': {
    ...FAST_START_SIZING,
    methods: ['POST', 'GET'],
    path: '/api/v1/feedback/{token}',
    area: 'open',
    credential: 'none',
    deadlineMs: 2_800,
    // The card posts from the publisher's page. A request without headers of its own needs no preflight.
    headers: { 'access-control-allow-origin': '*' },
    tables: { bids: ['update'], conversations: ['get', 'put'] },
    summary: 'Report that an ad is not relevant',
  },
  'viewable/record': {
    ...FAST_START_SIZING,
    methods: ['POST'],
    path: '/api/v1/viewable/{token}',
    area: 'open',
    credential: 'none',
    deadlineMs: 2_800,
    headers: { 'access-control-allow-origin': '*' },
    tables: { bids: ['update'], conversations: ['get', 'put'] },
    summary: 'Report that an ad was viewable',
  },
} as const satisfies Record<string, Endpoint>;
