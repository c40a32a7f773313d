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
export const trustedMatchError = ({ error, message, details }: RefusedRequest, requestId: string) => ({
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
