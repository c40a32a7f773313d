import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { HttpHandler } from '../http/operation.ts';
import { type EndpointName, endpointRow } from '../operations/endpoints.ts';
import type { Effects } from '../platform/effects.ts';
import { createLog } from '../platform/log.ts';
import { noMetrics } from '../platform/metrics.ts';
import { lambdaHandler } from './lambda.ts';

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
      requestId: 'warm-up',
      http: { method: methods[0] ?? 'GET', path: rawPath, sourceIp: '127.0.0.1' },
    },
    isBase64Encoded: false,
  };
  const handler = lambdaHandler(create({ ...effects, log: createLog('silent'), metrics: noMetrics }));
  await handler(stranger as unknown as APIGatewayProxyEventV2);
}
