import { secretLost, unreadable } from './error.ts';
import { type AnyInput, requestOf } from './request.ts';
import { isRepeatable, keyedCreations, newKey } from './retry.ts';
import type { CsvRoute, Input, ListRoute, Result, Route } from './routes.ts';
import { type ReadResponse, sender } from './send.ts';

export interface ClientOptions {
  /** Where the service answers, with or without a path; empty in a page that the service itself serves. */
  baseUrl: string;
  /** A publisher's key: for bids, ads and the legacy API. It is a secret: never in a page. */
  apiKey?: string;
  /** Who manages: for keys, campaigns, webhooks and conversions. */
  userId?: string;
  /** Asks for an explanation with every answer (X-Debug). */
  debug?: boolean;
  /** How long a call may take in all, with its retries; 10,000 by default. */
  timeoutMs?: number;
  /** How often a failed call is tried again, where that is safe; 2 by default. */
  retries?: number;
  fetch?: typeof fetch;
  /** From 0 to 1, for the pauses between attempts. */
  random?: () => number;
}

export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  /**
   * Makes it safe to send a creation or a rotation twice: within 24 hours the same key and body are carried out once, and a repeat shows no
   * secret. A creation without one gets a new key with each call.
   */
  idempotencyKey?: string;
  /** Shown each answer, for its headers: `idempotency-replayed`, `x-request-id`, `x-debug-info`. Its body is read already. */
  onResponse?: (response: Response) => void;
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

type Arguments<R extends Route> =
  object extends Input<R> ? [input?: Input<R>, options?: CallOptions] : [input: Input<R>, options?: CallOptions];

export interface Client {
  /**
   * Calls any operation of the service, named by its method and path. It gives the body of the response, undefined if there is none.
   * @throws AdsError for every refusal, and if no response came; the reason of the signal if that was aborted; TypeError if a variable of
   * the path is missing
   */
  <R extends Route>(route: R, ...args: Arguments<R>): Promise<Result<R>>;
  /** Every item of a list, page after page; `limit` is the size of a page. */
  list<R extends ListRoute>(route: R, ...args: Arguments<R>): AsyncGenerator<ItemOf<Result<R>>, void, undefined>;
  /** A report as CSV. */
  csv<R extends CsvRoute>(route: R, ...args: Arguments<R>): Promise<string>;
}

/** As many as the service gives at once. */
const PAGE = 1_000;

/** @throws TypeError for options with which no call can succeed */
export function createClient({ baseUrl, apiKey, userId, debug, ...settings }: ClientOptions): Client {
  checkBaseUrl(baseUrl, settings.fetch);
  for (const [name, value] of Object.entries({ apiKey, userId }))
    if (value === '')
      throw new TypeError(`${name} is empty: leave it out, or check the environment variable it comes from`);
  const send = sender(settings);
  const credentials = {
    ...(apiKey && { 'x-api-key': apiKey }),
    ...(userId && { 'x-user-id': userId }),
    ...(debug && { 'x-debug': 'true' }),
  };

  async function answerOf(route: string, input: AnyInput = {}, options: CallOptions = {}, accept?: string) {
    const { idempotencyKey: given, ...sending } = options;
    const idempotencyKey = given ?? (keyedCreations.includes(route) ? newKey() : undefined);
    const headers = {
      ...credentials,
      ...(accept && { accept }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const request = requestOf(baseUrl, route, input, headers);
    const answer = await send(request, isRepeatable(route, input, idempotencyKey), sending);
    options.onResponse?.(answer.response);
    // A caller who chose the key expects a response without a secret; nobody else would notice that it is missing.
    if (given === undefined && lacksSecret(route, answer)) throw secretLost(answer.response, bodyOf(answer).id);
    return answer;
  }

  const call = async (route: string, input?: AnyInput, options?: CallOptions) =>
    bodyOf(await answerOf(route, input, options));

  async function* list(route: string, { query, ...input }: AnyInput = {}, options?: CallOptions) {
    const limit = Number(query?.limit ?? PAGE);
    let before: string | undefined;
    for (let offset = Number(query?.offset ?? 0); ; ) {
      const answer = await answerOf(route, { ...input, query: { ...query, limit, offset } }, options);
      const items = bodyOf(answer);
      const total = totalOf(answer.response);
      // Without a total the list ends with an empty page, or with one that comes again because `offset` was lost on the way.
      const first = JSON.stringify(items[0]?.id ?? items[0]);
      if (items.length === 0 || (total === undefined && first === before)) return;
      yield* items;
      before = first;
      offset += items.length; // fewer than the limit if more would not fit into a response
      if (total !== undefined && offset >= total) return;
    }
  }

  const csv = async (route: string, input?: AnyInput, options?: CallOptions) =>
    (await answerOf(route, input, options, 'text/csv')).text;

  return Object.assign(call, { list, csv }) as Client;
}

function bodyOf({ response, text }: ReadResponse) {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    throw unreadable(response, error);
  }
}

/** How many items a list has in all, if the service said so: a proxy may drop the header. */
function totalOf({ headers }: Response): number | undefined {
  const text = headers.get('x-total-count') ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Whether a creation was carried out by an earlier attempt, whose response had the secret that this one lacks. */
function lacksSecret(route: string, answer: ReadResponse): boolean {
  if (answer.response.headers.get('idempotency-replayed') !== 'true') return false;
  return route === 'POST /api/v1/auth/api-keys' || route === 'POST /api/v1/webhooks';
}

function checkBaseUrl(baseUrl: unknown, ownFetch: unknown): void {
  if (typeof baseUrl !== 'string')
    throw new TypeError('baseUrl is missing: where the service answers, such as https://ads.example');
  if (/^https?:\/\/./i.test(baseUrl)) return;
  // A page and its workers resolve an address against their own; what the caller's fetch does is the caller's.
  const isRelative = baseUrl === '' || baseUrl.startsWith('/');
  if (isRelative && ('location' in globalThis || ownFetch)) return;
  throw new TypeError(`baseUrl must begin with https:// or http://, not be "${baseUrl}"`);
}
