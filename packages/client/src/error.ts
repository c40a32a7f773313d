/** What went wrong, one word for each status of the service, and for the ways in which no answer came. */
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

const codeOf = (status: number): ErrorCode =>
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

/** A refusal of the service in its own words, or the reason why there is no usable response (status 0 if none came). */
export class AdsError extends Error {
  override readonly name = 'AdsError';
  /** Of the answer; 0 where none came. */
  readonly status: number;
  readonly code: ErrorCode;
  /** What kind of refusal it is, in the words of the service. */
  readonly error: string;
  /** Each bad field, where the request was not valid. */
  readonly details: readonly { path: string; message: string }[];
  /** What the setting `debug` has the service tell of it; empty without. */
  readonly debug: Readonly<Record<string, unknown>>;
  /** Quote it when you ask the operator; null where no answer came. */
  readonly requestId: string | null;
  /** After how many seconds it is worth to ask again; null where the service did not say. */
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

/** What a response refuses; a body that is not the service's own (a gateway's, say) says what its status means. */
export function refusalOf({ status, statusText, headers }: Response, text: string): AdsError {
  const words = statusText || `HTTP ${status}`;
  const { error = words, message = words, details, debug } = membersOf(text);
  const requestId = headers.get('x-request-id');
  return new AdsError({
    status,
    code: codeOf(status),
    error,
    message,
    details,
    debug,
    requestId,
    retryAfter: retryAfterOf(headers),
  });
}

export const timeoutAfter = (ms: number): AdsError =>
  new AdsError({ status: 0, code: 'timeout', error: 'Timeout', message: `No answer within ${ms} ms` });

export const networkFault = (cause: unknown): AdsError =>
  new AdsError({ status: 0, code: 'network', error: 'Network', message: 'No answer came', cause });

export const unreadable = ({ status, headers }: Response, cause: unknown): AdsError =>
  new AdsError({
    status,
    code: 'unreadable',
    error: 'Unreadable',
    message: 'The answer is not JSON',
    requestId: headers.get('x-request-id'),
    cause,
  });

/** A creation succeeded, but its secret was in a response that never came; the service does not show it again. */
export const secretLost = ({ status, headers }: Response, id: unknown): AdsError =>
  new AdsError({
    status,
    code: 'secret_lost',
    error: 'Secret lost',
    message: `${id} was created, but the response with its secret was lost: rotate its secret to get a new one`,
    requestId: headers.get('x-request-id'),
  });

/** Seconds; the header holds them or a date. */
function retryAfterOf(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (!value) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function membersOf(text: string): Partial<Pick<AdsError, 'error' | 'message' | 'details' | 'debug'>> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
