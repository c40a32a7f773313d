/** Which code of Trusted Match says what an error says; every other is of the request. */
const CODES: Record<string, string> = {
  'Rate limit exceeded': 'rate_limited',
  'Service unavailable': 'provider_unavailable',
  'Internal Server Error': 'internal_error',
};

/** What an error tells. */
interface Told {
  error: string;
  message: string;
  details: unknown[] | undefined;
}

/** An error in the shape of Trusted Match, for the request of this `request_id`. */
export const trustedMatchError = ({ error, message, details }: Told, requestId: string) => ({
  type: 'error',
  request_id: requestId,
  code: CODES[error] ?? 'invalid_request',
  message,
  ...(details && { details }),
});

/** What a 401 of Trusted Match must say: with what one is asked for. */
export const CHALLENGE = { 'www-authenticate': 'ApiKey realm="Trusted Match", header="X-API-Key"' };

/** Characters of a `request_id`, which is answered. */
const MOST_OF_REQUEST_ID = 1_024;

/** The `request_id` of a body, before anything else of it is known to be right; empty where it has none. */
export function requestIdIn(json: unknown): string {
  const id: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'request_id') : undefined;
  return typeof id === 'string' && id.length <= MOST_OF_REQUEST_ID ? id : '';
}
