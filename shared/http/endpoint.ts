import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import type { ApiKey } from '../api-keys/api-key.ts';
import { exchangeLimit } from '../api-keys/exchange-limit.ts';
import { createNoBids } from '../api-keys/no-bids.ts';
import { keyUsage } from '../api-keys/usage.ts';
import { limitStore } from '../limits/store.ts';
import type { EndpointName } from '../operations/endpoints.ts';
import type { OperationInput } from '../operations/inputs.ts';
import type { Endpoint } from '../operations/rows.ts';
import type { Clock } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { withTimeout } from '../platform/timeout.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { cutAddress } from './address.ts';
import { type Authenticated, authenticate } from './authenticate.ts';
import { unavailable } from './errors.ts';
import { ignoredFields } from './ignored.ts';
import { flatQuery, parsed, readJson } from './input.ts';
import type {
  HttpHandler,
  HttpRequest,
  HttpResponse,
  NoBid,
  Operation,
  Places,
  RequestContext,
  Schemas,
} from './operation.ts';
import { type Carried, createResponder, wantsDebug } from './responder.ts';
import type { Answer } from './response.ts';
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
    const limiters = { apiKeys: keyUsage(effects), limits: limitStore(effects), useSecond: exchangeLimit(effects) };
    const noBids = createNoBids(effects);
    const noBidOf = (c: Context<Carried>) => noBids.noterOf(c.get('caller')?.key ?? c.get('authenticating'));
    const { send, refuse } = createResponder(name, effects, operation.headers);
    const late = async (c: Context<Carried>) => {
      if (c.get('isLate')) return c.body(null); // it was answered, and told, once
      if (operation.onTimeout) c.set('isLate', true);
      const answer = await lateAnswer(c, operation, noBidOf(c));
      return answer ? send(c, answer) : refuse(c, unavailable());
    };
    const app = new Hono<Carried>();
    app.use((c, next) => {
      const readBody = once(() => readJson(c.env.request, row.area));
      c.set('startedAt', c.env.startedAt ?? effects.clock.now());
      c.set('readBody', readBody);
      return inTime(effects.clock, c.get('startedAt'), row.deadlineMs, next, () => {
        log.warn('late', { requestId: c.env.requestId, operation: name, deadlineMs: row.deadlineMs });
        return late(c);
      });
    });
    app.use(async (c, next) => {
      const { request, verified, params } = c.env;
      const readBody = c.get('readBody');
      const wanted = { places: told(operation.places ?? 1, readBody), asks: told(operation.asks ?? 0, readBody) };
      const who = await authenticate(row, request, verified, config.managementAuth, limiters, wanted);
      const { authenticated, keyId } = who;
      const telling = noBids.tell(keyId);
      // The gateway gives each variable of the row's path.
      const preloaded = operation.preload?.(params as never, keyId, readBody) ?? Promise.resolve();
      preloaded.catch(() => {}); // whoever is not authenticated does not learn of it
      c.set('preloaded', preloaded);
      c.set('authenticating', keyOf(authenticated));
      const rest = async () => {
        c.set('caller', await authenticated);
        if (!c.get('isLate')) await next();
        await telling;
      };
      const { leavesAt } = operation;
      if (!leavesAt) return rest();
      const leaves = leavesAt(await readBody().catch(() => null), c.get('startedAt'));
      return untilThen(effects.clock, leaves, rest, () => late(c));
    });
    app.all('*', async (c) => {
      const asked = await requestOf(c, row, operation, unlessLate(c, noBidOf(c)));
      if (c.get('isLate')) return c.body(null); // nobody waits for what it would come to
      // The row of the table decides which members there are; its type says the same to the compiler.
      return send(c, await operation.act(asked as never));
    });
    app.onError(async (error, c) =>
      (await cameTooLate(c, effects.clock, row, operation, error)) ? late(c) : refuse(c, error),
    );
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

/** A request as its operation sees it. @throws ApiError 400 for what its schemas refuse */
async function requestOf(
  c: Context<Carried>,
  { area, readOnly }: Endpoint,
  { body, query }: OperationInput,
  noBid: NoBid,
) {
  const { request, requestId, sourceIp, path, params } = c.env;
  const validQuery = query && parsed(area, query, flatQuery(c.req.queries()));
  const json = body && (await c.get('readBody')());
  if (body) c.set('ignored', ignoredFields(body, json, readOnly));
  return {
    ...c.get('caller'),
    noBid,
    body: body && parsed(area, body, json),
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
}

/** Whether the store has failed when nobody waits for the answer any more. */
async function cameTooLate(
  c: Context<Carried>,
  clock: Clock,
  { deadlineMs = Number.POSITIVE_INFINITY }: Endpoint,
  { leavesAt }: Pick<Operation<EndpointName, unknown>, 'leavesAt'>,
  error: Error,
): Promise<boolean> {
  if (!leavesAt || !(error instanceof Unavailable)) return false;
  const { readBody, startedAt } = c.var;
  const leaves = leavesAt(await readBody().catch(() => null), startedAt);
  return clock.now() >= Math.min(leaves, startedAt + deadlineMs);
}

/** What an operation answers when its time is over, and its note of that; undefined where it has no answer of its own then. */
async function lateAnswer(
  c: Context<Carried>,
  { onTimeout, asks = 0 }: Pick<Operation<EndpointName, unknown>, 'onTimeout' | 'asks'>,
  noBid: NoBid,
): Promise<Answer | undefined> {
  return onTimeout?.(noBid, await told(asks, c.get('readBody'))());
}

const keyOf = (authenticated: Promise<Authenticated>): Promise<ApiKey | undefined> =>
  authenticated.then(
    ({ key }) => key,
    () => undefined,
  );

/** What an answer that nobody waits for any more comes to is not told beside the answer that was given. */
const unlessLate =
  (c: Context<Carried>, note: NoBid): NoBid =>
  (...told) => {
    if (!c.get('isLate')) note(...told);
  };

/** What a body says of how much, or what it always is. */
const told = (places: Places, readBody: () => Promise<unknown>) => async () =>
  typeof places === 'number' ? places : readBody().then(places, () => 1);

/** Waits for the work, or at the deadline answers without it. The calls of the store that it makes end by then too. */
async function inTime(
  clock: Clock,
  startedAt: number,
  deadlineMs: number | undefined,
  next: () => Promise<void>,
  late: () => Promise<Response>,
): Promise<Response | undefined> {
  if (deadlineMs === undefined) return void (await next());
  const deadline = startedAt + deadlineMs;
  return untilThen(clock, deadline, () => clock.within(deadline, next), late);
}

/** Waits for the work until a moment, from then on answers without it. */
const untilThen = (
  clock: Clock,
  moment: number,
  work: () => Promise<void>,
  late: () => Promise<Response>,
): Promise<Response | undefined> =>
  moment > clock.now()
    ? withTimeout<Response | undefined>(clock, moment - clock.now(), () => work().then(() => undefined), late)
    : late();

/** Work that is begun when it is first asked for, and shared from then on. Whoever is not authenticated does not learn of its failure. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    begun.catch(() => {});
    return begun;
  };
}
