import { namesIgnored } from '../ignored-fields.ts';
import type { OperationInput } from '../operations/inputs.ts';
import { type Answering, getResponses } from '../operations/responses.ts';
import type { Endpoint } from '../operations/rows.ts';

const header = (description: string, type: 'string' | 'integer' = 'string') => ({
  description,
  schema: { type, ...(type === 'integer' && { minimum: 0 }) },
});

/** Headers of responses, under components. */
export const headers = {
  'x-request-id': header('Names the request; quote it when asking for help'),
  'cache-control': header('`no-store`: no response may be kept'),
  'x-content-type-options': header('`nosniff`'),
  'ratelimit-limit': header('Requests that the window takes', 'integer'),
  'ratelimit-remaining': header('Requests that it still takes', 'integer'),
  'ratelimit-reset': header('Seconds until it is whole again', 'integer'),
  'retry-after': header('Seconds to wait, at least 1', 'integer'),
  'x-ignored-fields': header(
    'Fields of the body that nothing reads, with commas between: dailybudget, creative.headlin',
  ),
  location: header('The landing page, with `click_id` in its query'),
  'idempotency-replayed': header(
    'true if an earlier request with the same Idempotency-Key was carried out, and this one was not',
  ),
  'x-total-count': header('How many campaigns match, on all pages together', 'integer'),
  'x-debug-info': header('What `debug` would say, as ASCII JSON under 4 KB; with X-Debug: true on a null'),
  'x-openrtb-version': header('2.6'),
  'www-authenticate': header('With what one is asked for'),
  deprecation: header('Since when the legacy API is deprecated'),
  link: header('What to use instead'),
} as const;

/** Those that a response of an operation carries, as references. */
export function headerRefs(name: Answering, row: Endpoint & OperationInput, status: number) {
  const { limit, area, idempotent } = row;
  const names: (keyof typeof headers)[] = ['x-request-id', 'cache-control', 'x-content-type-options'];
  if (limit) names.push('ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset');
  if (status === 429 || status === 503) names.push('retry-after');
  if (area === 'legacy') names.push('deprecation', 'link');
  if (area === 'trusted-match' && status === 401) names.push('www-authenticate');
  if (area === 'trusted-match' && status === 200) names.push('retry-after');
  if (namesIgnored(row) && (status < 300 || status === 400)) names.push('x-ignored-fields');
  if (idempotent && status < 300) names.push('idempotency-replayed');
  if (status === 302) names.push('location');
  const own = getResponses(name).headers ?? [];
  names.push(...own.filter((header) => status < 400 || header === 'x-openrtb-version'));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
