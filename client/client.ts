import { AdsError } from './error.ts';
import type { Input, Result, Route } from './routes.ts';

export { AdsError } from './error.ts';
export type { Input, Result, Route } from './routes.ts';

interface ClientOptions {
  /** Where the service answers; empty in a page that the service itself serves. */
  baseUrl: string;
  /** A publisher's key: for bids, ads and the legacy API. */
  apiKey?: string;
  /** Who manages: for keys, campaigns, webhooks and conversions. */
  userId?: string;
  /** Asks for an explanation with every answer (X-Debug). */
  debug?: boolean;
  fetch?: typeof fetch;
}

export type Client = ReturnType<typeof createClient>;

/**
 * A function that calls any operation of the service, named by its method and path; what it takes and gives is typed by the
 * table of operations. It gives the body of the answer, undefined where there is none. @throws AdsError for every refusal
 */
export function createClient({ baseUrl, apiKey, userId, debug, fetch: send = fetch }: ClientOptions) {
  const credentials = {
    ...(apiKey && { 'x-api-key': apiKey }),
    ...(userId && { 'x-user-id': userId }),
    ...(debug && { 'x-debug': 'true' }),
  };

  return async <R extends Route>(
    route: R,
    ...[input]: object extends Input<R> ? [Input<R>?] : [Input<R>]
  ): Promise<Result<R>> => {
    const [method = '', template = ''] = route.split(' ');
    const { params = {}, query = {}, body } = (input ?? {}) as AnyInput;
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
    const response = await send(`${baseUrl}${path}${search}`, {
      method,
      headers: { ...credentials, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A click leads on to the advertiser; what it answers is that it does.
      redirect: 'manual',
    });
    const text = await response.text();
    if (response.status >= 400) throw AdsError.of(response, text);
    return (text === '' ? undefined : JSON.parse(text)) as Result<R>;
  };
}

interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}
