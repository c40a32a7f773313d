import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../../shared/http/operation.ts';
import { lambdaHandler } from '../../../shared/runtimes/lambda.ts';
import { httpEvent } from '../../harness.ts';

/** What an operation sees of an event. */
async function seen(event: APIGatewayProxyEventV2): Promise<{ request: Request; context: RequestContext }> {
  let result: { request: Request; context: RequestContext } | undefined;
  await lambdaHandler(async (request, context) => {
    result = { request, context };
    return new Response();
  })(event);
  return result!;
}

const answered = (response: Response) => lambdaHandler(async () => response)(httpEvent('GET', '/').event);

describe('An event of API Gateway becomes a request', () => {
  it('with its method, query, headers and body', async () => {
    const { event } = httpEvent('POST', '/api/v1/campaigns', {
      headers: { 'x-user-id': 'alice' },
      query: 'a=1&a=2&b=%20',
      body: { name: 'Ü' },
    });
    const { request } = await seen(event);
    expect([request.method, new URL(request.url).search]).toEqual(['POST', '?a=1&a=2&b=%20']);
    expect(request.headers.get('x-user-id')).toBe('alice');
    expect(await request.json()).toEqual({ name: 'Ü' });
  });

  it('with the bytes of a body in base64', async () => {
    const { event } = httpEvent('POST', '/', { body: Buffer.from('{"a":"ü"}').toString('base64') });
    const { request } = await seen({ ...event, isBase64Encoded: true });
    expect(await request.json()).toEqual({ a: 'ü' });
  });

  it('without the body of a GET, which no request can have', async () => {
    const { request } = await seen(httpEvent('GET', '/', { body: { a: 1 } }).event);
    expect(await request.text()).toBe('');
  });

  it.each(['CONNECT', 'TRACE', 'TRACK'])('of another method for %s, which no request can have', async (method) => {
    expect((await seen(httpEvent(method, '/').event)).request.method).toBe('OPTIONS');
  });

  it('whose path is told as it came, and whose query is not a part of it', async () => {
    for (const rawPath of ['/a?api_key=b', '/a#b', '/../a//b', '/%zz', '/\ud800', '//evil.example/']) {
      const { request, context } = await seen({ ...httpEvent('GET', '/').event, rawPath });
      expect(context.path).toBe(rawPath);
      expect([new URL(request.url).host, new URL(request.url).search]).toEqual(['localhost', '']);
    }
  });

  it('whose variables are not decoded again', async () => {
    const { context } = await seen({ ...httpEvent('GET', '/').event, pathParameters: { id: '%41%2541' } });
    expect(context.params).toEqual({ id: '%41%2541' });
  });

  it.each(['a\tb', 'a\nb', 'a#b'])('whose query keeps what a URL would drop: %j', async (value) => {
    const { request } = await seen({ ...httpEvent('GET', '/').event, rawQueryString: `x=${value}` });
    expect(new URL(request.url).searchParams.get('x')).toBe(value);
  });

  it('none of whose headers becomes ASCII that was not', async () => {
    for (const value of ['ü', 'жук', '\u{1f45f}', 'ａlice', 'alice\u0131']) {
      const { request } = await seen(httpEvent('GET', '/', { headers: { 'x-user-id': value } }).event);
      expect(request.headers.get('x-user-id')).not.toMatch(/^[\0-\x7f]*$/);
    }
  });

  it('without headers that are none', async () => {
    const headers = {
      'x-user-id': 'alice\nbob',
      'x-api-key': 'a\0',
      authorization: ' a',
      'not a name': 'b',
      host: 'a b<>',
      accept: '*/*',
    };
    const { request } = await seen(httpEvent('GET', '/', { headers }).event);
    expect(Object.fromEntries(request.headers)).toEqual({ accept: '*/*', host: 'a b<>' });
  });

  it('with the cookies that the gateway takes out of the headers', async () => {
    const event = { ...httpEvent('GET', '/').event, cookies: ['a=1', 'b=2'] };
    expect((await seen(event)).request.headers.get('cookie')).toBe('a=1; b=2');
  });

  it.each([
    ['a token by its subject', { jwt: { claims: { sub: 'auth0|alice' } } }, { jwt: 'auth0|alice' }],
    ['no token without a subject', { jwt: { claims: {} } }, {}],
    ['a role, whatever its session', { iam: { userId: 'AROAEXAMPLE:session-7' } }, { iam: 'AROAEXAMPLE' }],
    ['nobody without an authorizer', undefined, {}],
  ])('that tells whom the gateway has verified: %s', async (_, authorizer, verified) => {
    const { event } = httpEvent('GET', '/');
    const { context } = await seen({ ...event, requestContext: { ...event.requestContext, authorizer } } as never);
    expect(context.verified).toEqual(verified);
  });
});

describe('A response becomes the result that API Gateway wants', () => {
  it('as text, with its headers and its cookies apart', async () => {
    const response = new Response('{"a":"ü"}', { status: 201, headers: { 'content-type': 'application/json' } });
    response.headers.append('set-cookie', 'a=1');
    response.headers.append('set-cookie', 'b=2');
    expect(await answered(response)).toEqual({
      statusCode: 201,
      headers: { 'content-type': 'application/json' },
      cookies: ['a=1', 'b=2'],
      body: '{"a":"ü"}',
      isBase64Encoded: false,
    });
  });

  it.each([
    ['text/csv; charset=utf-8', false],
    ['application/problem+json', false],
    ['image/svg+xml', false],
    ['image/png', true],
    ['application/octet-stream', true],
  ])('in base64 where it is no text: %s', async (type, isBase64Encoded) => {
    const { body, ...result } = await answered(new Response('abc', { headers: { 'content-type': type } }));
    expect([result.isBase64Encoded, body]).toEqual([isBase64Encoded, isBase64Encoded ? 'YWJj' : 'abc']);
  });

  it('in base64 where it is compressed', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(await answered(new Response('abc', { headers }))).toMatchObject({ isBase64Encoded: true, body: 'YWJj' });
  });

  it('with an empty text where there is none', async () => {
    expect(await answered(new Response(null, { status: 204 }))).toMatchObject({ statusCode: 204, body: '' });
  });
});
