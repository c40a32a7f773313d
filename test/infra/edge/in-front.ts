import { Agent } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { localBindings } from '../../../infra/edge/bindings.ts';
import { edgeNames } from '../../../infra/edge/operations.ts';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import type { Stack } from '../../../infra/local/stack.ts';
import { type EndpointName, endpointRow } from '../../../shared/operations/endpoints.ts';
import { DAY_MS } from '../../../shared/platform/clock.ts';
import type { Config } from '../../../shared/platform/config.ts';
import type { Metrics } from '../../../shared/platform/metrics.ts';
import { isCutOtherwise } from '../../../shared/runtimes/cut-otherwise.ts';
import type { LambdaHandler } from '../../../shared/runtimes/lambda.ts';
import { exchange, type WireAnswer } from '../../contract/exchange.ts';
import type { Wire } from '../../contract/requests.ts';
import { HEADERS } from './told-headers.ts';

/** Headers that a connection has of its own. */
const OF_CONNECTION = /^(connection|content-length|date|keep-alive|transfer-encoding)$/;

type Sent = Omit<Wire, 'row'>;

interface Outside {
  config: Config;
  clock: { now(): number };
  metrics: Pick<Metrics, 'add'>;
  /** Takes a line of the log. */
  write(line: string): void;
}

/**
 * Has the operations that a Worker answers answered by one: in workerd, over HTTP, with the service as its origin, its store and its
 * time. What HTTP cannot carry is left to the service's own handlers. Gives what ends it.
 */
export async function putWorkerInFront(
  { handlers, client }: Pick<Stack, 'handlers' | 'client'>,
  port: number,
  { config, clock, metrics, write }: Outside,
): Promise<() => Promise<void>> {
  const own = { ...handlers };
  const origin = createGateway(own);
  const originPort = await listen(origin, 0);
  const agent = new Agent({ keepAlive: true });

  function ask({ headers, ...wire }: Sent, sourceIp = '203.0.113.7'): Promise<WireAnswer> {
    const more = {
      [HEADERS.service]: String(originPort),
      [HEADERS.now]: String(clock.now()),
      'cf-connecting-ip': sourceIp,
    };
    return exchange({ ...wire, headers: { ...headers, ...more } }, port, agent);
  }
  const json = (target: string, body: object): Sent => {
    return { method: 'POST', target, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  };

  let bidAt = 0;
  /** The first bid of a Worker, and the first after a day, are its origin's: after one, the Worker knows the campaigns, none or all. */
  async function awake(): Promise<void> {
    const isAwake = clock.now() - bidAt < DAY_MS;
    bidAt = clock.now();
    while (!isAwake && (await ask(json('/api/v1/ssp/bid', {}))).headers['x-runtime'] !== 'edge');
  }

  const handlerOf =
    (name: EndpointName): LambdaHandler =>
    async (event) => {
      const wire = wireOf(name, event);
      if (!wire) return own[name](event);
      if (endpointRow(name).tables.snapshots) {
        if (isCutOtherwise(wire.body ?? '')) return own[name](event); // which a Worker leaves to its origin
        await awake();
      }
      const { status, headers, text } = await ask(wire, event.requestContext.http.sourceIp);
      const { 'x-runtime': runtime, [HEADERS.told]: told = '', ...others } = headers;
      if (runtime !== 'edge') throw new Error(`the origin answered ${wire.method} ${wire.target}: ${status} ${text}`);
      const id = headers['x-request-id']!;
      const renamed = (value: string) => value.replaceAll(id, event.requestContext.requestId);
      const { lines, measured } = JSON.parse(decodeURIComponent(told));
      for (const line of lines) write(renamed(line));
      for (const { name, value } of measured) metrics.add(name, value);
      const named = Object.entries(others)
        .filter(([header]) => !OF_CONNECTION.test(header))
        .map(([header, value]) => [header, renamed(value)]);
      return { statusCode: status, headers: Object.fromEntries(named), body: renamed(text) };
    };

  await ask(json('/begin', localBindings(config, client, originPort)));
  for (const name of edgeNames) handlers[name] = handlerOf(name);
  await awake();
  return async () => {
    await ask(json('/end', {}));
    agent.destroy();
    origin.close();
    origin.closeAllConnections();
  };
}

/** An event as a request; undefined where HTTP would make another of it. */
function wireOf(name: EndpointName, event: APIGatewayProxyEventV2): Sent | undefined {
  const parameters = event.pathParameters ?? {};
  const path = endpointRow(name).path!.replaceAll(/\{(\w+)\}/g, (_, one) => encodeURIComponent(parameters[one] ?? ''));
  const target = event.rawQueryString ? `${path}?${event.rawQueryString}` : path;
  const { pathname, search } = new URL(target, 'http://a');
  const headers = Object.fromEntries(Object.entries(event.headers).map(([header, value = '']) => [header, value]));
  const isPlain = (value: string) => value.trim() === value && !/[^\t\x20-\x7e\x80-\xff]/.test(value);
  const isHost = URL.canParse(`http://${headers.host ?? 'a'}`);
  if (!isHost || pathname + search !== target || !Object.values(headers).every(isPlain)) return undefined;
  const body = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : event.body;
  return { method: event.requestContext.http.method, target, headers, body };
}
