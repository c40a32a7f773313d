import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isoTime } from '../platform/clock.ts';
import type { Area } from './operations/rows.ts';

export interface Detail {
  path: string;
  message: string;
}

/** An error response. Thrown anywhere, sent by the error handler in app.ts. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode;
  readonly error: string;
  readonly details: Detail[] | undefined;
  readonly headers: Record<string, string>;
  /** Overrides the area of the operation. */
  readonly area: Area | undefined;
  /** What X-Debug shows about the error. */
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

  /** The body in the shape of the area (api 1.2). Areas differ in the order of the members; Trusted Match has its own shape. */
  body(area: Area, requestId = ''): Record<string, unknown> {
    const { status: statusCode, error, message } = this;
    const details = this.details ? { details: this.details } : {};
    const own = this.area ?? area;
    if (own === 'trusted-match') return trustedMatchError(this, requestId);
    return own === 'ssp' ? { statusCode, message, error, ...details } : { error, message, statusCode, ...details };
  }
}

/** @param details the faults, most important first. Except in SSP, the first one becomes the message of the response. */
export function invalid(area: Area, details: Detail[]): ApiError {
  if (area === 'ssp') return new ApiError(400, 'Bad Request', 'Validation failed', { details });
  const error = area === 'legacy' ? 'Invalid request' : 'Validation failed';
  return new ApiError(400, error, details[0]?.message ?? 'The request is not valid', { details });
}

export const notFound = (area: Area, message: string, debug?: ApiError['debug']): ApiError =>
  new ApiError(404, area === 'ssp' ? 'Not Found' : 'Not found', message, { area, debug });

export const conflict = (message: string, details?: Detail[]): ApiError =>
  new ApiError(409, 'Conflict', message, { details });

/** @param until when the next of the replaced secrets expires, epoch milliseconds */
export const tooManySecrets = (until: number): ApiError =>
  conflict('Five replaced secrets are still valid; wait for one to expire, or revoke them all with revokeOld', [
    { path: 'revokeOld', message: `The next one expires at ${isoTime(until)}; true revokes all of them now` },
  ]);

export const usedKey = (): ApiError => conflict('Idempotency-Key was used with another body');

/** Unlike in `usedKey`, the path differs, not the body. */
export const usedKeyElsewhere = (): ApiError => conflict('Idempotency-Key was used for another request');

/** @param details the required header, if the request has no credential */
export const invalidKey = (details?: Detail[]): ApiError =>
  new ApiError(401, 'Unauthorized', 'Invalid API key', { details });

/** @param details the required header, if the request has no credential */
export const ownerRequired = (details?: Detail[]): ApiError =>
  new ApiError(401, 'Unauthorized', 'User ID is required', { details });

export function limited(area: Area, headers: Record<string, string>): ApiError {
  return area === 'ssp'
    ? new ApiError(429, 'Rate Limit Exceeded', 'Too Many Requests', { headers })
    : new ApiError(statusOfLimit(area), 'Rate limit exceeded', 'Too many requests, please try again later', {
        headers,
      });
}

/**
 * In Trusted Match, a decision of the provider is reported in the body of a 200. Other statuses mean that the provider could not decide.
 */
const statusOfLimit = (area: Area): 200 | 429 => (area === 'trusted-match' ? 200 : 429);

export const tooLarge = (): ApiError => new ApiError(413, 'Payload too large', 'The body must be at most 1 MiB');

export const notJson = (): ApiError =>
  new ApiError(415, 'Unsupported media type', 'The body must be JSON, sent with Content-Type: application/json');

/** The header tells clients which coding works (RFC 9110, section 15.5.16). */
export const unsupportedCoding = (): ApiError =>
  new ApiError(415, 'Unsupported media type', 'Content-Encoding must be gzip, or absent', {
    headers: { 'accept-encoding': 'gzip' },
  });

export const methodNotAllowed = (allow: string[]): ApiError =>
  new ApiError(405, 'Method not allowed', `This path supports ${allow.join(', ')}`, {
    headers: { allow: allow.join(', ') },
  });

export const unavailable = (area?: Area): ApiError =>
  new ApiError(503, 'Service unavailable', 'The service is temporarily unavailable, please try again', {
    area,
    headers: { 'retry-after': '1' },
  });

/** Does not reveal the cause. The log has it, under the request ID that every response carries. */
export const somethingWentWrong = (): ApiError => new ApiError(500, 'Internal Server Error', 'Something went wrong');

export const noAds = (debug: Record<string, unknown>): ApiError =>
  new ApiError(503, 'No ads available', 'No matching ads found for the given context', { debug });

export const routeNotFound = (): ApiError => new ApiError(404, 'Not found', 'Route not found');

/** Trusted Match codes by error. Every other error is `invalid_request`. */
const CODES: Record<string, string> = {
  'Rate limit exceeded': 'rate_limited',
  'Service unavailable': 'provider_unavailable',
  'Internal Server Error': 'internal_error',
};

interface RefusedRequest {
  error: string;
  message: string;
  details: unknown[] | undefined;
}

/** An error in the shape of Trusted Match. @param requestId the `request_id` of the request */
const trustedMatchError = ({ error, message, details }: RefusedRequest, requestId: string) => ({
  type: 'error',
  request_id: requestId,
  code: CODES[error] ?? 'invalid_request',
  message,
  ...(details && { details }),
});

/** Trusted Match requires this header on a 401. */
export const CHALLENGE = { 'www-authenticate': 'ApiKey realm="X-API-Key"' };

/** The `request_id` of a body that is not validated yet, cut to the maximum length; '' if there is none. */
export const requestIdIn = (json: unknown): string =>
  typeof json === 'object' && json && 'request_id' in json && typeof json.request_id === 'string'
    ? json.request_id.slice(0, 1_024)
    : '';
