import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { exchangeLimit } from '../api-keys/exchange-limit.ts';
import { createNoBids } from '../api-keys/no-bids.ts';
import { keyUsage } from '../api-keys/usage.ts';
import { limitStore } from '../limits/store.ts';
import type { EndpointName } from '../operations/endpoints.ts';
import type { Clock } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { withTimeout } from '../platform/timeout.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { cutAddress } from './address.ts';
import { authenticate } from './authenticate.ts';
import { unavailable } from './errors.ts';
import { ignoredFields } from './ignored.ts';
import { flatQuery, parsed, readJson } from './input.ts';
import type {
  HttpHandler,
  HttpRequest,
  HttpResponse,
  Operation,
  Places,
  RequestContext,
  Schemas,
} from './operation.ts';
import { type Carried, createResponder, wantsDebug } from './responder.ts';
import { rowOf } from './row.ts';

/**
 * One operation over HTTP: credential, limit, validation, deadline and error shape, as its row of the table says, around one
 * plain function. The result takes the effects and gives the handler of requests; nothing happens at import.
 */
export function endpoint<N extends EndpointName, M = unknown>(
  name: N,
  define: (effects: Effects) => Operation<N, M> & Schemas<N>,
) {
  return (effects: Effects): HttpHandler => {
    const { log, metrics, config } = effects;
    const row = rowOf(name, config);
    const operation = define(effects);
    const { body, query }: Operation<N, M> = operation;
    const limiters = { apiKeys: keyUsage(effects), limits: limitStore(effects), useSecond: exchangeLimit(effects) };
    const noBids = createNoBids(effects);
    const noBidOf = (c: Context<Carried>) => noBids.noterOf(c.get('caller')?.key);
    const { send, refuse } = createResponder(name, effects, operation.headers);
    const late = (c: Context<Carried>) =>
      operation.onTimeout ? send(c, operation.onTimeout(noBidOf(c))) : refuse(c, unavailable());
    const app = new Hono<Carried>();
    app.use((c, next) => {
      c.set('startedAt', c.env.startedAt ?? effects.clock.now());
      return inTime(effects.clock, c.get('startedAt'), row.deadlineMs, next, () => {
        log.warn('late', { requestId: c.env.requestId, operation: name, deadlineMs: row.deadlineMs });
        return late(c);
      });
    });
    app.use(async (c, next) => {
      const { request, verified, params } = c.env;
      const readBody = once(() => readJson(request, row.area));
      c.set('readBody', readBody);
      const wanted = { places: told(operation.places ?? 1, readBody), asks: told(operation.asks ?? 0, readBody) };
      const who = await authenticate(row, request, verified, config.managementAuth, limiters, wanted);
      const { authenticated, keyId } = who;
      const telling = noBids.tell(keyId);
      // The gateway gives each variable of the row's path.
      const preloaded = operation.preload?.(params as never, keyId, readBody) ?? Promise.resolve();
      preloaded.catch(() => {}); // whoever is not authenticated does not learn of it
      c.set('preloaded', preloaded);
      c.set('caller', await authenticated);
      await next();
      await telling;
    });
    app.all('*', async (c) => {
      const { request, requestId, sourceIp, path, params } = c.env;
      const validQuery = query && parsed(row.area, query, flatQuery(c.req.queries()));
      const json = body && (await c.get('readBody')());
      if (body) c.set('ignored', ignoredFields(body, json, row.readOnly));
      const asked = {
        ...c.get('caller'),
        noBid: noBidOf(c),
        body: body && parsed(row.area, body, json),
        query: validQuery,
        params,
        method: request.method,
        path,
        header: (header: string) => request.headers.get(header) ?? undefined,
        ip: cutAddress(sourceIp),
        requestId,
        startedAt: c.get('startedAt'),
        wantsDebug: wantsDebug(c),
        preloaded: await c.get('preloaded'),
      };
      // The row of the table decides which members there are; its type says the same to the compiler.
      return send(c, await operation.act(asked as never));
    });
    app.onError(async (error, c) => ((await cameTooLate(c, operation, error)) ? late(c) : refuse(c, error)));
    return async (request, context) => {
      const response = await through(app, request, context);
      metrics.flush();
      return response;
    };
  };
}

/** Hono finds its way by the address, and reads the query from it. HEAD it would answer with a Response of its own. */
async function through(app: Hono<Carried>, request: HttpRequest, context: RequestContext): Promise<HttpResponse> {
  const { method, url } = request;
  const passed: unknown = await app.fetch({ method: 'GET', url } as Request, { ...context, request });
  const response = passed as HttpResponse;
  return method === 'HEAD' ? { ...response, body: null } : response;
}

/** Whether the store has failed when nobody waits for the answer any more. */
async function cameTooLate(
  c: Context<Carried>,
  { isOver }: { isOver?(json: unknown, startedAt: number): boolean },
  error: Error,
): Promise<boolean> {
  if (!isOver || !(error instanceof Unavailable)) return false;
  const { readBody, startedAt } = c.var;
  return isOver(await readBody().catch(() => null), startedAt);
}

/** What a body says of how much, or what it always is. */
const told = (places: Places, readBody: () => Promise<unknown>) => async () =>
  typeof places === 'number' ? places : readBody().then(places, () => 1);

/** Waits for the work, or at the deadline answers without it. The calls of the store that it makes end by then too. */
async function inTime(
  clock: Clock,
  startedAt: number,
  deadlineMs: number | undefined,
  next: () => Promise<void>,
  late: () => Response | Promise<Response>,
): Promise<Response | undefined> {
  if (deadlineMs === undefined) return void (await next());
  const deadline = startedAt + deadlineMs;
  const work = () => clock.within(deadline, next).then(() => undefined);
  return withTimeout<Response | undefined>(clock, deadline - clock.now(), work, late);
}

/** Work that is begun when it is first asked for, and shared from then on. Whoever is not authenticated does not learn of its failure. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    begun.catch(() => {});
    return begun;
  };
}
