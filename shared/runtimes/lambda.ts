import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { HttpHandler } from '../http/endpoint.ts';
import { type EndpointName, endpointRow } from '../operations/endpoints.ts';
import { systemClock } from '../platform/clock.ts';
import { configFromEnvironment } from '../platform/config.ts';
import { openDatabase } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { systemIds } from '../platform/ids.ts';
import { createLog } from '../platform/log.ts';
import { noMetrics } from '../platform/metrics.ts';
import { openQueue } from '../platform/queue.ts';
import { systemResolve } from '../platform/resolve.ts';
import type { WorkerEffects } from '../workers/worker.ts';
import { cloudLog, cloudMetrics } from './powertools.ts';

/** How long an HTTP function keeps its metrics together: what is lost with an instance is at most this. Workers keep none. */
const FLUSH_MS = 10_000;

/** The effects of a deployed HTTP function. @throws ConfigError when a setting is bad: the deployment fails, not the requests */
export function cloudEffects(): Effects {
  const config = configFromEnvironment(false);
  return {
    config,
    clock: systemClock,
    ids: systemIds,
    log: cloudLog(config.logLevel),
    metrics: cloudMetrics(config.tablePrefix, systemClock, FLUSH_MS),
    db: openDatabase({ prefix: config.tablePrefix, clock: systemClock, ids: systemIds }),
    resolve: systemResolve,
  };
}

/** The effects of a deployed worker. A function of its own, so that the SQS client stays out of the bundles of HTTP functions. */
export function cloudWorkerEffects(): WorkerEffects {
  const effects = cloudEffects();
  const { tablePrefix } = effects.config;
  return { ...effects, metrics: cloudMetrics(tablePrefix, systemClock, 0), queue: openQueue(tablePrefix) };
}

/**
 * Answers a stranger once before the first caller comes: code that has run is compiled, and starting is when Lambda gives the
 * most processor. It ends at the credential or at the unknown path, before any store, and leaves nothing in the log.
 */
export async function warmUp(name: EndpointName, create: (effects: Effects) => HttpHandler, effects: Effects) {
  const { methods, path, credential } = endpointRow(name);
  const rawPath = credential === 'none' || path === null ? '/' : path;
  const stranger = {
    rawPath,
    rawQueryString: '',
    headers: {},
    requestContext: {
      domainName: 'localhost',
      requestId: 'warm-up',
      http: { method: methods[0] ?? 'GET', path: rawPath, sourceIp: '127.0.0.1' },
    },
    isBase64Encoded: false,
  };
  await create({ ...effects, log: createLog('silent'), metrics: noMetrics })(
    stranger as unknown as APIGatewayProxyEventV2,
  );
}
