import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../../shared/http/env.ts';
import type { EndpointName } from '../../../../shared/http/operations/endpoints.ts';
import { type App, lambdaHandler } from '../../../../shared/http/runtimes/lambda.ts';
import { httpEvent } from '../../../service.ts';

/** The request and the caller that an app gets for an event. */
async function seen(event: APIGatewayProxyEventV2, name: EndpointName = 'campaigns/create') {
  let result: { request: Request; caller: Caller } | undefined;
  const app: App = {
    fetch(request, caller) {
      result = { request, caller };
      return new Response(null, { status: 204 });
    },
  };
  await lambdaHandler(name, app)(event);
  return result!;
}

const bodyOf = (request: Request) => request.text();

describe('The request for an API Gateway event', () => {
  it('has its method, query, headers, and body', async () => {
    const { event } = httpEvent('POST', '/api/v1/campaigns', {
      headers: { 'x-user-id': 'alice' },
      query: 'a=1&a=2&b=%20',
      body: { name: 'Ü' },
    });
    const { request } = await seen(event);
    expect([request.method, new URL(request.url).search]).toEqual(['POST', '?a=1&a=2&b=%20']);
    expect([request.headers.get('X-User-Id'), request.headers.get('x-api-key')]).toEqual(['alice', null]);
    expect(JSON.parse(await bodyOf(request))).toEqual({ name: 'Ü' });
  });

  it('has the decoded bytes of a base64 body', async () => {
    const { event } = httpEvent('POST', '/', { body: Buffer.from('{"a":"ü"}').toString('base64') });
    const { request } = await seen({ ...event, isBase64Encoded: true });
    expect(await bodyOf(request)).toBe('{"a":"ü"}');
  });

  it.each([
    ['keeps the coding of a base64 body', gzipSync('{}').toString('base64'), true, 'gzip'],
    ['has no coding if the gateway has decompressed the body', '{"a":1}', false, null],
    ['keeps the coding of bytes that the gateway has read as text', gzipSync('{}').toString(), false, 'gzip'],
  ])('%s', async (_, body, isBase64Encoded, expected) => {
    const { event } = httpEvent('POST', '/', { headers: { 'Content-Encoding': 'gzip' } });
    const { request } = await seen({ ...event, body, isBase64Encoded });
    expect(request.headers.get('content-encoding')).toBe(expected);
  });

  it('keeps an unknown path out of the host and the query', async () => {
    for (const rawPath of ['/a?api_key=b', '/a#b', '/../a//b', '/%zz', '/\ud800', '//evil.example/']) {
      const { request } = await seen({ ...httpEvent('GET', '/').event, rawPath }, 'unmatched');
      expect([new URL(request.url).host, new URL(request.url).search]).toEqual(['localhost', '']);
    }
  });

  it('encodes path variables, so Hono decodes them only once', async () => {
    const event = { ...httpEvent('GET', '/').event, pathParameters: { id: '%41%2541/é' } };
    const { request } = await seen(event, 'campaigns/get');
    expect(decodeURIComponent(new URL(request.url).pathname)).toBe('/api/v1/campaigns/%41%2541/é');
    expect(new URL(request.url).pathname.split('/')).toHaveLength(5);
  });

  it('drops the body of a GET, which Request does not allow', async () => {
    const { event } = httpEvent('GET', '/api/v1/campaigns', { body: { a: 1 } });
    expect((await seen(event, 'campaigns/list')).request.body).toBeNull();
  });

  it.each(['a\tb', 'a\nb', 'a#b'])('keeps query characters that a URL would drop: %j', async (value) => {
    const { request } = await seen({ ...httpEvent('GET', '/').event, rawQueryString: `x=${value}` });
    expect(new URL(request.url).searchParams.get('x')).toBe(value);
  });

  it('never turns a non-ASCII header into ASCII', async () => {
    for (const value of ['ü', 'жук', '\u{1f45f}', 'ａlice', 'alice\u0131']) {
      const { request } = await seen(httpEvent('GET', '/', { headers: { 'x-user-id': value } }).event);
      expect(request.headers.get('x-user-id')).not.toMatch(/^[\0-\x7f]*$/);
    }
  });

  it.each(['alice\nbob', 'a\0', ' a', 'a\t', '\r'])('omits headers with an invalid value: %j', async (value) => {
    const { request } = await seen(httpEvent('GET', '/', { headers: { 'x-user-id': value, accept: '*/*' } }).event);
    expect([request.headers.get('x-user-id'), request.headers.get('accept')]).toEqual([null, '*/*']);
  });

  it('has the cookies that the gateway removes from the headers', async () => {
    const event = { ...httpEvent('GET', '/').event, cookies: ['a=1', 'b=2'] };
    expect((await seen(event)).request.headers.get('cookie')).toBe('a=1; b=2');
  });

  it.each([
    ['a token by its subject', { jwt: { claims: { sub: 'auth0|alice' } } }, { jwt: 'auth0|alice' }],
    ['no token without a subject', { jwt: { claims: {} } }, {}],
    ['a role, whatever its session', { iam: { userId: 'AROAEXAMPLE:session-7' } }, { iam: 'AROAEXAMPLE' }],
    ['no one without an authorizer', undefined, {}],
  ])('with the verified subject: %s', async (_, authorizer, verified) => {
    const { event } = httpEvent('GET', '/');
    const { caller } = await seen({ ...event, requestContext: { ...event.requestContext, authorizer } } as never);
    expect(caller.verified).toEqual({ jwt: undefined, iam: undefined, ...verified });
  });
});

describe('The result for API Gateway', () => {
  const answered = (response: Response) =>
    lambdaHandler('health', { fetch: () => response })(httpEvent('GET', '/api/v1/health').event);

  it('has the status, headers, and text of the response', async () => {
    const headers = { 'content-type': 'application/json' };
    const result = { statusCode: 201, headers, body: '{"a":"ü"}', isBase64Encoded: false };
    expect(await answered(new Response('{"a":"ü"}', { status: 201, headers }))).toEqual(result);
  });

  it('has an empty text if the response has no body', async () => {
    expect(await answered(new Response(null, { status: 204 }))).toMatchObject({ statusCode: 204, body: '' });
  });
});
