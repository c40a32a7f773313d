import { namesIgnored } from '../ignored-fields.ts';
import type { OperationInput } from '../operations/inputs.ts';
import { type Answering, getResponses } from '../operations/responses.ts';
import type { Endpoint } from '../operations/rows.ts';

const header = (description: string, type: 'string' | 'integer' = 'string') => ({
  description,
  schema: { type, ...(type === 'integer' && { minimum: 0 }) },
});

/** The response headers in `components`. */
export const headers = {
  'x-request-id': header('Request ID; include it when you contact support'),
  'cache-control': header('`no-store`: responses must not be cached'),
  'x-content-type-options': header('`nosniff`'),
  'ratelimit-limit': header('Maximum requests per window', 'integer'),
  'ratelimit-remaining': header('Requests left in the current window', 'integer'),
  'ratelimit-reset': header('Seconds until the window resets', 'integer'),
  'retry-after': header('Seconds to wait, at least 1', 'integer'),
  'x-ignored-fields': header(
    'Comma-separated body fields that the operation ignored, such as dailybudget, creative.headlin',
  ),
  location: header('The landing page, with `click_id` in its query'),
  'idempotency-replayed': header('true if the response repeats an earlier request with the same Idempotency-Key'),
  'x-total-count': header('Number of matching campaigns on all pages', 'integer'),
  'x-debug-info': header(
    'Debug information as ASCII JSON under 4 KB, if the request sent X-Debug: true and the response body is null or empty',
  ),
  'x-no-bid-reason': header('Why the response body is null, as `code: meaning`, in ASCII; absent with a bid'),
  'x-openrtb-version': header('2.6'),
  'accept-encoding': header('`gzip`: the only `Content-Encoding` that a request body may have'),
  'www-authenticate': header('Authentication scheme of the operation'),
  deprecation: header('Date when the legacy API was deprecated (RFC 9745)'),
  link: header('Legacy API: the operation that replaces this one. Statements: the next page, if there is one'),
} as const;

/** References to the headers of one response. */
export function headerRefs(name: Answering, row: Endpoint & OperationInput, status: number) {
  const { limit, area, idempotent } = row;
  const names: (keyof typeof headers)[] = ['x-request-id', 'cache-control', 'x-content-type-options'];
  if (limit) names.push('ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset');
  if (status === 429 || status === 503) names.push('retry-after');
  if (area === 'legacy') names.push('deprecation', 'link');
  if (area === 'trusted-match' && status === 401) names.push('www-authenticate');
  if (area === 'trusted-match' && status === 200) names.push('retry-after');
  if (namesIgnored(row) && (status < 300 || status === 400)) names.push('x-ignored-fields');
  if (status === 415) names.push('accept-encoding');
  if (idempotent && status < 300) names.push('idempotency-replayed');
  if (status === 302) names.push('location');
  const own = getResponses(name).headers ?? [];
  names.push(...own.filter((header) => status < 400 || header === 'x-openrtb-version'));
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
