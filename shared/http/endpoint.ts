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
import type { Effects } from '../platform/effects.ts';
import { withPendingCalls } from '../platform/pending-calls.ts';
import { cutAddress } from './address.ts';
import { type Authenticated, authenticate } from './authenticate.ts';
import { createDeadline } from './deadline.ts';
import { unavailable } from './errors.ts';
import { forHono, fromHono, toHono } from './hono.ts';
import { ignoredFields, type KnownFields, knownFields } from './ignored.ts';
import { flatQuery, parsed, readJson } from './input.ts';
import type { HttpHandler, HttpResponse, NoBid, Operation, RequestCount, Schemas } from './operation.ts';
import { type Carried, createResponder, wantsDebug } from './responder.ts';
import { rowOf } from './row.ts';
import { createTimings } from './timings.ts';

/**
 * One operation over HTTP: credential, limit, validation, deadline and error shape, as its row of the table says, around one
 * plain function. The result takes the effects and gives the handler of requests; nothing happens at import.
 */
export function endpoint<N extends EndpointName, M = unknown>(
  name: N,
  define: (effects: Effects) => Operation<N, M> & Schemas<N>,
) {
  return (given: Effects): HttpHandler => {
    const effects = withPendingCalls(given);
    const { clock, log, metrics, config } = effects;
    const row = rowOf(name, config);
    const { deadlineMs = Number.POSITIVE_INFINITY } = row;
    const operation = define(effects);
    const known = knownFields(row, operation);
    const limiters = { apiKeys: keyUsage(effects), limits: limitStore(effects), useSecond: exchangeLimit(effects) };
    const noBids = createNoBids(effects);
    const noBidOf = (c: Context<Carried>) => noBids.noterOf(c.get('caller')?.key ?? c.get('authenticating'));
    const { send, refuse } = createResponder(name, effects);
    const answerLate = async (c: Context<Carried>): Promise<HttpResponse> => {
      if (c.finalized) return fromHono(c.res); // which waited for what is written beside it
      const cause = c.error?.cause ? String(c.error.cause) : undefined;
      if (c.get('deadline').leavesAt === c.get('startedAt') + deadlineMs)
        log.warn('late', {
          requestId: c.env.requestId,
          operation: name,
          deadlineMs,
          cause,
          waitingFor: c.get('timings').waitingFor(),
          timingsMs: c.get('timings').phases(),
        });
      await c.get('readInput')(); // bad input is that at any time
      if (!operation.onTimeout) throw unavailable();
      return send(c, operation.onTimeout(noBidOf(c), await countIn(operation.adsAsked ?? 0, c.get('readBody'))()));
    };
    const app = new Hono<Carried>();
    app.use(async (c, next) => {
      const startedAt = c.env.startedAt ?? clock.now();
      const endsAt = startedAt + deadlineMs;
      const readBody = once(() => readJson(c.env.request, row.area));
      const readInput = once(() => inputOf(c, row, operation, known));
      const deadline = createDeadline<HttpResponse>(clock, () => answerLate(c).catch((error) => refuse(c, error)));
      c.set('startedAt', startedAt);
      c.set('readBody', readBody);
      c.set('readInput', readInput);
      c.set('deadline', deadline);
      const timings = createTimings(clock);
      c.set('timings', timings);
      const work = () => clock.noting(timings.calls, () => clock.within(endsAt, next));
      return toHono(await deadline.until(endsAt, work));
    });
    app.use(async (c, next) => {
      const { request, verified, params } = c.env;
      const [readBody, deadline, timings] = [c.get('readBody'), c.get('deadline'), c.get('timings')];
      const wanted = wantedOf(operation, readBody);
      const endAuthentication = timings.begin('authenticate');
      const who = await authenticate(row, request, verified, config.managementAuth, limiters, wanted);
      const { authenticated, keyId } = who;
      authenticated.then(endAuthentication, endAuthentication);
      const flushing = noBids.flush(keyId);
      if (operation.preload) {
        const endPreload = timings.begin('preload');
        // The gateway gives each variable of the row's path.
        const preloaded = operation.preload(params as never, keyId, readBody);
        // Authentication may reject first; without a handler here the process would end.
        preloaded.then(endPreload, endPreload);
        c.set('preloaded', preloaded);
      }
      c.set('authenticating', keyOf(authenticated));
      const leavesAt = operation.leavesAt?.(await readBody().catch(() => null), c.get('startedAt'));
      const act = async () => {
        c.set('caller', await authenticated);
        if (!deadline.isExpired) await next();
        await flushing;
      };
      return toHono(await deadline.until(leavesAt, act));
    });
    app.use(async (c) => {
      const asked = await requestOf(c, noBidOf(c));
      if (c.get('deadline').isExpired) return; // nobody waits for what it would come to
      c.get('timings').begin('act');
      // The row of the table decides which members there are; its type says the same to the compiler.
      return toHono(send(c, await operation.act(asked as never)));
    });
    app.onError(async (error, c) => unlessSent(c, await (c.get('deadline').answerTo(error) ?? refuse(c, error))));
    return async (request, context) => {
      const response = fromHono(await app.fetch(forHono(request.url), { ...context, request }));
      metrics.flush();
      return request.method === 'HEAD' ? { ...response, body: null } : response;
    };
  };
}

/** Hono would try to merge a second answer with the first. */
const unlessSent = (c: Context<Carried>, answer: HttpResponse) => toHono(c.finalized ? undefined : answer);

/** What the schemas of an operation make of a request. @throws ApiError 400 for what they refuse */
async function inputOf(
  c: Context<Carried>,
  { area, readOnly }: Endpoint,
  { body, query }: OperationInput,
  known: KnownFields | undefined,
) {
  const validQuery = query && parsed(area, query, flatQuery(c.req.queries()));
  // A body that the operation does not have may be anything.
  const json =
    known &&
    (await c
      .get('readBody')()
      .catch((error) => (body ? Promise.reject(error) : undefined)));
  if (known) c.set('ignored', ignoredFields(known, json, readOnly));
  return { body: body && parsed(area, body, json), query: validQuery };
}

/** A request as its operation sees it. @throws ApiError 400 for bad input */
async function requestOf(c: Context<Carried>, note: NoBid) {
  const { request, requestId, sourceIp, path, params } = c.env;
  const deadline = c.get('deadline');
  const noBid: NoBid = (...noted) => {
    if (!deadline.isExpired) note(...noted);
  };
  return {
    ...c.get('caller'),
    ...(await c.get('readInput')()),
    noBid,
    params,
    method: request.method,
    path,
    header: (header: string) => request.headers.get(header) ?? undefined,
    ip: cutAddress(sourceIp),
    requestId,
    startedAt: c.get('startedAt'),
    leavesAt: deadline.leavesAt,
    wantsDebug: wantsDebug(c),
    preloaded: await c.get('preloaded'),
  };
}

const keyOf = (authenticated: Promise<Authenticated>): Promise<ApiKey | undefined> =>
  authenticated.then(
    ({ key }) => key,
    () => undefined,
  );

/** What a request takes of its limit, and for how many ads it asks. */
const wantedOf = (
  { limitCost = 1, adsAsked = 0 }: { limitCost?: RequestCount; adsAsked?: RequestCount },
  readBody: () => Promise<unknown>,
) => ({ limitCost: countIn(limitCost, readBody), adsAsked: countIn(adsAsked, readBody) });

/** What a body says of how many, or what it always is. */
const countIn = (count: RequestCount, readBody: () => Promise<unknown>) => async () =>
  typeof count === 'number' ? count : readBody().then(count, () => 1);

/** Work that is begun when it is first asked for, and shared from then on. Whoever is not authenticated does not learn of its failure. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined;
  return () => {
    begun ??= work();
    begun.catch(() => {});
    return begun;
  };
}
