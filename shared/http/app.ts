import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Effects } from '../platform/effects.ts';
import { getLogLevel, Unavailable } from '../platform/unavailable.ts';
import { readBody } from './body.ts';
import { answerDeadline, isTimeout, type OnTimeout } from './deadline.ts';
import { explain } from './debug.ts';
import type { AppContext, AppEnv } from './env.ts';
import { ApiError, CHALLENGE, requestIdIn, routeNotFound, somethingWentWrong, unavailable } from './errors.ts';
import { areaAt, type EndpointName, endpoints } from './operations/endpoints.ts';
import type { Area } from './operations/rows.ts';
import { getRow, idleRateHeaders, RATE_HEADERS } from './rate-limit.ts';
import { NEVER_KEPT } from './response.ts';
import { createTimings } from './timings.ts';
import { notReadable } from './validation.ts';

type AppEffects = Pick<Effects, 'config' | 'clock' | 'log' | 'metrics'>;

/**
 * Creates the app of one function, with the common headers, and the deadline and error shape from its table row. The function adds its
 * route.
 * @param onTimeout creates the response if the deadline has passed; 503 by default
 */
export function createApp(name: EndpointName, effects: AppEffects, onTimeout?: OnTimeout): Hono<AppEnv> {
  const { clock, log, metrics, config } = effects;
  const row = getRow(name, config);
  const headers = { ...NEVER_KEPT, ...row.headers, ...(row.area === 'legacy' && deprecation(config.baseUrl)) };
  /** The area decides the shape of an error. If no operation matches, the path decides the area. */
  const getArea = (c: AppContext) => (row.path === null ? areaAt(c.req.path) : row.area);
  const app = new Hono<AppEnv>();

  app.use(async (c, next) => {
    const { requestId } = c.env;
    const startedAt = clock.now();
    c.set('startedAt', startedAt);
    c.set('timings', createTimings(clock));
    c.set('ignored', []);
    c.set('isTimedOut', () => false);
    c.set('deadline', Number.POSITIVE_INFINITY);
    for (const [header, value] of Object.entries({ 'x-request-id': requestId, ...headers, ...idleRateHeaders(row) }))
      c.header(header, value);
    await next();
    const error = c.error instanceof ApiError ? { error: c.error.error } : {};
    log.info('request', { requestId, operation: name, status: c.res.status, ms: clock.now() - startedAt, ...error });
    metrics.flush();
  });
  app.use(explain(clock));
  app.use(readBody(getArea));
  app.use(answerDeadline(effects, name, row.deadlineMs, onTimeout));

  app.notFound(() => Promise.reject(routeNotFound()));
  app.onError(async (error, c) => {
    if (isTimeout(error, c, clock.now())) {
      // Timed out before the rate limit was checked: there is no window to report.
      if (!c.var.isCounted) for (const header of RATE_HEADERS) c.header(header, undefined);
      return c.finalized ? c.res : c.var.answerTimeout().catch((refusal: Error) => refuse(refusal, c));
    }
    return refuse(error, c);
  });

  async function refuse(error: Error, c: AppContext): Promise<Response> {
    const area = getArea(c);
    const refusal = toApiError(error, area);
    if (refusal.status >= 500 && error !== refusal) logFault(error, c.env.requestId);
    c.error = refusal;
    c.set('debug', refusal.debug);
    return answerRefusal(c, area, refusal, config.baseUrl);
  }

  function logFault(error: Error, requestId: string): void {
    const { message, cause, stack = '' } = error;
    if (error instanceof Unavailable)
      log[getLogLevel(error)](message, { requestId, operation: name, cause: String(cause) });
    else if (error instanceof SyntaxError)
      // A parser's error message quotes its input, which may be a conversation.
      log.error(error.name, { requestId, operation: name, stack: stack.replace(message, '') });
    else log.error(message, { requestId, operation: name, stack });
  }

  return app;
}

async function answerRefusal(c: AppContext, area: Area, refusal: ApiError, baseUrl: string): Promise<Response> {
  const isTrustedMatch = area === 'trusted-match';
  // The request ID comes from the body, which is not parsed for unauthenticated callers.
  const hasId = isTrustedMatch && refusal.status !== 401 && c.var.isBodyRead;
  const requestId = hasId ? requestIdIn(await c.req.json().catch(() => null)) : '';
  const more = {
    ...(isTrustedMatch && refusal.status === 401 && CHALLENGE),
    ...(area === 'legacy' && deprecation(baseUrl)),
    ...refusal.headers,
  };
  return c.json(refusal.body(area, requestId), refusal.status, more);
}

function toApiError(error: Error, area: Area): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException) return notReadable(area);
  return error instanceof Unavailable ? unavailable() : somethingWentWrong();
}

/** Headers of the legacy API (api 6.1): the date of its deprecation (RFC 9745, section 2) and its replacement. */
const deprecation = (baseUrl: string) => ({
  deprecation: `@${Date.UTC(2026, 0, 1) / 1000}`,
  link: `<${baseUrl}/api/v1/ssp/bid>; rel="successor-version"`,
});

type HonoPath<P> = P extends `${infer Before}{${infer Name}}${infer After}`
  ? `${Before}:${Name}${HonoPath<After>}`
  : P extends string
    ? P
    : never;

/** The path of an operation in Hono's syntax: `/api/v1/click/:trackingId`. */
export const toHonoPath = <N extends Exclude<EndpointName, 'unmatched'>>(name: N) =>
  endpoints[name].path.replaceAll(/\{(\w+)\}/g, ':$1') as HonoPath<(typeof endpoints)[N]['path']>;
