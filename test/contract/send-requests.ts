import fc from 'fast-check';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { createGateway, listen } from '../../infra/local/gateway.ts';
import { startStack } from '../../infra/local/stack.ts';
import { decode, findRoute } from '../../shared/http/runtimes/route.ts';
import { readConfig } from '../../shared/platform/config.ts';
import { createLog } from '../../shared/platform/log.ts';
import { noMetrics } from '../../shared/platform/metrics.ts';
import { systemClock } from '../../shared/platform/system-clock.ts';
import { createTestIds } from '../service.ts';
import { type HttpResponse, sendHttp } from './exchange.ts';
import { badRequest, type HttpRequest } from './requests.ts';
import { type ContractRow, expectRefusal, getArea, rows } from './rows.ts';

export interface RequestOutcome {
  request: HttpRequest;
  status: number;
  ms: number;
  /** The fault of the response, if any. */
  fault: string | undefined;
}

/** The number of concurrent requests. */
const CONCURRENCY = 4;
/** The clock advances by this for each request, so that no rate limit rejects it. */
const STEP_MS = 1_000;

/** Generates `count` bad requests, the same for the same seed. */
export const badRequests = (seed: number, count: number): HttpRequest[] =>
  fc.sample(badRequest, { seed, numRuns: count });

/** Starts a service with the fixtures on loopback, on stand-ins by default, and sends it bad requests. */
export async function sendBadRequests(seed: number, count: number, start = startStack): Promise<RequestOutcome[]> {
  let later = 0;
  const clock = { ...systemClock, now: () => Date.now() + later };
  const stack = await start({
    config: readConfig({ DATA_DIR: ':memory:', LOG_LEVEL: 'silent', WEBHOOK_ALLOW_LOCAL: 'false' }, true),
    clock,
    ids: createTestIds(`requests ${seed}`, clock.now),
    log: createLog('silent'),
    metrics: noMetrics,
    resolve: async () => [], // webhook tests must not leave the machine
  });
  const server = createGateway(stack.apps);
  try {
    await seedFixtures(stack.effects);
    const port = await listen(server, 0);
    const wires = badRequests(seed, count);
    const outcomes: RequestOutcome[] = [];
    for (let at = 0; at < wires.length; at += CONCURRENCY) {
      outcomes.push(...(await Promise.all(wires.slice(at, at + CONCURRENCY).map((wire) => judge(wire, port)))));
      later += CONCURRENCY * STEP_MS; // between requests, so that it does not count as the time of a request
    }
    return outcomes;
  } finally {
    server.close();
    await stack.stop();
  }
}

async function judge(wire: HttpRequest, port: number): Promise<RequestOutcome> {
  const startedAt = performance.now();
  const answer = await sendHttp(wire, port).catch((error: Error) => error);
  const ms = performance.now() - startedAt;
  if (answer instanceof Error) return { request: wire, status: 0, ms, fault: `no answer: ${answer.message}` };
  return { request: wire, status: answer.status, ms, fault: findResponseFault(wire, answer) };
}

const LEGACY_SILENCE = { status: 503, error: 'No ads available' };

/** Finds a 5xx that the contract does not allow, or a rejection without the shape of its area. */
export function findResponseFault(
  { method, target }: Pick<HttpRequest, 'method' | 'target'>,
  answer: HttpResponse,
): string | undefined {
  const { status, headers, text } = answer;
  try {
    if (!headers['x-request-id']) return 'no x-request-id';
    if (status < 400 || method === 'HEAD') return status >= 500 ? `${status}` : undefined;
    const { debug: _, ...body } = JSON.parse(text); // `debug` is returned on request and is not part of the shape
    if (status >= 500 && (status !== LEGACY_SILENCE.status || body.error !== LEGACY_SILENCE.error)) {
      return `${status}: ${text.slice(0, 200)}`;
    }
    expectRefusal(answering(method, target), { ...answer, body }, status);
    return undefined;
  } catch (error) {
    return `${status}: ${text.slice(0, 200)}: ${(error as Error).message.split('\n')[0]}`;
  }
}

/** The row of a request, or the area of its path if no row matches. */
function answering(method: string, target: string): Pick<ContractRow, 'area'> {
  const path = target.split('?')[0]!;
  const name = findRoute(method, path);
  return name === 'unmatched' ? { area: getArea(decode(path)) } : rows.find((row) => row.name === name)!;
}
