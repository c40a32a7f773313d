import type { HttpHandler } from '../http/operation.ts';
import { type EndpointName, endpointRow } from '../operations/endpoints.ts';
import type { Effects } from '../platform/effects.ts';
import { createLog } from '../platform/log.ts';
import { noMetrics } from '../platform/metrics.ts';
import { bareEvent, lambdaHandler } from './lambda.ts';

/**
 * Answers a request without a credential once before the first caller comes: code that has run is compiled, and starting is when Lambda gives the
 * most processor. It ends at the credential, at an id that is none or at the unknown path, before any store, and leaves nothing in the log.
 */
export async function warmUp(name: EndpointName, create: (effects: Effects) => HttpHandler, effects: Effects) {
  const { methods, path, credential } = endpointRow(name);
  const handler = lambdaHandler(create({ ...effects, log: createLog('silent'), metrics: noMetrics }));
  const given = Array.from(path?.matchAll(/\{(\w+)\}/g) ?? [], ([, variable]) => [variable, 'nothing']);
  const event = bareEvent(methods[0] ?? 'GET', credential === 'none' || path === null ? '/' : path);
  await handler({ ...event, pathParameters: Object.fromEntries(given) });
}
