import type { Config } from '../platform/config.ts';
import { type EndpointName, endpointRow } from './operations/endpoints.ts';
import type { Endpoint } from './operations/rows.ts';

/** Applies the settings to the limit of a row: exchanges have a configurable number of requests per second. */
export function withSettings<E extends Endpoint>(row: E, { exchangeRequestsPerSecond }: Config): E {
  return row.credential === 'key' && 'second' in row.limit
    ? { ...row, limit: { ...row.limit, max: exchangeRequestsPerSecond } }
    : row;
}

export const getRow = (name: EndpointName, config: Config): Endpoint => withSettings(endpointRow(name), config);

export const RATE_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const;

/** `Retry-After` in whole seconds, at least 1 (api 1.4). */
export const secondsToWait = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1000)));

export const rateHeaders = (
  max: number,
  remaining: number,
  resetMs: number,
): Record<(typeof RATE_HEADERS)[number], string> => ({
  'ratelimit-limit': String(max),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': secondsToWait(resetMs),
});

/** The rate headers of a request that no rate limit counts, for example one without a credential. */
export const idleRateHeaders = ({ limit }: Endpoint): Partial<ReturnType<typeof rateHeaders>> =>
  limit ? rateHeaders(limit.max, limit.max, 0) : {};
