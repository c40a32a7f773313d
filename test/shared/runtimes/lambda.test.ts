import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResponse, RequestContext } from '../../../shared/http/operation.ts';
import { lambdaHandler } from '../../../shared/runtimes/lambda.ts';
import { httpEvent } from '../../harness.ts';

/** What an operation sees of an event. */
async function seen(event: APIGatewayProxyEventV2) {
  let result: { request: HttpRequest; context: RequestContext } | undefined;
  await lambdaHandler(async (request, context) => {
    result = { request, context };
    return { status: 204, headers: {}, body: null };
  })(event);
  return result!;
}

const bodyOf = async (request: HttpRequest) => Buffer.from(await request.bytes()).toString();

describe('An event of API Gateway becomes a request', () => {
  it('with its method, query, headers and body', async () => {
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

  it('with the bytes of a body in base64', async () => {
    const { event } = httpEvent('POST', '/', { body: Buffer.from('{"a":"ü"}').toString('base64') });
    const { request } = await seen({ ...event, isBase64Encoded: true });
    expect(await bodyOf(request)).toBe('{"a":"ü"}');
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

  it.each(['alice\nbob', 'a\0', ' a', 'a\t', '\r'])('without headers that are none: %j', async (value) => {
    const { request } = await seen(httpEvent('GET', '/', { headers: { 'x-user-id': value, accept: '*/*' } }).event);
    expect([request.headers.get('x-user-id'), request.headers.get('accept')]).toEqual([null, '*/*']);
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

describe('An answer becomes the result that API Gateway wants', () => {
  const answered = (response: HttpResponse) => lambdaHandler(async () => response)(httpEvent('GET', '/').event);

  it('with its status, its headers and its text', async () => {
    const headers = { 'content-type': 'application/json' };
    const result = { statusCode: 201, headers, body: '{"a":"ü"}', isBase64Encoded: false };
    expect(await answered({ status: 201, headers, body: '{"a":"ü"}' })).toEqual(result);
  });

  it('with an empty text where there is none', async () => {
    expect(await answered({ status: 204, headers: {}, body: null })).toMatchObject({ statusCode: 204, body: '' });
  });
});
