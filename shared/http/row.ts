import type { Config } from '../platform/config.ts';
import { type EndpointName, endpointRow } from './operations/endpoints.ts';
import type { Endpoint } from './operations/rows.ts';

/** A row whose limit follows the settings: exchanges' requests per second are one. */
export function withSettings<E extends Endpoint>(row: E, { exchangeRequestsPerSecond }: Config): E {
  return row.credential === 'key' && 'second' in row.limit
    ? { ...row, limit: { ...row.limit, most: exchangeRequestsPerSecond } }
    : row;
}

export const rowOf = (name: EndpointName, config: Config): Endpoint => withSettings(endpointRow(name), config);
