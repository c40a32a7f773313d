import { createMiddleware } from 'hono/factory';
import type { Clock } from '../platform/clock.ts';
import { pendingMs } from './deadline.ts';
import { debugHeader } from './debug-header.ts';
import type { AppEnv, RequestContext } from './env.ts';

export const wantsDebug = (c: RequestContext): boolean => c.req.header('x-debug')?.toLowerCase() === 'true';

/** Answers X-Debug: adds `debug` to a JSON object, or the header x-debug-info if the body is null or empty. */
export const explain = (clock: Pick<Clock, 'now'>) =>
  createMiddleware<AppEnv>(async (c, next) => {
    await next();
    if (!wantsDebug(c)) return;
    const isJson = c.res.headers.get('content-type') === 'application/json';
    if (!isJson && c.res.status !== 204) return;
    const body: unknown = isJson ? await c.res.json() : null;
    const { timingsMs, ...more } = c.var.debug ?? {};
    const { timings, startedAt } = c.var;
    const pending = c.var.isTimedOut() ? pendingMs(timings) : {};
    const total = clock.now() - startedAt;
    const debug = {
      requestId: c.env.requestId,
      ...more,
      timingsMs: { ...timings.phases(), ...timingsMs, ...pending, total },
    };
    const { status } = c.res;
    const headers = new Headers(c.res.headers);
    if (!body) headers.set('x-debug-info', debugHeader(debug));
    const shown = !body || Array.isArray(body) ? body : { ...body, debug };
    c.res = undefined; // otherwise Hono merges the headers of the old response into the new one
    c.res = new Response(isJson ? JSON.stringify(shown) : null, { status, headers });
  });
