import { unreadable } from './error.ts';
import { type AnyInput, requestOf } from './request.ts';
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
  /** How long a call may take in all, with its retries; 10 000 unless told. */
  timeoutMs?: number;
  /** How often what failed is tried again, where that is safe; 2 unless told. */
  retries?: number;
  fetch?: typeof fetch;
  /** From 0 to 1, for the pauses between attempts. */
  random?: () => number;
}

export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  /** Makes it safe to send a creation twice: within 24 hours the same key and body create one thing. */
  idempotencyKey?: string;
  /** Shown each answer, for its headers: `idempotency-replayed`, `x-request-id`, `x-debug-info`. Its body is read already. */
  onResponse?: (response: Response) => void;
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

type Arguments<R extends Route> =
  object extends Input<R> ? [input?: Input<R>, options?: CallOptions] : [input: Input<R>, options?: CallOptions];

export interface Client {
  /**
   * Calls any operation of the service, named by its method and path. It gives the body of the answer, undefined where there is none.
   * @throws AdsError for every refusal, and where no answer came; the reason of the signal where that was aborted
   */
  <R extends Route>(route: R, ...args: Arguments<R>): Promise<Result<R>>;
  /** Every item of a list, page after page; `limit` is the size of a page. */
  list<R extends ListRoute>(route: R, ...args: Arguments<R>): AsyncGenerator<ItemOf<Result<R>>, void, undefined>;
  /** A report as CSV. */
  csv<R extends CsvRoute>(route: R, ...args: Arguments<R>): Promise<string>;
}

/** As many as the service gives at once. */
const PAGE = 1_000;

export function createClient({ baseUrl, apiKey, userId, debug, ...settings }: ClientOptions): Client {
  const send = sender(settings);
  const credentials = {
    ...(apiKey && { 'x-api-key': apiKey }),
    ...(userId && { 'x-user-id': userId }),
    ...(debug && { 'x-debug': 'true' }),
  };

  async function answerOf(route: string, input: AnyInput = {}, options: CallOptions = {}, accept?: string) {
    const request = requestOf(baseUrl, route, input, { ...credentials, ...(accept && { accept }) });
    const answer = await send(request, options);
    options.onResponse?.(answer.response);
    return answer;
  }

  const call = async (route: string, input?: AnyInput, options?: CallOptions) =>
    bodyOf(await answerOf(route, input, options));

  async function* list(route: string, { query, ...input }: AnyInput = {}, options?: CallOptions) {
    const limit = Number(query?.limit ?? PAGE);
    for (let offset = Number(query?.offset ?? 0); ; ) {
      const answer = await answerOf(route, { ...input, query: { ...query, limit, offset } }, options);
      const items = bodyOf(answer);
      yield* items;
      const total = Number(answer.response.headers.get('x-total-count') ?? Number.POSITIVE_INFINITY);
      offset += items.length; // fewer than the limit where more would not fit into an answer
      if (items.length === 0 || offset >= total) return;
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
