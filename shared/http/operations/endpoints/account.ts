import { type Endpoint, REPORTS } from '../rows.ts';

/** What concerns all campaigns and keys of a user. */
export const accountEndpoints = {
  'account/activity': {
    ...REPORTS,
    methods: ['GET'],
    path: '/api/v1/activity',
    tables: { activity: ['query'] },
    summary: 'List who changed which campaign, API key, or webhook, and when',
  },
  'account/home': {
    ...REPORTS,
    methods: ['GET'],
    path: '/api/v1/home',
    tables: {
      campaigns: ['query'],
      'account-days': ['query', 'getAll'],
      ledgers: ['getAll'],
      'api-keys': ['query', 'getAll'],
      'key-settings': ['getAll'],
      'key-days': ['query'],
      webhooks: ['query'],
      activity: ['query'],
    },
    summary: 'Get the figures of all campaigns and API keys, what needs attention, and the latest activity',
  },
  'account/statements': {
    ...REPORTS,
    methods: ['GET'],
    path: '/api/v1/statements',
    tables: {
      statements: ['query', 'getAll'],
      'account-days': ['getAll'],
      campaigns: ['query'],
      ledgers: ['getAll'],
      'api-keys': ['query', 'getAll'],
      'key-settings': ['getAll'],
      'key-days': ['query'],
    },
    summary: 'Get the daily statements of a month',
  },
  'reports/campaigns': {
    ...REPORTS,
    methods: ['GET'],
    path: '/api/v1/reports/campaigns',
    tables: { campaigns: ['query'], ledgers: ['getAll', 'query'] },
    summary: 'Get the figures of all campaigns in a period',
  },
  'reports/terms': {
    ...REPORTS,
    methods: ['GET'],
    path: '/api/v1/reports/terms',
    tables: { campaigns: ['get'], ledgers: ['query'] },
    summary: 'Get what a campaign was shown for in a month',
  },
} as const satisfies Record<string, Endpoint>;
