import { getUserAgent, readEnvironment } from './environment.ts';
import { secretLost, unreadable } from './error.ts';
import type { Log } from './log.ts';
import { type AnyInput, buildRequest } from './request.ts';
import { isRepeatable, keyedCreations, newKey } from './retry.ts';
import type { CsvRoute, Input, ListRoute, Result, Route } from './routes.ts';
import { createSender, type ReadResponse } from './send.ts';

export interface ClientOptions {
  /**
   * URL of the service, with or without a path. May be empty in a page that the service itself serves. Default: the environment variable
   * ADS_URL.
   */
  baseUrl?: string | undefined;
  /**
   * Publisher API key, for bids, ads, and the legacy API. Keep it secret: never use it in a web page. Default: the environment variable
   * ADS_KEY, unless `userId` is set: what an account manages needs no key.
   */
  apiKey?: string | undefined;
  /** Account ID, for API keys, campaigns, webhooks, and conversions. */
  userId?: string | undefined;
  /** Adds debug information to every response (X-Debug). */
  debug?: boolean;
  /** Maximum total time of a call, including retries. Default: 10,000. */
  timeoutMs?: number;
  /** Maximum retries of a failed call, when a retry is safe. Default: 2. */
  retries?: number;
  fetch?: typeof fetch;
  /** Called after each attempt of a call, for your log. Its errors are ignored. */
  log?: Log | undefined;
  /** Your own product, such as `my-chatbot/1.2`: put before the client's name in the User-Agent. Browsers send their own instead. */
  userAgent?: string | undefined;
  /** Returns a number from 0 to 1, for the jitter of retry delays. Default: Math.random. */
  random?: () => number;
}

export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  /**
   * Makes a creation or a rotation safe to repeat: within 24 hours, requests with the same key and body take effect once. A repeat returns
   * no secret. If omitted, each creation gets a new key.
   */
  idempotencyKey?: string;
  /** Called with each successful response, to read headers such as `idempotency-replayed` and `x-request-id`. The body is already consumed. */
  onResponse?: (response: Response) => void;
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

type Arguments<R extends Route> =
  object extends Input<R> ? [input?: Input<R>, options?: CallOptions] : [input: Input<R>, options?: CallOptions];

export interface Client {
  /**
   * Calls an operation of the service by its method and path. Returns the response body, or undefined if there is none.
   * @throws AdsError if the service rejects the request or does not respond; the signal's reason if the signal is aborted; TypeError if a
   * path variable is missing
   */
  <R extends Route>(route: R, ...args: Arguments<R>): Promise<Result<R>>;
  /** Iterates over every item of a list and fetches pages as needed. `limit` sets the page size. */
  list<R extends ListRoute>(route: R, ...args: Arguments<R>): AsyncGenerator<ItemOf<Result<R>>, void, undefined>;
  /** Returns a report as CSV. */
  csv<R extends CsvRoute>(route: R, ...args: Arguments<R>): Promise<string>;
}

/** The service's maximum page sizes. */
const PAGE_SIZES: Readonly<Record<ListRoute, number>> = {
  'GET /api/v1/campaigns': 1_000,
  'GET /api/v1/reports/campaigns': 100,
};

/**
 * Creates a client. Without options, the environment variables ADS_URL and ADS_KEY name the service and the publisher's key.
 * @throws TypeError if `baseUrl` is missing or invalid, if `apiKey` or `userId` is empty, or if `userAgent` cannot be sent
 */
export function createClient({
  userId,
  baseUrl: givenUrl = readEnvironment('ADS_URL'),
  apiKey = userId === undefined ? readEnvironment('ADS_KEY') : undefined,
  debug,
  userAgent: ownProducts,
  ...settings
}: ClientOptions = {}): Client {
  const baseUrl = checkBaseUrl(givenUrl, settings.fetch);
  for (const [name, value] of Object.entries({ apiKey, userId }))
    if (value === '') throw new TypeError(`${name} is empty. Omit it, or check the environment variable that sets it`);
  // Otherwise fetch would reject every call as if the connection had failed.
  if (ownProducts && /[^ -~]/.test(ownProducts))
    throw new TypeError('userAgent may contain only printable ASCII characters');
  const send = createSender(settings);
  const userAgent = getUserAgent(ownProducts);
  const common = {
    ...(userAgent && { 'user-agent': userAgent }),
    ...(apiKey && { 'x-api-key': apiKey }),
    ...(userId && { 'x-user-id': userId }),
    ...(debug && { 'x-debug': 'true' }),
  };

  async function requestAnswer(route: string, input: AnyInput = {}, options: CallOptions = {}, accept?: string) {
    const { idempotencyKey: ownKey, ...sendOptions } = options;
    const idempotencyKey = ownKey ?? (keyedCreations.includes(route) ? newKey() : undefined);
    const headers = {
      ...common,
      ...(accept && { accept }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const request = buildRequest(baseUrl, route, input, headers);
    const answer = await send(request, isRepeatable(route, input, idempotencyKey), sendOptions);
    options.onResponse?.(answer.response);
    // A caller that sent its own key expects a replay without the secret. Any other caller must be told.
    if (ownKey === undefined && lacksSecret(route, answer)) throw secretLost(answer.response, parseBody(answer).id);
    return answer;
  }

  const call = async (route: string, input?: AnyInput, options?: CallOptions) =>
    parseBody(await requestAnswer(route, input, options));

  async function* list(route: ListRoute, { query, ...input }: AnyInput = {}, options?: CallOptions) {
    const limit = Number(query?.limit ?? PAGE_SIZES[route]);
    let before: string | undefined;
    for (let offset = Number(query?.offset ?? 0); ; ) {
      const answer = await requestAnswer(route, { ...input, query: { ...query, limit, offset } }, options);
      const items = parseBody(answer);
      const total = getTotal(answer.response);
      // Without a total, stop at an empty page, or at a repeated page: a proxy that drops `offset` would otherwise loop forever.
      const first = JSON.stringify(items[0]?.id ?? items[0]);
      if (items.length === 0 || (total === undefined && first === before)) return;
      yield* items;
      before = first;
      offset += items.length; // less than the limit if the response was full
      if (total !== undefined && offset >= total) return;
    }
  }

  const csv = async (route: string, input?: AnyInput, options?: CallOptions) =>
    (await requestAnswer(route, input, options, 'text/csv')).text;

  return Object.assign(call, { list, csv }) as Client;
}

function parseBody({ response, text }: ReadResponse) {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    throw unreadable(response, error);
  }
}

/** The total number of items. Undefined if a proxy dropped the header. */
function getTotal({ headers }: Response): number | undefined {
  const text = headers.get('x-total-count') ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Whether an earlier attempt created the resource, so this replayed response lacks its secret. */
function lacksSecret(route: string, answer: ReadResponse): boolean {
  if (answer.response.headers.get('idempotency-replayed') !== 'true') return false;
  return route === 'POST /api/v1/auth/api-keys' || route === 'POST /api/v1/webhooks';
}

function checkBaseUrl(baseUrl: unknown, ownFetch: unknown): string {
  if (typeof baseUrl !== 'string') {
    const example = 'the URL of the service, such as https://ads.example';
    throw new TypeError(`baseUrl is missing. Set it, or the environment variable ADS_URL, to ${example}`);
  }
  if (/^https?:\/\/./i.test(baseUrl)) return baseUrl;
  // Pages and workers resolve relative URLs against their own location. A custom fetch may do the same.
  const isRelative = baseUrl === '' || baseUrl.startsWith('/');
  if (isRelative && ('location' in globalThis || ownFetch)) return baseUrl;
  throw new TypeError(`baseUrl must start with https:// or http://, but it is "${baseUrl}"`);
}
