import type { Context } from 'hono';
import type { ApiKey } from '../api-keys/api-key.ts';
import type { EndpointName } from '../operations/endpoints.ts';
import type { Area, Endpoint } from '../operations/rows.ts';
import type { Effects } from '../platform/effects.ts';
import { levelOf, Unavailable } from '../platform/unavailable.ts';
import { type Authenticated, idleHeaders } from './authenticate.ts';
import type { Deadline } from './deadline.ts';
import { debugHeader } from './debug.ts';
import { ApiError, somethingWentWrong, unavailable } from './errors.ts';
import { ignoredHeader } from './ignored.ts';
import type { HttpRequest, HttpResponse, RequestContext } from './operation.ts';
import { type Answer, NEVER_KEPT } from './response.ts';
import { rowOf } from './row.ts';
import { pendingMs, type Timings } from './timings.ts';
import { CHALLENGE, requestIdIn } from './trusted-match.ts';

/** What one request carries on its way through an operation. */
export interface Carried {
  Bindings: RequestContext & { request: HttpRequest };
  Variables: {
    startedAt: number;
    caller: Authenticated | undefined;
    /** The key of the caller, once it is known to be one. */
    authenticating: Promise<ApiKey | undefined> | undefined;
    deadline: Deadline<HttpResponse>;
    preloaded: Promise<unknown> | undefined;
    timings: Timings;
    /** The body as JSON. */
    readBody: () => Promise<unknown>;
    /** What the operation's schemas make of the request. */
    readInput: () => Promise<{ body: unknown; query: unknown }>;
    /** The fields of the body that nothing reads. */
    ignored: string[] | undefined;
  };
}

export const wantsDebug = (c: Context<Carried>): boolean =>
  c.env.request.headers.get('x-debug')?.toLowerCase() === 'true';

/** The one way out of an operation: what every response carries, what debug adds, and the line in the log. */
export function createResponder(name: EndpointName, { clock, log, config }: Pick<Effects, 'clock' | 'log' | 'config'>) {
  const row = rowOf(name, config);
  const alwaysCarried = carriedBy(row, config.baseUrl);

  function send(c: Context<Carried>, answer: Answer, error?: ApiError): HttpResponse {
    const { requestId } = c.env;
    const ms = clock.now() - c.get('startedAt');
    const ignored = ignoredHeader([...(answer.ignored ?? []), ...(c.get('ignored') ?? [])]);
    const headers: Record<string, string> = {
      ...alwaysCarried(requestId, error?.area),
      // Whose time is over before it is known who asks has no window to tell of.
      ...(c.get('caller')?.headers ?? (c.get('deadline').isExpired ? {} : idleHeaders(row))),
      ...(ignored && { 'x-ignored-fields': ignored }),
      ...answer.headers,
    };
    let { body } = answer;
    if (wantsDebug(c) && (typeof body === 'object' || answer.status === 204) && !Array.isArray(body)) {
      const { timingsMs, ...more } = answer.debug ?? {};
      const timings = c.get('timings');
      const pending = c.get('deadline').isExpired ? pendingMs(timings) : {};
      const debug = { requestId, ...more, timingsMs: { ...timings.phases(), ...timingsMs, ...pending, total: ms } };
      if (body === null || body === undefined) headers['x-debug-info'] = debugHeader(debug);
      else body = { ...body, debug };
    }
    log.info('request', {
      requestId,
      operation: name,
      status: answer.status,
      ms,
      ...(error && { error: error.error }),
    });
    const { status } = answer;
    if (body === undefined) return { status, headers, body: null };
    if (typeof body === 'string') return { status, headers, body };
    return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
  }

  function asApiError(error: Error, requestId: string): ApiError {
    if (error instanceof ApiError) return error;
    const { message, cause } = error;
    if (error instanceof Unavailable) {
      log[levelOf(error)](message, { requestId, operation: name, cause: String(cause) });
      return unavailable();
    }
    log.error(message, { requestId, operation: name, stack: error.stack });
    return somethingWentWrong();
  }

  return {
    send,
    async refuse(c: Context<Carried>, error: Error): Promise<HttpResponse> {
      const refusal = asApiError(error, c.env.requestId);
      const { status, debug } = refusal;
      const isTrustedMatch = row.area === 'trusted-match';
      // Nobody's body is read who may not ask.
      const named = isTrustedMatch && status !== 401 ? await requestIdOf(c) : '';
      const headers = { ...refusal.headers, ...(isTrustedMatch && status === 401 && CHALLENGE) };
      return send(c, { status, body: refusal.body(row.area, named), headers, debug }, refusal);
    },
  };
}

/** A request whose operation could not be asked. */
interface Unasked {
  requestId: string;
  /** Whose words it is refused in. */
  area: Area;
  /** Its body, where the operation's refusals name it. */
  json: unknown;
}

/** What a runtime answers in the place of an operation. */
export function refusalInstead(row: Endpoint, baseUrl: string, { requestId, area, json }: Unasked): HttpResponse {
  const refused = unavailable();
  const headers = { ...carriedBy(row, baseUrl)(requestId, area), ...idleHeaders(row), ...refused.headers };
  const body = JSON.stringify(refused.body(area, requestIdIn(json)));
  return { status: refused.status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** What every answer of an operation carries, whoever asks. @param area whose words it is in, where those are not the row's */
function carriedBy(row: Endpoint, baseUrl: string) {
  const deprecation = deprecatedFor(`${baseUrl}/api/v1/ssp/bid`);
  return (requestId: string, area: Area = row.area): Record<string, string> => ({
    'x-request-id': requestId,
    ...NEVER_KEPT,
    ...row.headers,
    ...(row.area === 'legacy' || area === 'legacy' ? deprecation : {}),
  });
}

/** The `request_id` that a body names; empty where it cannot be read. */
const requestIdOf = (c: Context<Carried>): Promise<string> =>
  c
    .get('readBody')()
    .then(requestIdIn, () => '');

/** The legacy API's announcement (api 6.1): since when (RFC 9745, section 2), and what comes in its place. */
const deprecatedFor = (successor: string): Record<string, string> => ({
  deprecation: `@${Date.UTC(2026, 0, 1) / 1000}`,
  link: `<${successor}>; rel="successor-version"`,
});
