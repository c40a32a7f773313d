import { keysOf } from '../../platform/values/typed.ts';
import { campaignEndpoints } from './endpoints/campaigns.ts';
import { conversionEndpoints } from './endpoints/conversions.ts';
import { exchangeEndpoints } from './endpoints/exchanges.ts';
import { keyEndpoints } from './endpoints/keys.ts';
import { legacyEndpoints } from './endpoints/legacy.ts';
import { openEndpoints } from './endpoints/open.ts';
import { servingEndpoints } from './endpoints/serving.ts';
import { webhookEndpoints } from './endpoints/webhooks.ts';
import type { Endpoint, Grants } from './rows.ts';

/** The table of operations: infrastructure, the local server and the tests all read it. */
export const endpoints = {
  ...servingEndpoints,
  ...exchangeEndpoints,
  ...legacyEndpoints,
  ...conversionEndpoints,
  ...keyEndpoints,
  ...campaignEndpoints,
  ...webhookEndpoints,
  ...openEndpoints,
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
export const endpointNames = keysOf(endpoints);

/** The row of an operation as the wide type that loops want, with all that its function does to tables. */
export const endpointRow = (name: EndpointName): Endpoint => ({
  ...endpoints[name],
  tables: grantsOf(endpoints[name]),
});

/** What counting the rate and finding the key take, and what the operation itself does. */
const grantsOf = ({ credential, limit, idempotent, tables }: Endpoint): Grants => ({
  ...(limit && 'group' in limit && { limits: ['update', 'put'] }),
  ...(idempotent && { idempotency: ['get', 'put'] }),
  ...((credential === 'key' || credential === 'any-key') && { 'api-keys': ['get', 'update'] }),
  ...tables,
});
