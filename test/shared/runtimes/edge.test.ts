import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { edgeNames } from '../../../infra/edge/operations.ts';
import type { HttpHandler } from '../../../shared/http/operation.ts';
import { endpointRow } from '../../../shared/operations/endpoints.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { createLog } from '../../../shared/platform/log.ts';
import { createEdge } from '../../../shared/runtimes/edge.ts';
import { readEdgeSettings, readOriginUrl } from '../../../shared/runtimes/edge-settings.ts';
import { passOn } from '../../../shared/runtimes/origin.ts';
import { expectRefusal } from '../../contract/rows.ts';
import { testClock } from '../../harness.ts';

const SET = {
  ORIGIN_URL: 'https://origin.example/',
  BASE_URL: 'https://ads.example',
  AWS_REGION: 'eu-west-1',
  TABLE_PREFIX: 'ads-prod-',
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'very-secret',
};
const NOTHING = { waitUntil() {} };

it('The settings of a Worker come from its bindings', () => {
  const { mostCampaigns, config } = readEdgeSettings({ ...SET, METRICS: {} });
  expect({ mostCampaigns, prefix: config.tablePrefix }).toEqual({ mostCampaigns: 30_000, prefix: 'ads-prod-' });
  expect(readOriginUrl(SET)).toBe('https://origin.example');
});

it('The settings of a Worker may be numbers of JSON', () => {
  const { mostCampaigns, config } = readEdgeSettings({ ...SET, EDGE_MOST_CAMPAIGNS: 0, BID_TTL_SECONDS: 60 });
  expect([mostCampaigns, config.bidTtlMs]).toEqual([0, 60_000]);
});

it.each([
  ['ORIGIN_URL', undefined, 'ORIGIN_URL: must be set'],
  ['ORIGIN_URL', 'ftp://origin.example', 'ORIGIN_URL: must be an address such as https://ads.example'],
  ['ORIGIN_URL', 'https://u:p@origin.example', 'ORIGIN_URL: must be an address such as https://ads.example'],
  ['ORIGIN_URL', 'https://origin.example/stage', 'ORIGIN_URL: must be an address such as https://ads.example'],
  ['ORIGIN_URL', 'https://', 'ORIGIN_URL: must be an address such as https://ads.example'],
  [
    'ORIGIN_URL',
    'https://ADS.example:443',
    'ORIGIN_URL: must be another address than BASE_URL, where the Worker itself answers',
  ],
])('A Worker with %s=%s refuses for now, and logs what is wrong', async (name, value, rule) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const answer = await createEdge({}).fetch(
    new Request('https://a/api/v1/campaigns'),
    { ...SET, [name]: value },
    NOTHING,
  );
  const lines = logged.mock.calls.map(([line]) => String(line));
  logged.mockRestore();
  expect([answer.status, answer.headers.get('x-runtime')]).toEqual([503, 'edge']);
  const { status } = answer;
  const text = await answer.text();
  const headers = Object.fromEntries(answer.headers);
  expectRefusal({ area: 'management' }, { status, headers, text, body: JSON.parse(text) }, 503);
  expect(lines.join()).toContain(rule);
});

it.each([
  ['BASE_URL', '', 'BASE_URL: must be set'],
  ['AWS_REGION', undefined, 'AWS_REGION: must be set'],
  ['AWS_REGION', 'eu west', 'AWS_REGION: has a character'],
  ['AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE\n', 'AWS_ACCESS_KEY_ID: has a character'],
  ['AWS_ENDPOINT_URL_DYNAMODB', 'nowhere', 'ENDPOINT'],
  ['TABLE_PREFIX', undefined, 'TABLE_PREFIX: must be set'],
  ['EDGE_MOST_CAMPAIGNS', ' ', 'EDGE_MOST_CAMPAIGNS: must be a whole number, 0 or more'],
  ['AWS_SECRET_ACCESS_KEY', undefined, 'AWS_SECRET_ACCESS_KEY: must be set'],
  ['EDGE_MOST_CAMPAIGNS', '-1', 'EDGE_MOST_CAMPAIGNS: must be a whole number, 0 or more'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL=loud: must be debug, info, warn, error or silent'],
])(
  'A Worker with %s=%s leaves everything to its origin, and logs what is wrong without a secret',
  async (name, value, rule) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const passed = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('from there'));
    const worker = createEdge({ health: () => async () => ({ status: 200, headers: {}, body: 'from here' }) });
    for (const path of ['/api/v1/health', '/api/v1/campaigns']) {
      const answer = await worker.fetch(new Request(`https://a${path}`), { ...SET, [name]: value }, NOTHING);
      expect([await answer.text(), answer.headers.get('x-runtime')]).toEqual(['from there', null]);
    }
    const lines = logged.mock.calls.map(([line]) => String(line));
    passed.mockRestore();
    logged.mockRestore();
    expect(lines.join()).toContain(rule);
    expect(lines.join()).not.toContain('very-secret');
  },
);

const JUDGED = { JUDGE: 'openai', JUDGE_MODEL: 'm', JUDGE_URL: 'https://judge.example' };

it.each([
  ['ssp/bid', '/api/v1/ssp/bid', {}, 450, 450, {}],
  ['openrtb2/bid', '/api/v1/openrtb2/bid', { tmax: 120 }, 50, 50, {}],
  ['ssp/bid', '/api/v1/ssp/bid', {}, 900, 900, JUDGED],
  // Which asks for no second opinion.
  ['openrtb2/bid', '/api/v1/openrtb2/bid', { tmax: 120 }, 50, 50, JUDGED],
] as const)(
  'An origin that hangs has half of the time of %s, and the own answer the rest; all of it where only the origin has a judge, and the operation says what is late',
  async (name, path, body, limitMs, agoMs, more) => {
    const limits: number[] = [];
    const now = vi.spyOn(systemClock, 'now').mockReturnValue(1_000_000);
    const timer = vi.spyOn(systemClock, 'timer').mockImplementation((ms, call) => {
      limits.push(ms);
      now.mockReturnValue(systemClock.now() + ms);
      call();
      return () => {};
    });
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const text = JSON.stringify(body);
    const headers = { 'content-length': String(text.length) };
    const request = new Request(`https://a${path}`, { method: 'POST', body: text, headers });
    const own: HttpHandler = async (_, { startedAt }) => ({
      status: 200,
      headers: {},
      body: JSON.stringify({ startedAt }),
    });
    const bindings = { ...SET, EDGE_MOST_CAMPAIGNS: '0', ...more };
    const answer = await createEdge({ [name]: () => own }).fetch(request, bindings, NOTHING);
    const ended = systemClock.now();
    for (const spy of [now, timer, warned]) spy.mockRestore();
    expect(limits).toEqual([limitMs]);
    expect(await answer.json()).toEqual({ startedAt: ended - agoMs });
  },
);

it.each([
  ['ssp/bid', JUDGED, { 'ratelimit-limit': '15' }],
  ['legacy/request', JUDGED, { link: '<https://ads.example/api/v1/ssp/bid>; rel="successor-version"' }],
  ['campaigns/create', {}, { 'ratelimit-limit': '100' }],
  ['legacy/request', { AWS_REGION: '' }, { link: '<https://a/api/v1/ssp/bid>; rel="successor-version"' }],
  ['openrtb2/bid', { AWS_REGION: '' }, { 'x-openrtb-version': '2.6', 'ratelimit-limit': '200' }],
  ['trusted-match/context', { AWS_REGION: '' }, {}],
  ['trusted-match/context', { ORIGIN_URL: '' }, {}],
] as const)(
  'A refusal in the place of %s carries what its own answers carry, with %j and no origin',
  async (name, more, headers) => {
    const lines: string[] = [];
    const logged = (['warn', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line) => lines.push(line)),
    );
    const gone = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('gone'));
    const { area, path, methods } = endpointRow(name);
    const request = new Request(`https://a${path}`, { method: methods[0], body: '{"request_id":"tm-7"}' });
    const own: HttpHandler = async () => ({ status: 200, headers: {}, body: '' });
    const operations = edgeNames.includes(name) ? { [name]: () => own } : {};
    const answer = await createEdge(operations).fetch(request, { ...SET, ...more }, NOTHING);
    for (const spy of [...logged, gone]) spy.mockRestore();
    const text = await answer.text();
    const sent = { status: answer.status, headers: Object.fromEntries(answer.headers), text, body: JSON.parse(text) };
    expectRefusal({ area }, sent, 503);
    expect(sent.headers).toMatchObject({ ...headers, 'retry-after': '1', 'x-runtime': 'edge' });
    if (area === 'trusted-match') expect(sent.body).toMatchObject({ request_id: 'tm-7', code: 'provider_unavailable' });
    expect(lines.map((line) => JSON.parse(line).requestId)).toContain(sent.headers['x-request-id']);
  },
);

it('Of a body that is too large a Worker without its settings passes on as much as is refused, and says no other length', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const passed = vi.spyOn(globalThis, 'fetch').mockImplementation(async (sent) => {
    const { headers } = sent as Request;
    const { length } = await (sent as Request).text();
    return Response.json([length > 2 ** 20, headers.get('content-length') ?? 'none']);
  });
  const own: HttpHandler = async () => ({ status: 200, headers: {}, body: '' });
  const worker = createEdge({ 'ssp/bid': () => own });
  const ask = async (body: string) => {
    const init = { method: 'POST', body, headers: { 'content-length': String(body.length) } };
    const request = new Request('https://a/api/v1/ssp/bid', init);
    return (await worker.fetch(request, { ...SET, AWS_REGION: '' }, NOTHING)).json();
  };
  const told = [await ask('{}'), await ask('x'.repeat(3 * 2 ** 20))];
  for (const spy of [logged, passed]) spy.mockRestore();
  expect(told).toEqual([
    [false, '2'],
    [true, 'none'],
  ]);
});

it.each([
  ['PUT', '/api/v1/ad-serving/request', 'legacy'],
  ['GET', '/api/v1/ad-serving/nothing', 'legacy'],
  ['GET', '/api/v1/ssp/nothing', 'ssp'],
] as const)(
  'Without an origin %s %s, which no operation answers, is refused in the words of %s',
  async (method, path, area) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const gone = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('gone'));
    const answer = await createEdge({}).fetch(new Request(`https://a${path}`, { method }), SET, NOTHING);
    for (const spy of [warned, gone]) spy.mockRestore();
    const text = await answer.text();
    const headers = Object.fromEntries(answer.headers);
    expectRefusal({ area }, { status: answer.status, headers, text, body: JSON.parse(text) }, 503);
  },
);

it('A caller who hangs up within the body is no error', async () => {
  const logged = (['info', 'error'] as const).map((level) => vi.spyOn(console, level).mockImplementation(() => {}));
  const body = new ReadableStream({ start: (given) => given.error(new Error('gone')) });
  const request = new Request('https://a/api/v1/ssp/bid', { method: 'POST', body, duplex: 'half' } as RequestInit);
  const own: HttpHandler = async () => ({ status: 200, headers: {}, body: '' });
  const { status } = await createEdge({ 'ssp/bid': () => own }).fetch(request, SET, NOTHING);
  const lines = logged.map(({ mock }) => mock.calls.length);
  for (const spy of logged) spy.mockRestore();
  expect([status, lines]).toEqual([503, [1, 0]]);
});

describe('An origin', () => {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/gone') request.socket.destroy();
    else if (request.url === '/begun') response.write('the beginning');
    else if (request.url === '/error') response.writeHead(522).end('<html>');
    else if (request.url === '/own-error')
      response.writeHead(503, { 'x-request-id': '1', 'retry-after': '1' }).end('{}');
    else if (request.url === '/no-ads') response.writeHead(503, { 'x-request-id': '1' }).end('{}');
    held.push(response);
  });
  const lines: string[] = [];
  const clock = testClock();
  const origin = { url: '', clock, log: createLog('info', (line) => lines.push(line)) };
  const ask = (path: string) =>
    passOn(new Request(`http://edge${path}`), origin, { requestId: '1', limitMs: 1_000, isReplaced: true });
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    origin.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it('that has begun to answer is heard to the end, however late that is', async () => {
    const answer = await ask('/begun');
    clock.advance(2_000);
    held.at(-1)!.end(' and the end');
    expect(await answer!.text()).toBe('the beginning and the end');
  });

  it('is believed when the service itself refuses, unless another can answer in its place; what stands before it never is', async () => {
    const silent = { ...origin, log: createLog('silent') };
    const status = async (path: string, isReplaced?: boolean) =>
      (await passOn(new Request(`http://edge${path}`), silent, { requestId: '1', limitMs: 1_000, isReplaced }))?.status;
    expect(await Promise.all([status('/own-error'), status('/error')])).toEqual([503, undefined]);
    expect(await Promise.all([status('/own-error', true), status('/error', true)])).toEqual([undefined, undefined]);
    expect(await Promise.all([status('/no-ads'), status('/no-ads', true)])).toEqual([503, 503]); // which is an answer
  });

  it('that is gone, or late, is logged', async () => {
    expect(await ask('/gone')).toBeUndefined();
    const late = ask('/late');
    clock.advance(1_000);
    expect(await late).toBeUndefined();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', message: 'the origin does not answer', cause: expect.any(String) },
      { level: 'warn', message: 'the origin does not answer', cause: 'Error: no answer within 1000 ms', ms: 1_000 },
    ]);
  });
});
