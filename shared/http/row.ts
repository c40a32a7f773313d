import { type EndpointName, endpointRow } from '../operations/endpoints.ts';
import type { Endpoint } from '../operations/rows.ts';
import type { Config } from '../platform/config.ts';

/** The row of an operation, with what the settings say of its limit. */
export function rowOf(name: EndpointName, { exchangeRequestsPerSecond }: Config): Endpoint {
  const row = endpointRow(name);
  const { limit } = row;
  return limit && 'second' in limit ? { ...row, limit: { ...limit, most: exchangeRequestsPerSecond } } : row;
}
