import { AsyncLocalStorage } from 'node:async_hooks';
import { lexicon } from '../catalog/lexicon.ts';
import { unavailable } from '../http/errors.ts';
import type { HttpHandler, RequestContext } from '../http/operation.ts';
import { type EndpointName, endpointRow } from '../operations/endpoints.ts';
import type { Area } from '../operations/rows.ts';
import { systemClock } from '../platform/clock.ts';
import { type EdgeEffects, type Execution, edgeEffects, edgeLog } from './edge-effects.ts';
import { type Bindings, type EdgeSettings, readEdgeSettings, readOriginUrl } from './edge-settings.ts';
import { passOn } from './origin.ts';
import { decode, findRoute } from './route.ts';

/** Operations that a Worker answers itself; every other request is the origin's. */
export type EdgeOperations = { readonly [N in EndpointName]?: (effects: EdgeEffects) => HttpHandler };

/** The part of its time that a request which the Worker could answer itself waits for the origin. */
const ORIGIN_PART = 1 / 2;
/** A Worker has little memory: larger bodies, and those of unknown size, stream on to the origin. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Lao and Khmer, as they are and as JSON escapes them: a Worker's runtime cuts them into other words than Node does. */
const CUT_OTHERWISE = /[\u0e80-\u0eff\u1780-\u17ff]|\\u(0e[89a-f]|17[89a-f])/i;

/** The operations as a Worker of Cloudflare runs them, in front of the service in its region. Nothing else knows Workers. */
export function createWorker(operations: EdgeOperations) {
  const executions = new AsyncLocalStorage<Execution>();
  let answer: ReturnType<typeof createAnswer> | undefined;

  return {
    async fetch(request: Request, bindings: Bindings, execution: Execution): Promise<Response> {
      try {
        answer ??= createAnswer(operations, bindings, executions);
        return await executions.run(execution, answer, request);
      } catch (error) {
        complain(error);
        const { name } = findRoute(request.method, new URL(request.url).pathname);
        return marked(refusal(endpointRow(name).area));
      }
    },
  };
}

/** Everything is made at the first request that needs it: before any, a Worker may do next to nothing. */
function createAnswer(operations: EdgeOperations, bindings: Bindings, executions: AsyncLocalStorage<Execution>) {
  const url = readOriginUrl(bindings);
  const own = createOwn(operations, bindings, executions);
  const origin = { url, clock: systemClock, log: own?.log ?? edgeLog('info') };

  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const { name, parameters } = findRoute(request.method, pathname);
    const { area, tables, deadlineMs = 0 } = endpointRow(name);
    const handler = isSmall(request) && own?.handlerOf(name);
    if (!own || !handler) return (await passOn(request, origin)) ?? marked(refusal(area));
    const act = async (sent: Request, startedAt?: number) => {
      const { body, ...answer } = await handler(sent, { ...contextOf(sent, pathname, parameters), startedAt });
      return marked(new Response(body, answer));
    };
    if (!tables.snapshots) return act(request);
    const body = await request.arrayBuffer();
    const startedAt = systemClock.now(); // as in its region, where the gateway has the whole body first
    const text = new TextDecoder().decode(body);
    const copy = () => new Request(request, { body });
    if (own.canBid(text)) return act(copy(), startedAt);
    const wholeMs = name === 'openrtb2/bid' ? Math.min(deadlineMs, tmaxIn(text)) : deadlineMs;
    // Without an origin an answer from what little is known here is better than none.
    return (await passOn(copy(), origin, wholeMs * ORIGIN_PART)) ?? act(copy(), startedAt);
  };
}

/** What the Worker answers itself; undefined while its settings are not right, which is logged: then everything is the origin's. */
function createOwn(operations: EdgeOperations, bindings: Bindings, executions: AsyncLocalStorage<Execution>) {
  let settings: EdgeSettings;
  try {
    settings = readEdgeSettings(bindings);
  } catch (error) {
    complain(error);
    return undefined;
  }
  const { config, mostCampaigns } = settings;
  const effects = edgeEffects(settings, bindings, executions);
  const handlers = new Map<EndpointName, HttpHandler>();

  function handlerOf(name: EndpointName): HttpHandler | undefined {
    const handler = handlers.get(name) ?? operations[name]?.(effects);
    if (handler) handlers.set(name, handler);
    return handler;
  }

  /** Second opinions are the origin's, and so are bids while too little is known of the campaigns here, or there are too many. */
  function canBid(text: string): boolean {
    if (config.judge || mostCampaigns === 0) return false;
    const catalog = effects.catalog(lexicon());
    if (catalog.isReady()) return !CUT_OTHERWISE.test(text);
    void catalog.refresh(); // beside the answer
    return false;
  }

  return { log: effects.log, handlerOf, canBid };
}

/** How long the exchange waits: read before the body is validated, so whatever else stands there is left to that. */
const tmaxIn = (text: string): number =>
  Number(/"tmax"\s*:\s*(\d+)(?![\d.e])/i.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);

function complain(error: unknown): void {
  console.error(JSON.stringify({ level: 'error', message: 'the Worker cannot answer', cause: String(error) }));
}

const isSmall = ({ headers, body }: Request): boolean =>
  Number(headers.get('content-length') ?? (body ? Number.POSITIVE_INFINITY : 0)) <= MOST_BYTES;

const contextOf = ({ headers }: Request, pathname: string, params: Record<string, string>): RequestContext => ({
  requestId: crypto.randomUUID(),
  sourceIp: headers.get('cf-connecting-ip') ?? '',
  path: decode(pathname),
  params,
  verified: {},
});

function refusal(area: Area): Response {
  const refused = unavailable();
  return Response.json(refused.body(area), { status: refused.status, headers: refused.headers });
}

/** Says which runtime gave an answer. */
function marked(response: Response): Response {
  response.headers.set('x-runtime', 'edge');
  return response;
}
