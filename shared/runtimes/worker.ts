import { AsyncLocalStorage } from 'node:async_hooks';
import { lexicon } from '../catalog/lexicon.ts';
import { unavailable } from '../http/errors.ts';
import type { HttpHandler, RequestContext } from '../http/operation.ts';
import { type EndpointName, endpointRow } from '../operations/endpoints.ts';
import type { Area } from '../operations/rows.ts';
import { type EdgeEffects, type Execution, edgeEffects } from './edge-effects.ts';
import { type Bindings, readEdgeSettings } from './edge-settings.ts';
import { passOn } from './origin.ts';
import { decode, findRoute } from './route.ts';

/** Operations that a Worker answers itself; every other request is the origin's. */
export type EdgeOperations = { readonly [N in EndpointName]?: (effects: EdgeEffects) => HttpHandler };

/** The way to the origin and back, on top of its own deadline. */
const WAY_MS = 500;
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
        console.error(JSON.stringify({ level: 'error', message: 'the Worker cannot answer', cause: String(error) }));
        return marked(refusal('open'));
      }
    },
  };
}

/** Everything is made at the first request that needs it: before any, a Worker may do next to nothing. */
function createAnswer(operations: EdgeOperations, bindings: Bindings, executions: AsyncLocalStorage<Execution>) {
  const settings = readEdgeSettings(bindings);
  const effects = edgeEffects(settings, bindings, executions);
  const origin = { ...effects, url: settings.originUrl };
  const handlers = new Map<EndpointName, HttpHandler>();

  function handlerOf(name: EndpointName, create: (effects: EdgeEffects) => HttpHandler): HttpHandler {
    const handler = handlers.get(name) ?? create(effects);
    handlers.set(name, handler);
    return handler;
  }

  /** Second opinions are the origin's, and so are bids while too little is known of the campaigns here, or there are too many. */
  function canBid(body: ArrayBuffer): boolean {
    if (settings.config.judge || settings.mostCampaigns === 0) return false;
    const catalog = effects.catalog(lexicon());
    if (catalog.isReady()) return !CUT_OTHERWISE.test(new TextDecoder().decode(body));
    void catalog.refresh(); // beside the answer
    return false;
  }

  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const { name, parameters } = findRoute(request.method, pathname);
    const { area, tables, deadlineMs = 0 } = endpointRow(name);
    const create = operations[name];
    if (!create || !isSmall(request)) return (await passOn(request, origin)) ?? marked(refusal(area));
    const act = async (own: Request) =>
      marked(await handlerOf(name, create)(own, contextOf(own, pathname, parameters)));
    if (!tables.snapshots) return act(request);
    const body = await request.arrayBuffer();
    const copy = () => new Request(request, { body });
    if (canBid(body)) return act(copy());
    // Without an origin an answer from what little is known here is better than none.
    return (await passOn(copy(), origin, deadlineMs + WAY_MS)) ?? act(copy());
  };
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
