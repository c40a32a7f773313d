import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { apiKeyStore } from '../api-keys/store.ts';
import { limitStore } from '../limits/store.ts';
import { type EndpointName, endpointRow } from '../operations/endpoints.ts';
import type { Effects } from '../platform/effects.ts';
import { cutAddress } from './address.ts';
import { authenticate } from './authenticate.ts';
import { checkBody, fetchable, validateBody, validateQuery } from './body.ts';
import { unavailable } from './errors.ts';
import type { HttpHandler, Operation, OperationRequest } from './operation.ts';
import { type Carried, createResponder, wantsDebug } from './responder.ts';

export type { HttpHandler } from './operation.ts';

/**
 * One operation as a Lambda: credential, limit, validation, deadline and error shape, as its row of the table says, around one
 * plain function. The result takes the effects and gives the handler of API Gateway v2 events; nothing happens at import.
 */
export function endpoint<N extends EndpointName, M = unknown>(name: N, define: (effects: Effects) => Operation<N, M>) {
  const row = endpointRow(name);
  return (effects: Effects): HttpHandler => {
    const { log, metrics } = effects;
    const operation = define(effects);
    const limiters = { apiKeys: apiKeyStore(effects), limits: limitStore(effects) };
    const { send, refuse } = createResponder(name, effects);
    const app = new Hono<Carried>();

    app.use((c, next) => {
      c.set('startedAt', effects.clock.now());
      return inTime(next, () => {
        log.warn('late', {
          requestId: c.env.event.requestContext.requestId,
          operation: name,
          deadlineMs: row.deadlineMs,
        });
        return operation.onTimeout ? send(c, operation.onTimeout()) : refuse(c, unavailable());
      });
    });
    app.use(async (c, next) => {
      const { event } = c.env;
      const { authenticated } = await authenticate(row, event, effects.config.managementAuth, limiters);
      const preloaded = operation.preload?.(paramsOf(event)) ?? Promise.resolve();
      preloaded.catch(() => {}); // whoever is not authenticated does not learn of it
      c.set('preloaded', preloaded);
      c.set('caller', await authenticated);
      await next();
    });
    if (row.query) app.use(validateQuery(row.area, row.query));
    if (row.body) app.use(checkBody, validateBody(row.area, row.body, row.readOnly));
    app.all('*', async (c) => {
      const { event } = c.env;
      const request = {
        ...c.get('caller'),
        body: row.body && c.req.valid('json' as never),
        query: row.query && c.req.valid('query' as never),
        params: paramsOf(event),
        method: event.requestContext.http.method,
        path: event.rawPath,
        header: headerOf(event),
        ip: cutAddress(event.requestContext.http.sourceIp),
        requestId: event.requestContext.requestId,
        wantsDebug: wantsDebug(c),
        preloaded: await c.get('preloaded'),
      };
      // The row of the table decides which members there are; its type says the same to the compiler.
      return send(c, await operation.act(request as unknown as OperationRequest<N, M>));
    });
    app.onError((error, c) => refuse(c, error));

    /** Waits for the work, or at the row's deadline answers without it. The calls of the store that it makes end by then too. */
    async function inTime(work: () => Promise<void>, late: () => Response): Promise<Response | undefined> {
      const { clock } = effects;
      const { deadlineMs } = row;
      if (deadlineMs === undefined) return void (await work());
      return new Promise((resolve, reject) => {
        const cancel = clock.timer(deadlineMs, () => resolve(late()));
        const done = clock.within(clock.now() + deadlineMs, work);
        done.then(() => resolve(undefined), reject).finally(cancel);
      });
    }

    const handler = handle(app);
    return async (event, context) => {
      const answer = await handler(fetchable(event, row.body !== undefined) as never, context as never);
      metrics.flush();
      return answer as APIGatewayProxyStructuredResultV2;
    };
  };
}

/** The gateway has found the route and its parameters; a path read again would be decoded twice. */
const paramsOf = (event: APIGatewayProxyEventV2) => (event.pathParameters ?? {}) as Record<string, string>;

/** Headers as they came: Hono writes what is not ASCII in percent signs, which a credential could be mistaken for. */
const headerOf = (event: APIGatewayProxyEventV2) => (name: string) => event.headers[name];
