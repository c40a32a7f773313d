import { type Config, ConfigError, readConfig } from '../../platform/config.ts';
import { withTimeout } from '../../platform/deadlines.ts';
import { openDatabase } from '../../platform/dynamodb.ts';
import type { Effects } from '../../platform/effects.ts';
import { withPendingCalls } from '../../platform/effects.ts';
import { systemIds } from '../../platform/ids.ts';
import { gate, type Log, type LogLevel } from '../../platform/log.ts';
import { getServiceName, type Metrics, noMetrics } from '../../platform/metrics.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { getKeys, toError } from '../../platform/values/typed.ts';
import { createApp } from '../app.ts';
import type { Caller } from '../env.ts';
import { unavailable } from '../errors.ts';
import type { EndpointName, endpoints } from '../operations/endpoints.ts';
import { areaAt } from '../operations/endpoints.ts';
import type { App } from './lambda.ts';
import { decode, findRoute } from './route.ts';

/** A Worker does not verify owners or read bodies, so operations that need either do not compile here. */
type Answerable = {
  [N in EndpointName]: (typeof endpoints)[N] extends {
    methods: readonly ('GET' | 'HEAD')[];
    credential: 'none' | 'key' | 'any-key';
  }
    ? N
    : never;
}[EndpointName];

/** The operations that a Worker answers itself. It forwards every other request to the origin: the service in its region. */
export type WorkerOperations = { readonly [N in Answerable]?: (effects: Effects) => App };

/** A request from Cloudflare. Cloudflare replaces accept-encoding; the caller's value is in `cf`. */
interface IncomingRequest extends Request {
  cf?: { clientAcceptEncoding?: string };
}

interface ExecutionContext {
  /** Keeps a request alive after its response, for at most 30 seconds, until the work is done. */
  waitUntil(work: Promise<unknown>): void;
}

/** The timeout of API Gateway itself. */
const ORIGIN_MS = 30_000;

/** The service as a Cloudflare Worker in front of its region. */
export function createWorker(operations: WorkerOperations) {
  let answer: ReturnType<typeof open> | undefined;
  return {
    fetch(request: IncomingRequest, bindings: Bindings, execution: ExecutionContext): Promise<Response> {
      // Not earlier: while a Worker's module loads, it has no bindings yet.
      answer ??= open(operations, bindings);
      return answer(request, execution);
    },
  };
}

/**
 * Reads the settings once. With an invalid origin, the Worker still answers its own operations; with an invalid store, it still forwards.
 */
function open(operations: WorkerOperations, bindings: Bindings) {
  const originUrl = attempt(() => readOriginUrl(bindings));
  const effects = attempt(() => workerEffects(bindings));
  const log = effects?.log ?? workerLog('info');
  const apps = new Map<EndpointName, App | undefined>(
    effects && getKeys(operations).map((name) => [name, operations[name]?.(effects)]),
  );

  return async (request: IncomingRequest, execution: ExecutionContext): Promise<Response> => {
    const { origin, pathname } = new URL(request.url);
    const name = findRoute(request.method, pathname);
    const caller: Caller = {
      requestId: crypto.randomUUID(),
      sourceIp: request.headers.get('cf-connecting-ip') ?? '',
      waitUntil: (work) => execution.waitUntil(work),
    };
    const forwarded = apps.has(name) ? undefined : await forward(request, originUrl, log, caller.requestId);
    if (forwarded) return forwarded;
    const app =
      apps.get(name) ?? refusing(name, pathname, effects?.config ?? readConfig({ BASE_URL: origin }, false), log);
    const response = await app.fetch(withoutBody(request), caller);
    response.headers.set('x-runtime', 'edge');
    return response;
  };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    workerLog('error').error('the Worker has a wrong setting', { cause: toError(error).message });
    return undefined;
  }
}

/** The origin's response, streamed in both directions; undefined if the origin cannot be reached. */
async function forward(
  request: IncomingRequest,
  originUrl: string | undefined,
  log: Log,
  requestId: string,
): Promise<Response | undefined> {
  if (!originUrl) return undefined;
  const { pathname, search } = new URL(request.url);
  // Concatenated, not resolved as a URL: a path that begins with two slashes would send the credentials to another host.
  const forwarded = new Request(`${originUrl}${pathname}${search}`, request);
  // Otherwise Cloudflare asks for a compressed response, and passes it on to callers that cannot read one.
  const encoding = request.cf?.clientAcceptEncoding ?? request.headers.get('accept-encoding');
  forwarded.headers.set('accept-encoding', encoding || 'identity');
  const expire = () => Promise.reject(new Error(`no answer within ${ORIGIN_MS} ms`));
  try {
    const response = await withTimeout(systemClock, ORIGIN_MS, () => fetch(forwarded, { redirect: 'manual' }), expire);
    // If the service is down, Cloudflare or API Gateway sends the error. Only the service's own errors have a request id.
    if (response.status < 500 || response.headers.has('x-request-id')) return response;
    throw new Error(`status ${response.status}`);
  } catch (error) {
    log.warn('the origin does not answer', { requestId, cause: toError(error).message });
    return undefined;
  }
}

/** Answers 503 in the shape of the operation's area, with the headers that its own app would send. */
const refusing = (name: EndpointName, path: string, config: Effects['config'], log: Log): App =>
  createApp(name, { config, log, clock: systemClock, metrics: noMetrics }).all('*', () => {
    throw unavailable(name === 'unmatched' ? areaAt(decode(path)) : undefined);
  });

/** No runtime reads the body of a GET, and a forwarded body has been read already. */
const withoutBody = ({ url, method, headers }: Request): Request =>
  new Request(url, { method: method === 'HEAD' ? 'HEAD' : 'GET', headers });

/** The bindings of a Worker. Settings and secrets are strings, numbers, or booleans; the rest are services of the runtime. */
export type Bindings = Readonly<Record<string, unknown>>;

interface StoreSettings {
  config: Config;
  region: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
}

/** Workers Analytics Engine, whose points have positions instead of names. */
interface Dataset {
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): void;
}

/** The effects of the operations that a Worker answers itself. @throws ConfigError */
export function workerEffects(bindings: Bindings): Effects {
  const { config, region, credentials } = readStoreSettings(bindings);
  const { tablePrefix, dynamoDbEndpoint: endpoint, logLevel } = config;
  const [clock, ids] = [systemClock, systemIds];
  return withPendingCalls({
    config,
    clock,
    ids,
    log: workerLog(logLevel),
    metrics: isDataset(bindings.METRICS) ? datasetMetrics(bindings.METRICS, getServiceName(tablePrefix)) : noMetrics,
    db: openDatabase({ prefix: tablePrefix, clock, ids, client: { region, credentials, endpoint } }),
    resolve: async () => [], // Only deliveries of webhooks look up names.
  });
}

/** Workers Logs takes the level from the console's method and the fields from the JSON. Powertools does not run in workerd. */
export const workerLog = (minLevel: LogLevel): Log =>
  gate(minLevel, (level, message, fields) => console[level](JSON.stringify({ level, message, ...fields })));

/** One point per value: metric, service, value. The runtime sends points after the response. */
const datasetMetrics = (dataset: Dataset, service: string): Metrics => ({
  add: (name, value = 1) => dataset.writeDataPoint({ indexes: [name], blobs: [service], doubles: [value] }),
  flush() {},
});

const isDataset = (binding: unknown): binding is Dataset => binding instanceof Object && 'writeDataPoint' in binding;

/** The address of the service in its region, without a slash at the end. @throws ConfigError */
export function readOriginUrl(bindings: Bindings): string {
  const { ORIGIN_URL = '', BASE_URL = '' } = getTexts(bindings);
  if (!ORIGIN_URL) throw new ConfigError('ORIGIN_URL: must be set');
  const url = URL.parse(ORIGIN_URL.replace(/\/+$/, ''));
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new ConfigError('ORIGIN_URL: must be an address such as https://ads.example');
  if (url.origin === URL.parse(BASE_URL)?.origin)
    throw new ConfigError('ORIGIN_URL: must differ from BASE_URL, or the Worker would forward requests to itself');
  return url.origin;
}

/** @throws ConfigError naming every wrong setting, never a secret's value */
function readStoreSettings(bindings: Bindings): StoreSettings {
  const texts = getTexts(bindings);
  const faults: string[] = [];
  const read = (name: string, shape = /./): string => {
    const value = texts[name] ?? '';
    if (!value) faults.push(`${name}: must be set`);
    else if (!shape.test(value))
      faults.push(`${name}: contains a character that does not belong there, such as a space`);
    return value;
  };
  read('BASE_URL');
  read('TABLE_PREFIX');
  const settings = {
    config: readConfig(texts, false),
    region: read('AWS_REGION', /^[a-z0-9-]+$/),
    credentials: {
      accessKeyId: read('AWS_ACCESS_KEY_ID', /^\w+$/),
      secretAccessKey: read('AWS_SECRET_ACCESS_KEY', /^[!-~]+$/),
    },
  };
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return settings;
}

/** Settings as text, because numbers and booleans in wrangler's `vars` need no quotes. */
const getTexts = (bindings: Bindings): Record<string, string> =>
  Object.fromEntries(
    Object.entries(bindings).flatMap(([name, value]) =>
      /^(string|number|boolean)$/.test(typeof value) ? [[name, String(value)]] : [],
    ),
  );
