import { type Endpoint, USUAL } from '../rows.ts';

/** Records of what a click led to, which advertisers send. */
export const conversionEndpoints = {
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
} as const satisfies Record<string, Endpoint>;
