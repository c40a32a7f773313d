import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isoTime } from '../platform/clock.ts';
import type { Area } from './operations/rows.ts';

export interface Detail {
  path: string;
  message: string;
}

/** A refusal on its way to the one place that answers it. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode;
  readonly error: string;
  readonly details: Detail[] | undefined;
  readonly headers: Record<string, string>;
  /** The area that it belongs to where that is not the one of the row that answers. */
  readonly area: Area | undefined;
  /** What X-Debug shows of it. */
  readonly debug?: Record<string, unknown>;

  constructor(
    status: ContentfulStatusCode,
    error: string,
    message: string,
    more: Pick<ApiError, 'debug'> & { details?: Detail[]; headers?: Record<string, string>; area?: Area } = {},
  ) {
    super(message);
    this.status = status;
    this.error = error;
    this.details = more.details;
    this.headers = more.headers ?? {};
    this.area = more.area;
    this.debug = more.debug;
  }

  /**
   * The body in the shape of its area: the members are the same, their order is the area's (api 1.2); Trusted Match has a shape of its own,
   * with the request's own id.
   */
  body(area: Area, requestId = ''): Record<string, unknown> {
    const { status: statusCode, error, message } = this;
    const details = this.details ? { details: this.details } : {};
    const own = this.area ?? area;
    if (own === 'trusted-match') return trustedMatchError(this, requestId);
    return own === 'ssp' ? { statusCode, message, error, ...details } : { error, message, statusCode, ...details };
  }
}

/** @param details what is wrong, the worst first; its message is the answer's where the area has none of its own. */
export function invalid(area: Area, details: Detail[]): ApiError {
  if (area === 'ssp') return new ApiError(400, 'Bad Request', 'Validation failed', { details });
  const error = area === 'legacy' ? 'Invalid request' : 'Validation failed';
  return new ApiError(400, error, details[0]?.message ?? 'The request is not valid', { details });
}

export const notFound = (area: Area, message: string, debug?: ApiError['debug']): ApiError =>
  new ApiError(404, area === 'ssp' ? 'Not Found' : 'Not found', message, { area, debug });

export const conflict = (message: string, details?: Detail[]): ApiError =>
  new ApiError(409, 'Conflict', message, { details });

/** @param until when the next of the replaced secrets ends, epoch milliseconds */
export const tooManySecrets = (until: number): ApiError =>
  conflict('Five replaced secrets are still valid; wait for one to expire, or revoke them all with revokeOld', [
    { path: 'revokeOld', message: `The next one expires at ${isoTime(until)}; true revokes all of them now` },
  ]);

export const usedKey = (): ApiError => conflict('Idempotency-Key was used with another body');

/** It was used for another id: nothing is wrong with the body. */
export const usedKeyElsewhere = (): ApiError => conflict('Idempotency-Key was used for another request');

/** @param details which header is wanted, where none came */
export const invalidKey = (details?: Detail[]): ApiError =>
  new ApiError(401, 'Unauthorized', 'Invalid API key', { details });

/** @param details which header is wanted, where none came */
export const ownerRequired = (details?: Detail[]): ApiError =>
  new ApiError(401, 'Unauthorized', 'User ID is required', { details });

export function limited(area: Area, headers: Record<string, string>): ApiError {
  return area === 'ssp'
    ? new ApiError(429, 'Rate Limit Exceeded', 'Too Many Requests', { headers })
    : new ApiError(statusOfLimit(area), 'Rate limit exceeded', 'Too many requests, please try again later', {
        headers,
      });
}

/** Trusted Match tells of what a provider decides by a body alone, and by the status of what kept it from deciding. */
const statusOfLimit = (area: Area): 200 | 429 => (area === 'trusted-match' ? 200 : 429);

export const tooLarge = (): ApiError => new ApiError(413, 'Payload too large', 'The body must be at most 1 MiB');

export const notJson = (): ApiError =>
  new ApiError(415, 'Unsupported media type', 'The body must be JSON, sent with Content-Type: application/json');

export const methodNotAllowed = (allow: string[]): ApiError =>
  new ApiError(405, 'Method not allowed', `This path supports ${allow.join(', ')}`, {
    headers: { allow: allow.join(', ') },
  });

export const unavailable = (area?: Area): ApiError =>
  new ApiError(503, 'Service unavailable', 'The service is temporarily unavailable, please try again', {
    area,
    headers: { 'retry-after': '1' },
  });

/** Says nothing of what happened inside; the log does, under the request id that every response carries. */
export const somethingWentWrong = (): ApiError => new ApiError(500, 'Internal Server Error', 'Something went wrong');

export const noAds = (debug: Record<string, unknown>): ApiError =>
  new ApiError(503, 'No ads available', 'No matching ads found for the given context', { debug });

export const routeNotFound = (): ApiError => new ApiError(404, 'Not found', 'Route not found');

/** Which code of Trusted Match says what an error says; every other is of the request. */
const CODES: Record<string, string> = {
  'Rate limit exceeded': 'rate_limited',
  'Service unavailable': 'provider_unavailable',
  'Internal Server Error': 'internal_error',
};

/** What an error tells. */
interface RefusedRequest {
  error: string;
  message: string;
  details: unknown[] | undefined;
}

/** An error in the shape of Trusted Match, for the request of this `request_id`. */
const trustedMatchError = ({ error, message, details }: RefusedRequest, requestId: string) => ({
  type: 'error',
  request_id: requestId,
  code: CODES[error] ?? 'invalid_request',
  message,
  ...(details && { details }),
});

/** What a 401 of Trusted Match must say: with what one is asked for. */
export const CHALLENGE = { 'www-authenticate': 'ApiKey realm="X-API-Key"' };

/** The `request_id` of a body, before anything else of it is known to be right; empty where it has none, cut where none is so long. */
export const requestIdIn = (json: unknown): string =>
  typeof json === 'object' && json && 'request_id' in json && typeof json.request_id === 'string'
    ? json.request_id.slice(0, 1_024)
    : '';
