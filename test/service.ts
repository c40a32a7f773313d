import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll } from 'vitest';
import { type Apps, type HttpHandlers, lambdaHandlers, loadEndpoint } from '../infra/local/functions.ts';
import { type Stack, startStack } from '../infra/local/stack.ts';
import { type EndpointName, endpointNames, endpointRow } from '../shared/http/operations/endpoints.ts';
import type { App, LambdaHandler } from '../shared/http/runtimes/lambda.ts';
import { decode, findRoute } from '../shared/http/runtimes/route.ts';
import type { Clock } from '../shared/platform/clock.ts';
import { type Config, readConfig } from '../shared/platform/config.ts';
import { createDeadlines } from '../shared/platform/deadlines.ts';
import type { Effects, Resolve } from '../shared/platform/effects.ts';
import { createIds, type Ids } from '../shared/platform/ids.ts';
import { createLog } from '../shared/platform/log.ts';
import type { MetricName, Metrics } from '../shared/platform/metrics.ts';
import { toRecord } from '../shared/platform/values/typed.ts';
import { fetchHandler } from './fetch-event.ts';
import { IS_WHOLE } from './run-size.ts';

/** 2026-11-20, 09:00 UTC: the start of every test. */
export const MORNING = Date.UTC(2026, 10, 20, 9);

export interface TestClock extends Clock {
  advance(ms: number): void;
  set(ms: number): void;
}

/** A clock that moves only when a test or a sleep moves it. */
export function createTestClock(start = MORNING): TestClock {
  let now = start;
  const timers = new Set<{ at: number; call: () => void }>();
  const moveTo = (ms: number) => {
    now = ms;
    for (const timer of timers) {
      if (timer.at > now) continue;
      timers.delete(timer);
      timer.call();
    }
  };
  return {
    ...createDeadlines(),
    now: () => now,
    async sleep(ms) {
      now += Math.ceil(ms);
    },
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    timer(ms, call) {
      const timer = { at: now + ms, call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance: (ms) => moveTo(now + ms),
    set: moveTo,
  };
}

/** Ids that are the same in every run. */
export function createTestIds(seed: string, now: () => number): Ids {
  let count = 0;
  return createIds((length) => createHash('sha512').update(`${seed} ${count++}`).digest().subarray(0, length), now);
}

/** Host names of the tests. Any other name has no address. */
export const testResolve: Resolve = async (name) =>
  ({
    'public.test': ['93.184.216.34'],
    'private.test': ['10.0.0.1'],
    'both.test': ['93.184.216.34', '169.254.169.254'],
  })[name] ?? [];

export interface Response {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any part of a body
  body: any;
}

export interface Call {
  headers?: Record<string, string>;
  body?: unknown;
  query?: string;
  sourceIp?: string;
}

/** The API Gateway event of a request. A string body is sent unchanged, anything else as JSON. */
export function httpEvent(
  method: string,
  path: string,
  { headers = {}, body, query = '', sourceIp = '203.0.113.7' }: Call = {},
) {
  const name = findRoute(method, path);
  const json = body !== undefined && typeof body !== 'string';
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath: decode(path),
    rawQueryString: query,
    headers: {
      ...(json ? { 'content-type': 'application/json' } : {}),
      ...Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value])),
    },
    pathParameters: parsePathParameters(name, path),
    requestContext: {
      accountId: '0',
      apiId: 'test',
      domainName: 'ads.test',
      domainPrefix: 'ads',
      http: { method, path: decode(path), protocol: 'HTTP/1.1', sourceIp, userAgent: '' },
      requestId: 'request-1',
      routeKey: '$default',
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
    ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : (body as string) }),
    isBase64Encoded: false,
  } satisfies APIGatewayProxyEventV2;
  return { name, event };
}

/** The path parameters, decoded as the gateway decodes them. */
export function parsePathParameters(name: EndpointName, path: string): Record<string, string> {
  const values = path.split('/');
  const segments = endpointRow(name).path?.split('/') ?? [];
  return Object.fromEntries(
    segments.flatMap((segment, at) => (segment.startsWith('{') ? [[segment.slice(1, -1), decode(values[at]!)]] : [])),
  );
}

/** Sends a request through the route table to its handler. */
export function createCaller(handlers: () => HttpHandlers) {
  return async (method: string, path: string, call?: Call): Promise<Response> => {
    const { name, event } = httpEvent(method, path, call);
    const { statusCode = 0, headers = {}, body } = await handlers()[name](event);
    const lower = Object.entries(headers).map(([header, value]) => [header.toLowerCase(), String(value)]);
    const named: Record<string, string> = Object.fromEntries(lower);
    const isJson = named['content-type']?.startsWith('application/json');
    return { status: statusCode, headers: named, body: body && isJson ? JSON.parse(body) : body || undefined };
  };
}

/** Every HTTP function with other effects: another instance, a failing store, or another clock. Each is created on its first request. */
export function createApps(effects: Effects): Apps {
  return toRecord(endpointNames, (name): App => {
    let app: Promise<App> | undefined;
    return {
      async fetch(request, caller) {
        app ??= loadEndpoint(name, effects);
        return (await app).fetch(request, caller);
      },
    };
  });
}

/** The same functions as event handlers: through `fetch`, or with `WHOLE=1` through the Lambda adapter, which also has its own test. */
export const createHandlers = async (effects: Effects): Promise<HttpHandlers> => toHandlers(createApps(effects));

const toHandlers = (apps: Apps): HttpHandlers =>
  IS_WHOLE ? lambdaHandlers(apps) : toRecord(endpointNames, (name): LambdaHandler => fetchHandler(name, apps[name]));

export interface Measurement {
  name: MetricName;
  value: number;
}

/** The service on its own stand-ins for one test file, with a test clock. */
export const useService = (settings?: Record<string, string>, more?: Pick<Effects, 'judge'>) =>
  useStack(startStack, settings, more);

/** The service on any kind of stack. */
export function useStack<S extends Pick<Stack, 'apps' | 'handlers' | 'stop'>>(
  start: (outside: Parameters<typeof startStack>[0]) => Promise<S>,
  settings: Record<string, string> = {},
  more: Pick<Effects, 'judge'> = {},
) {
  const clock = createTestClock();
  const lines: string[] = [];
  const measured: Measurement[] = [];
  const ends: (() => Promise<void>)[] = [];
  const metrics: Metrics = { add: (name, value = 1) => void measured.push({ name, value }), flush() {} };
  const service = {} as {
    stack: S;
    config: Config;
    clock: TestClock;
    /** The log lines. */
    lines: string[];
    /** The recorded metrics. */
    measured: Measurement[];
    call: ReturnType<typeof createCaller>;
    user(name?: string): ReturnType<typeof asUser>;
    key(options?: object): Promise<string>;
    campaign(overrides?: object, user?: string): Promise<Response['body']>;
    bid(key: string, text?: string, more?: object): Promise<Response>;
    ad(key: string, bidId: string): Promise<Response>;
  };

  const asUser = (user: string) => (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/v1${path}`, { headers: { 'x-user-id': user }, ...(body === undefined ? {} : { body }) });

  beforeAll(async () => {
    const config = readConfig(
      { DATA_DIR: ':memory:', LOG_LEVEL: 'info', BASE_URL: 'https://ads.test', ...settings },
      true,
    );
    const ids = createTestIds('test', clock.now);
    const log = createLog(config.logLevel, (line) => lines.push(line));
    const started = await start({ config, clock, ids, log, metrics, resolve: testResolve, ...more });
    const stack = { ...started, handlers: toHandlers(started.apps) };
    ends.push(stack.stop);
    Object.assign(service, {
      stack,
      config,
      clock,
      lines,
      measured,
      call: createCaller(() => stack.handlers),
      user: (name = 'alice') => asUser(name),
      async key(options = {}) {
        const { body } = await asUser('publisher')('POST', '/auth/api-keys', { name: 'Test key', ...options });
        return body.key;
      },
      async campaign(overrides = {}, user = 'alice') {
        const { status, body } = await asUser(user)('POST', '/campaigns', { ...runningShoes(), ...overrides });
        if (status !== 201) throw new Error(JSON.stringify(body));
        return body;
      },
      bid: (key, text = 'Which running shoes should I buy?', more = {}) =>
        service.call('POST', '/api/v1/ssp/bid', {
          headers: { 'x-api-key': key },
          body: { countryCode: 'US', messages: [{ role: 'user', content: text }], ...more },
        }),
      ad: (key, bidId) => service.call('GET', `/api/v1/ssp/ad/${bidId}`, { headers: { 'x-api-key': key } }),
    } satisfies Partial<typeof service>);
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  return service;
}

let campaigns = 0;

/** The body of a campaign that matches conversations about running shoes. Every call uses a new name. */
export const runningShoes = () => ({
  name: `Running shoes ${++campaigns}`,
  budget: 10,
  bidStrategy: 'manual',
  maxCpb: 4,
  status: 'active',
  targetAudience: { keywords: ['running shoes'] },
  creative: {
    headline: 'Run further',
    description: 'Shoes that last.',
    callToAction: 'Buy now',
    landingUrl: 'https://shoes.example/buy?ref=ads',
  },
});
