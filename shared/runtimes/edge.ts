import { AsyncLocalStorage } from 'node:async_hooks';
import { lexicon } from '../catalog/lexicon.ts';
import { leavesByTmax } from '../exchange/tmax.ts';
import type { HttpHandler, RequestContext } from '../http/operation.ts';
import { refusalInstead } from '../http/responder.ts';
import { rowOf } from '../http/row.ts';
import { areaAt } from '../http/unmatched.ts';
import { type EndpointName, endpointRow } from '../operations/endpoints.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { isCutOtherwise } from './cut-otherwise.ts';
import { type EdgeEffects, type Execution, edgeEffects, edgeLog } from './edge-effects.ts';
import { type Bindings, type EdgeSettings, readEdgeSettings, readOriginUrl } from './edge-settings.ts';
import { type Passing, passOn } from './origin.ts';
import { decode, findRoute } from './route.ts';

/** Operations that a Worker answers itself; every other request is the origin's. */
export type EdgeOperations = { readonly [N in EndpointName]?: (effects: EdgeEffects) => HttpHandler };

/** The part of its time that a request which the Worker could answer itself waits for the origin. */
const ORIGIN_PART = 1 / 2;
/** A Worker has little memory: of a larger body, which every operation refuses, no more is kept. */
const MOST_BYTES = 2 * 1024 * 1024;
/** How long the origin is waited for where no row says it: API Gateway itself waits no longer. */
const ORIGIN_MS = 30_000;

/** The operations as a Worker of Cloudflare runs them, in front of the service in its region. Nothing else knows Workers. */
export function createEdge(operations: EdgeOperations) {
  const executions = new AsyncLocalStorage<Execution>();
  let answer: ReturnType<typeof createAnswer> | undefined;

  return {
    async fetch(request: Request, bindings: Bindings, execution: Execution): Promise<Response> {
      const requestId = crypto.randomUUID();
      try {
        answer ??= createAnswer(operations, bindings, executions);
        return await executions.run(execution, answer, request, requestId);
      } catch (error) {
        complain(error, requestId);
        return refusal(request, requestId);
      }
    },
  };
}

/** Everything is made at the first request that needs it: before any, a Worker may do next to nothing. */
function createAnswer(operations: EdgeOperations, bindings: Bindings, executions: AsyncLocalStorage<Execution>) {
  const url = readOriginUrl(bindings);
  const own = createOwn(operations, bindings, executions);
  const origin = { url, clock: systemClock, log: own?.log ?? edgeLog('info') };

  return async (request: Request, requestId: string): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const { name, parameters } = findRoute(request.method, pathname);
    const { tables, judge, deadlineMs = ORIGIN_MS } = endpointRow(name);
    const pass = (sent: Request, how: Passing) => passOn(sent, origin, { ...how, requestId });
    const refuse = (sent: Request) => refusal(sent, requestId, own?.config);
    if (!operations[name]) return (await pass(request, { limitMs: ORIGIN_MS })) ?? refuse(request);
    const received = await readBody(request).catch((error: unknown) => {
      origin.log.info('the caller hung up within the body', { requestId, cause: String(error) });
    });
    if (!received) return refuse(request); // who has hung up
    const { body, copy } = received;
    const handler = own?.handlerOf(name);
    if (!own || !handler) return (await pass(copy(), { limitMs: deadlineMs })) ?? refuse(copy());
    const startedAt = systemClock.now(); // as in its region, where the gateway has the whole body first
    const context = contextOf(request, requestId, pathname, parameters);
    const act = async (since = startedAt) => {
      const { body, ...answer } = await handler(copy(), { ...context, startedAt: since });
      return marked(new Response(body, answer));
    };
    if (!body || !tables.snapshots || body.length > MOST_BYTES) return act();
    const text = new TextDecoder().decode(body);
    const isJudged = own.config.judge !== undefined && judge !== undefined; // whose second opinions are the origin's alone
    const isOrigins = isJudged || isCutOtherwise(text); // and so are words that are others here
    const learning = isOrigins ? undefined : own.learn();
    if (!isOrigins && !learning) return act();
    const leavesAt = Math.min(
      startedAt + deadlineMs,
      name === 'openrtb2/bid' ? leavesByText(text, startedAt) : Number.POSITIVE_INFINITY,
    );
    const wholeMs = leavesAt - startedAt;
    if (wholeMs <= 0) return act(); // its operation says what that is
    const late = () => act(systemClock.now() - deadlineMs); // and counts nothing, which its origin has done
    if (isOrigins) return (await pass(copy(), { limitMs: wholeMs, late })) ?? (isJudged ? refuse(copy()) : late());
    const passed = await pass(copy(), { limitMs: wholeMs * ORIGIN_PART, isReplaced: true });
    if (passed) return passed;
    await learning; // Without an origin an answer from what little is known here is better than none.
    return act();
  };
}

/** What the Worker answers itself; undefined while its settings are not right, which is logged: then everything is the origin's. */
function createOwn(operations: EdgeOperations, bindings: Bindings, executions: AsyncLocalStorage<Execution>) {
  let settings: EdgeSettings;
  let effects: EdgeEffects;
  try {
    settings = readEdgeSettings(bindings);
    effects = edgeEffects(settings, bindings, executions);
  } catch (error) {
    complain(error);
    return undefined;
  }
  const { config, mostCampaigns } = settings;
  const handlers = new Map<EndpointName, HttpHandler>();

  function handlerOf(name: EndpointName): HttpHandler | undefined {
    const handler = handlers.get(name) ?? operations[name]?.(effects);
    if (handler) handlers.set(name, handler);
    return handler;
  }

  /** Bids are the origin's while too little is known of the campaigns here, or there are too many: resolves once some are known, or it waits too long; undefined where all are. */
  function learn(): Promise<void> | undefined {
    if (mostCampaigns === 0) return Promise.resolve();
    const catalog = effects.catalog(lexicon());
    return catalog.isReady() ? undefined : catalog.refresh();
  }

  return { config, log: effects.log, handlerOf, learn };
}

/** When the answer to an exchange has to leave. What is no JSON is left to its operation. */
function leavesByText(text: string, startedAt: number): number {
  try {
    return leavesByTmax(JSON.parse(text), startedAt);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function complain(error: unknown, requestId?: string): void {
  const line = { level: 'error', message: 'the Worker cannot answer', requestId, cause: String(error) };
  console.error(JSON.stringify(line));
}

/** A request whose body is here, if it has one that anybody reads, for as many as want to read it. */
async function readBody(request: Request): Promise<{ body: Uint8Array | undefined; copy: () => Request }> {
  if (!request.body || /^(GET|HEAD)$/.test(request.method)) return { body: undefined, copy: () => request };
  const body = await read(request.body);
  const copy = () => {
    const sent = new Request(request, { body });
    if (body.length > MOST_BYTES) sent.headers.delete('content-length'); // of which not all is kept
    return sent;
  };
  return { body, copy };
}

/** A body, or of one that is too large as much as shows that it is: the rest is read and dropped, since a caller whose body is not read gets no answer. */
async function read(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    if (size > MOST_BYTES) continue;
    parts.push(part);
    size += part.length;
  }
  return Buffer.concat(parts);
}

const contextOf = (
  { headers }: Request,
  requestId: string,
  pathname: string,
  params: Record<string, string>,
): RequestContext => ({
  requestId,
  sourceIp: headers.get('cf-connecting-ip') ?? '',
  path: decode(pathname),
  params,
  verified: {},
});

/** Refuses for now, in an operation's place; its own address is where it was asked, until the settings are known. */
async function refusal(request: Request, requestId: string, config?: Config): Promise<Response> {
  const { origin, pathname } = new URL(request.url);
  const { name } = findRoute(request.method, pathname);
  const row = config ? rowOf(name, config) : endpointRow(name);
  const json: unknown = row.area === 'trusted-match' && (await request.json().catch(() => null));
  const area = name === 'unmatched' ? areaAt(decode(pathname)) : row.area;
  const { body, ...answer } = refusalInstead(row, config?.baseUrl ?? origin, { requestId, area, json });
  return marked(new Response(body, answer));
}

/** Says which runtime gave an answer. */
function marked(response: Response): Response {
  response.headers.set('x-runtime', 'edge');
  return response;
}
