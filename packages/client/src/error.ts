/** A code for each status of the service and for each way a call can fail without a usable response. */
export type ErrorCode =
  | (typeof CODES)[keyof typeof CODES]
  | 'refused'
  | 'unavailable'
  | 'network'
  | 'timeout'
  | 'unreadable'
  | 'secret_lost';

const CODES = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
} as const;

const toCode = (status: number): ErrorCode =>
  isKnown(status) ? CODES[status] : status >= 500 ? 'unavailable' : 'refused';
const isKnown = (status: number): status is keyof typeof CODES => status in CODES;

interface Facts {
  status: number;
  code: ErrorCode;
  error: string;
  message: string;
  details?: AdsError['details'] | undefined;
  debug?: AdsError['debug'] | undefined;
  requestId?: string | null;
  retryAfter?: number | null;
  cause?: unknown;
}

/** An error response of the service, or the reason why there is no usable response (status 0). */
export class AdsError extends Error {
  override readonly name = 'AdsError';
  /** HTTP status; 0 if no response arrived. */
  readonly status: number;
  readonly code: ErrorCode;
  /** The kind of error, as the service names it. */
  readonly error: string;
  /** The invalid fields of the request, if any. */
  readonly details: readonly { path: string; message: string }[];
  /** Debug information from the service. Empty unless `debug` is set. */
  readonly debug: Readonly<Record<string, unknown>>;
  /** Include it in support requests. Null if the response has none. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry; null if the service did not specify it. */
  readonly retryAfter: number | null;

  constructor({
    status,
    code,
    error,
    message,
    details = [],
    debug = {},
    requestId = null,
    retryAfter = null,
    cause,
  }: Facts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.error = error;
    this.details = details;
    this.debug = debug;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** Converts an error response. If the body is not the service's (a gateway's, for example), the message comes from the status. */
export function toRefusal({ status, statusText, headers }: Response, text: string): AdsError {
  const words = statusText || `HTTP ${status}`;
  const { error = words, message = words, details, debug } = parseMembers(text);
  const requestId = headers.get('x-request-id');
  return new AdsError({
    status,
    code: toCode(status),
    error,
    message,
    details,
    debug,
    requestId,
    retryAfter: parseRetryAfter(headers),
  });
}

export const timeoutAfter = (ms: number): AdsError =>
  new AdsError({ status: 0, code: 'timeout', error: 'Timeout', message: `No response within ${ms} ms` });

export const networkFault = (cause: unknown): AdsError =>
  new AdsError({ status: 0, code: 'network', error: 'Network', message: 'No response received', cause });

export const unreadable = ({ status, headers }: Response, cause: unknown): AdsError =>
  new AdsError({
    status,
    code: 'unreadable',
    error: 'Unreadable',
    message: 'The response is not JSON',
    requestId: headers.get('x-request-id'),
    cause,
  });

/** A creation succeeded, but the response with its secret was lost. The service does not return the secret again. */
export const secretLost = ({ status, headers }: Response, id: unknown): AdsError =>
  new AdsError({
    status,
    code: 'secret_lost',
    error: 'Secret lost',
    message: `${id} was created, but the response with its secret was lost: rotate its secret to get a new one`,
    requestId: headers.get('x-request-id'),
  });

/** Seconds. The header contains either seconds or a date. */
function parseRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (!value) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function parseMembers(text: string): Partial<Pick<AdsError, 'error' | 'message' | 'details' | 'debug'>> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
