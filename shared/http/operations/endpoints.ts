import { getKeys } from '../../platform/values/typed.ts';
import { accountEndpoints } from './endpoints/account.ts';
import { campaignEndpoints, conversionEndpoints } from './endpoints/campaigns.ts';
import { exchangeEndpoints } from './endpoints/exchanges.ts';
import { keyEndpoints } from './endpoints/keys.ts';
import { legacyEndpoints } from './endpoints/legacy.ts';
import { servingEndpoints } from './endpoints/serving.ts';
import { webhookEndpoints } from './endpoints/webhooks.ts';
import { type Area, DEFAULT_SIZING, type Endpoint, type Grants } from './rows.ts';

/** Operations that need no credential. */
const openEndpoints = {
  openapi: {
    ...DEFAULT_SIZING,
    methods: ['GET', 'HEAD'],
    path: '/api/v1/openapi.json',
    area: 'open',
    credential: 'none',
    tables: {},
    summary: 'Get the OpenAPI 3.1 document',
  },
  health: {
    ...DEFAULT_SIZING,
    methods: ['GET', 'HEAD'],
    path: '/api/v1/health',
    area: 'open',
    credential: 'none',
    tables: {},
    summary: 'Check that the service responds',
  },
  unmatched: {
    ...DEFAULT_SIZING,
    methods: [],
    path: null,
    area: 'open',
    credential: 'none',
    tables: {},
    summary: 'Answer what no other operation does: 404, or 405 with Allow',
  },
} as const satisfies Record<string, Endpoint>;

/** The table of operations: infrastructure, the local server and the tests all read it. */
export const endpoints = {
  ...servingEndpoints,
  ...exchangeEndpoints,
  ...legacyEndpoints,
  ...conversionEndpoints,
  ...keyEndpoints,
  ...campaignEndpoints,
  ...webhookEndpoints,
  ...accountEndpoints,
  ...openEndpoints,
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
export const endpointNames = getKeys(endpoints);

/** The row of an operation, typed wide for loops, with all table grants of its function. */
export const endpointRow = (name: EndpointName): Endpoint => ({
  ...endpoints[name],
  tables: toGrants(endpoints[name]),
});

/** The grants for rate limiting, idempotency, and key lookup, plus the operation's own. */
const toGrants = ({ credential, limit, idempotent, tables }: Endpoint): Grants => ({
  ...(limit && 'group' in limit && { limits: ['update', 'put'] }),
  ...(idempotent && { idempotency: ['get', 'put'] }),
  ...((credential === 'key' || credential === 'any-key') && { 'api-keys': ['get', 'update'] }),
  ...tables,
});

const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** All operations of a path, with any method. */
export function operationsAt(path: string): Endpoint[] {
  const rows = endpointNames.map(endpointRow);
  return rows.filter((row) => row.path !== null && pattern(row.path).test(path));
}

/** The API area whose error format applies if no operation matches the path or the method. */
export const areaAt = (path: string): Area =>
  operationsAt(path)[0]?.area ??
  (path.startsWith('/api/v1/ssp/') ? 'ssp' : path.startsWith('/api/v1/ad-serving/') ? 'legacy' : 'open');
