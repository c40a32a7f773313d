import { DEFAULT_SIZING, type Endpoint, FAST_START_SIZING, MANAGEMENT, REPORTS } from '../rows.ts';

const CAMPAIGNS = '/api/v1/campaigns';

const CAMPAIGN_READ_ONLY = [
  'id',
  'spentBudget',
  'spentToday',
  'performance',
  'serving',
  'conversionStatus',
  'createdAt',
  'updatedAt',
];

/** Advertisers' campaigns. */
export const campaignEndpoints = {
  'campaigns/create': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: CAMPAIGNS,
    readOnly: [...CAMPAIGN_READ_ONLY, 'pausedReason'], // without `suggestedPhrases`: an update can set it
    idempotent: true,
    tables: { campaigns: ['put', 'update', 'query', 'get'], ledgers: ['put', 'getAll'], activity: ['put'] },
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
    tables: { campaigns: ['get'], ledgers: ['getAll', 'query'] },
    summary: 'Get a campaign',
  },
  'campaigns/update': {
    ...MANAGEMENT,
    methods: ['PATCH'],
    path: `${CAMPAIGNS}/{id}`,
    readOnly: [...CAMPAIGN_READ_ONLY, 'report'],
    tables: {
      campaigns: ['get', 'put', 'remove', 'update', 'query'],
      ledgers: ['get', 'update', 'put', 'getAll'],
      activity: ['put'],
    },
    summary: 'Change a campaign',
  },
  'campaigns/preview': {
    ...MANAGEMENT,
    ...FAST_START_SIZING, // loads the campaign index, like bidding
    methods: ['POST'],
    path: `${CAMPAIGNS}/preview`,
    tables: { campaigns: ['get', 'query'], ledgers: ['getAll'], snapshots: ['get', 'getAll'] },
    summary: 'Test a campaign against a conversation and estimate its reach',
  },
  'campaigns/report': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${CAMPAIGNS}/{id}/report`,
    tables: {
      campaigns: ['get', 'getAll'],
      ledgers: ['getAll', 'query'],
      'key-settings': ['getAll'],
      conversations: ['get', 'put'],
    },
    summary: 'Get the daily report of a campaign, also by country, publisher, topic, creative, or variant',
  },
  'campaigns/delete': {
    ...MANAGEMENT,
    methods: ['DELETE'],
    path: `${CAMPAIGNS}/{id}`,
    tables: {
      campaigns: ['get', 'put', 'remove', 'update', 'query'],
      ledgers: ['get', 'update', 'put'],
      activity: ['put'],
    },
    summary: 'Delete a campaign permanently',
  },
} as const satisfies Record<string, Endpoint>;

/** Conversions after a click, sent by advertisers. */
export const conversionEndpoints = {
  'conversions/record': {
    ...DEFAULT_SIZING,
    area: 'management',
    credential: 'owner',
    limit: { max: 1_000, group: 'conversions' },
    deadlineMs: 10_000,
    methods: ['POST'],
    path: '/api/v1/conversions',
    readOnly: ['campaignId', 'counted', 'createdAt'],
    tables: { bids: ['get'], campaigns: ['get'], conversions: ['put'] },
    summary: 'Record a conversion after a click',
  },
  'conversions/test': {
    ...REPORTS, // tests cannot use up the limit of real conversions
    methods: ['POST'],
    path: '/api/v1/conversions/test',
    readOnly: ['counted', 'createdAt'],
    tables: { campaigns: ['get'], ledgers: ['update'] },
    summary: 'Send a test conversion, which counts nowhere',
  },
} as const satisfies Record<string, Endpoint>;
