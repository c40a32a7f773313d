import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context as LambdaContext } from 'aws-lambda';
import { type Context, Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status';
import type * as z from 'zod';
import { type ApiKey, apiKeyStore } from '../api-keys/store.ts';
import { Unavailable } from '../database.ts';
import type { Effects } from '../effects.ts';
import { type EndpointName, endpointRow, type endpoints } from '../endpoints.ts';
import { limitStore } from '../limits/store.ts';
import { cutAddress } from './address.ts';
import { type Admission, admit } from './admit.ts';
import type { Answer } from './answer.ts';
import { checkBody, fetchable, validate } from './body.ts';
import { debugHeader } from './debug.ts';
import { ApiError, invalid, notFound, somethingWentWrong, unavailable } from './errors.ts';
import { userOf } from './user.ts';

type Rows = typeof endpoints;
type Valid<N extends EndpointName, Part extends string> = Rows[N] extends { [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;
type Holder<N extends EndpointName> = Rows[N]['credential'] extends 'key'
  ? { key: ApiKey }
  : Rows[N]['credential'] extends 'user'
    ? { user: string }
    : unknown;

/** A request as a function sees it: its caller known, its rate counted, its body valid. */
export type Request<N extends EndpointName, M> = Holder<N> & {
  body: Valid<N, 'body'>;
  query: Valid<N, 'query'>;
  params: Record<string, string>;
  method: string;
  path: string;
  header(name: string): string | undefined;
  /** The caller's address, cut. */
  ip: string;
  /** Whether X-Debug asks for an explanation. */
  wantsDebug: boolean;
  /** What `meanwhile` brought. */
  meanwhile: M;
};

/** What a function makes of the outside world: how it acts, and what it may begin while its caller is being admitted. */
export interface Operation<N extends EndpointName, M> {
  meanwhile?(params: Record<string, string>): Promise<M>;
  act(request: Request<N, M>): Promise<Answer> | Answer;
}

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context?: LambdaContext,
) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * One operation as a Lambda: credential, limit, validation and error shape, as its row of the table says, around one plain
 * function. The result takes the effects and gives the handler of API Gateway v2 events; nothing happens at import.
 */
export function endpoint<N extends EndpointName, M = unknown>(name: N, define: (effects: Effects) => Operation<N, M>) {
  const row = endpointRow(name);
  return (effects: Effects): HttpHandler => {
    const operation = define(effects);
    const limiters = { apiKeys: apiKeyStore(effects), limits: limitStore(effects) };
    const app = new Hono<{
      Bindings: { event: APIGatewayProxyEventV2 };
      Variables: { startedAt: number; admission: Admission; meanwhile: Promise<M> };
    }>();
    type C = Parameters<Parameters<typeof app.onError>[0]>[1];

    app.use(async (c, next) => {
      c.set('startedAt', effects.clock.now());
      await next();
    });

    const methods = row.methods.length > 0 ? row.methods.filter((method) => method !== 'HEAD') : ['ALL'];

    // The gateway has found the route and its parameters; a path read again would be decoded twice.
    const params = (c: C | Context) => (c.env.event.pathParameters ?? {}) as Record<string, string>;
    // Headers as they came: Hono writes what is not ASCII in percent signs, which a credential could be mistaken for.
    const header = (c: C | Context) => (name: string) => (c.env.event as APIGatewayProxyEventV2).headers[name];

    app.use(async (c, next) => {
      const user = userOf(effects.config.managementAuth, c.env.event, header(c)('x-user-id'));
      const admitted = admit(row, header(c), user, limiters);
      const meanwhile = operation.meanwhile?.(params(c)) ?? Promise.resolve(undefined as M);
      meanwhile.catch(() => {}); // whoever is not admitted does not learn of it
      c.set('meanwhile', meanwhile);
      c.set('admission', await admitted);
      await next();
    });
    if (row.query) app.use(validate('query', row.area, row.query));
    if (row.body) app.use(checkBody, validate('json', row.area, row.body));
    app.on(methods, ['*'], async (c) => {
      const request = {
        ...c.get('admission'),
        body: row.body && c.req.valid('json' as never),
        query: row.query && c.req.valid('query' as never),
        params: params(c),
        method: c.req.method,
        path: c.req.path,
        header: (header: string) => c.req.header(header),
        ip: cutAddress(c.env.event.requestContext.http.sourceIp),
        wantsDebug: wantsDebug(c),
        meanwhile: await c.get('meanwhile'),
      };
      // The row of the table decides which members there are; its type says the same to the compiler.
      return send(c, await operation.act(request as unknown as Request<N, M>));
    });

    app.notFound((c) => refuse(c, notFound(row.area, 'Route not found')));
    app.onError((error, c) => refuse(c, asApiError(error, c)));

    const wantsDebug = (c: C | Context): boolean => c.req.header('x-debug')?.toLowerCase() === 'true';
    const requestId = (c: C | Context): string => c.env.event.requestContext.requestId;

    function asApiError(error: Error, c: C): ApiError {
      if (error instanceof ApiError) return error;
      // Hono's validator says so of a body that does not parse.
      if (error instanceof HTTPException)
        return invalid(row.area, [{ path: '', message: 'The body must be valid JSON' }]);
      const { message, stack, cause } = error;
      if (error instanceof Unavailable) {
        effects.log.warn(message, { requestId: requestId(c), operation: name, cause: String(cause) });
        return unavailable();
      }
      effects.log.error(message, { requestId: requestId(c), operation: name, stack });
      return somethingWentWrong(requestId(c));
    }

    const refuse = (c: C, error: ApiError): Response =>
      send(c, { status: error.status, body: error.body(row.area), headers: error.headers }, error);

    /** The one way out: what every response carries, what debug adds, and the line in the log. */
    function send(c: C, answer: Answer, error?: ApiError): Response {
      const ms = effects.clock.now() - c.get('startedAt');
      const headers: Record<string, string> = {
        'x-request-id': requestId(c),
        ...c.get('admission')?.headers,
        ...answer.headers,
      };
      let { body } = answer;
      if (wantsDebug(c) && typeof body === 'object' && !Array.isArray(body)) {
        const { timingsMs, ...more } = answer.debug ?? {};
        const debug = { requestId: requestId(c), ...more, timingsMs: { ...(timingsMs as object), total: ms } };
        if (body === null) headers['x-debug-info'] = debugHeader(debug);
        else body = { ...(body as object), debug };
      }
      effects.log.info('request', {
        requestId: requestId(c),
        operation: name,
        status: answer.status,
        ms,
        ...(error ? { error: error.error } : {}),
      });
      if (body === undefined) return c.body(null, answer.status as StatusCode, headers);
      if (typeof body === 'string') return c.body(body, answer.status as ContentfulStatusCode, headers);
      return c.json(body, answer.status as ContentfulStatusCode, headers);
    }

    const handler = handle(app);
    return (event, context) =>
      handler(
        fetchable(event, row.body !== undefined) as never,
        context as never,
      ) as Promise<APIGatewayProxyStructuredResultV2>;
  };
}
