import { type Endpoint, USUAL } from '../rows.ts';

/** What anybody may ask. */
export const openEndpoints = {
  openapi: {
    ...USUAL,
    methods: ['GET', 'HEAD'],
    path: '/api/v1/openapi.json',
    area: 'open',
    credential: 'none',
    tables: {},
    summary: 'Describe every operation in OpenAPI 3.1',
  },
  health: {
    ...USUAL,
    methods: ['GET', 'HEAD'],
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
