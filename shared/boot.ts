import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { systemClock } from './clock.ts';
import { configFromEnvironment } from './config.ts';
import { openDatabase } from './database.ts';
import type { Effects } from './effects.ts';
import { type EndpointName, endpointRow } from './endpoints.ts';
import type { HttpHandler } from './http/endpoint.ts';
import { systemIds } from './ids.ts';
import { createLog } from './log.ts';
import { openQueue } from './queue.ts';
import type { WorkerEffects } from './stream/worker.ts';
import { systemResolve } from './webhooks/resolve.ts';

/**
 * DynamoDB answers in milliseconds. A call without an answer by then is given up and tried again twice at most, so that callers
 * get a 503 long before the function's own end; without this they would wait for that.
 */
const PATIENCE = { connectionTimeout: 300, requestTimeout: 500, throwOnRequestTimeout: true };

/** The effects of a deployed HTTP function. @throws ConfigError when a setting is bad: the deployment fails, not the requests */
export function cloudEffects(): Effects {
  const config = configFromEnvironment(false);
  const db = openDatabase({
    prefix: config.tablePrefix,
    clock: systemClock,
    ids: systemIds,
    client: { requestHandler: PATIENCE },
  });
  return {
    config,
    clock: systemClock,
    ids: systemIds,
    log: createLog(config.logLevel, writeLine),
    db,
    resolve: systemResolve,
  };
}

/** The effects of a deployed worker. A function of its own, so that the SQS client stays out of the bundles of HTTP functions. */
export function cloudWorkerEffects(): WorkerEffects {
  const effects = cloudEffects();
  return { ...effects, queue: openQueue(effects.config.tablePrefix) };
}

/**
 * Answers a stranger once before the first caller comes: code that has run is compiled, and starting is when Lambda gives the
 * most processor. It ends at the credential or at the unknown path, before any store, and leaves nothing in the log.
 */
export async function rehearse(name: EndpointName, create: (effects: Effects) => HttpHandler, effects: Effects) {
  const { methods, path, credential } = endpointRow(name);
  const rawPath = credential === 'none' || path === null ? '/' : path;
  const stranger = {
    rawPath,
    rawQueryString: '',
    headers: {},
    requestContext: {
      domainName: 'localhost',
      requestId: 'rehearsal',
      http: { method: methods[0] ?? 'GET', path: rawPath, sourceIp: '127.0.0.1' },
    },
    isBase64Encoded: false,
  };
  await create({ ...effects, log: createLog('silent') })(stranger as unknown as APIGatewayProxyEventV2);
}

/**
 * Past the console, which Lambda's runtime would wrap a second time: fields arrive as fields. Lambda heeds the level of a line
 * only when the line has a time too.
 */
const writeLine = (line: string): void => {
  process.stdout.write(`{"timestamp":"${new Date().toISOString()}",${line.slice(1)}\n`);
};
