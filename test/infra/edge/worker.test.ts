import { request as httpRequest, type Server } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleEdge } from '../../../infra/edge/bundle.ts';
import { operations } from '../../../infra/edge/operations.ts';
import { createLocalBindings, startEdge } from '../../../infra/edge/runtime.ts';
import { createLocalEffects } from '../../../infra/local/effects.ts';
import { seedFixtures } from '../../../infra/local/fixtures.ts';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { type Stack, startStack } from '../../../infra/local/stack.ts';
import { findRoute } from '../../../shared/http/runtimes/route.ts';
import { addApiKey } from '../../../shared/keys/create-key.ts';
import { readConfig } from '../../../shared/platform/config.ts';
import { createLog } from '../../../shared/platform/log.ts';
import { getKeys } from '../../../shared/platform/values/typed.ts';
import { type HttpResponse, sendHttp } from '../../contract/exchange.ts';
import { badRequest, type HttpRequest, validRequest } from '../../contract/requests.ts';
import { type ContractRow, rows } from '../../contract/rows.ts';
import { findResponseFault } from '../../contract/send-requests.ts';
import { IS_WHOLE } from '../../run-size.ts';

/** workerd has no binary for some platforms. */
const missing = await import('miniflare').then(
  () => undefined,
  (error: Error) => error.message,
);
// @module-tag whole
const names = getKeys(operations);
const listed = rows.filter(({ name }) => names.some((one) => one === name));

describe.skipIf(missing)(`A Worker in front of the service${missing ? `: ${missing}` : ''}`, () => {
  const lines: string[] = [];
  const ends: (() => unknown)[] = [];
  let stack: Stack;
  let origin: Server;
  let originPort: number;
  let port: number;
  let bindings: ReturnType<typeof createLocalBindings>;
  let secret: string;

  beforeAll(async () => {
    await bundleEdge();
    const config = readConfig({ DATA_DIR: ':memory:', LOG_LEVEL: 'info' }, true);
    stack = await startStack(createLocalEffects(config, createLog('silent')));
    ends.push(() => stack.stop());
    await seedFixtures(stack.effects);
    ({ secret } = await addApiKey(stack.effects, 'publisher', { name: 'Edge', mode: 'live', bidFloor: 0 }));
    origin = createGateway(stack.apps);
    ends.push(
      () => origin.closeAllConnections(),
      () => origin.close(),
    );
    originPort = await listen(origin, 0);
    bindings = createLocalBindings(config, stack.client, originPort);
    port = await startWorker(bindings);
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  async function startWorker(bindings: Record<string, string>): Promise<number> {
    const edge = await startEdge({ bindings, write: (line) => lines.push(line) });
    ends.push(edge.stop);
    return Number(new URL(edge.url).port);
  }

  const get = (target: string, { headers, at = port }: { headers?: Record<string, string>; at?: number } = {}) =>
    sendHttp({ method: 'GET', target, headers: headers ?? { 'x-api-key': secret }, body: undefined }, at);
  const bid = async (content = 'Where do I buy a psaltery?'): Promise<{ bidId: string }> => {
    const body = JSON.stringify({ countryCode: 'US', messages: [{ role: 'user', content }] });
    const headers = { 'x-api-key': secret, 'content-type': 'application/json' };
    const { text } = await sendHttp({ method: 'POST', target: '/api/v1/ssp/bid', headers, body }, port);
    return JSON.parse(text);
  };
  const campaign = async (name: string, keyword = 'psaltery') => {
    const body = JSON.stringify({
      name,
      budget: 10,
      bidStrategy: 'manual',
      maxCpb: 4,
      status: 'active',
      targetAudience: { keywords: [keyword] },
      creative: { headline: 'Play on', landingUrl: 'https://strings.example/buy' },
    });
    const headers = { 'x-user-id': 'alice', 'content-type': 'application/json' };
    const created = await sendHttp({ method: 'POST', target: '/api/v1/campaigns', headers, body }, port);
    return { created, find: () => get(`/api/v1/campaigns/${JSON.parse(created.text).id}`, { headers }) };
  };

  /** A response without what legitimately differs: ids, times, and headers of the connection. */
  const comparable = ({ status, headers, text }: HttpResponse) => {
    const plain = (value: string) =>
      value
        .replaceAll(/[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}/g, '<id>')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
        .replaceAll(/"timingsMs":\{[^}]*\}/g, '<timings>');
    const ignored =
      /^(x-runtime|date|connection|keep-alive|content-length|transfer-encoding|ratelimit-re\w+|x-request-id)$/;
    const kept = Object.entries(headers).filter(([name]) => !ignored.test(name));
    return {
      status,
      headers: Object.fromEntries(kept.map(([name, value]) => [name, plain(value)])),
      text: plain(text),
    };
  };
  const both = async (wire: Omit<HttpRequest, 'row'>) => ({
    here: await sendHttp(wire, port),
    there: await sendHttp(wire, originPort),
  });

  it.each(listed.map((row): [string, ContractRow] => [row.name, row]))(
    'responds to a valid %s request as the region does',
    async (_, row) => {
      const { here, there } = await both(validRequest(row));
      expect(here.headers['x-runtime']).toBe('edge');
      expect(comparable(here)).toEqual(comparable(there));
      expect(here.status).toBeLessThan(400);
    },
  );

  it('forwards every other operation to the region, with its credentials', async () => {
    const { created, find } = await campaign('Forwarded');
    expect([created.status, created.headers['x-runtime']]).toEqual([201, undefined]);
    expect((await find()).status).toBe(200);
    expect(await bid()).toMatchObject({ bid: 4 });
    expect((await get('/api/v1/nothing')).headers['x-runtime']).toBeUndefined();
  });

  it('rejects what the region rejects, with the same body', async () => {
    const wires: Omit<HttpRequest, 'row' | 'body'>[] = [
      { method: 'GET', target: '/api/v1/ssp/ad/unknown', headers: { 'x-api-key': secret } },
      { method: 'GET', target: '/api/v1/ssp/ad/unknown', headers: {} },
      { method: 'POST', target: '/api/v1/ssp/ad/unknown', headers: { 'x-api-key': secret } },
      { method: 'HEAD', target: '/api/v1/ssp/ad/unknown', headers: { 'x-api-key': secret } },
      { method: 'PUT', target: '/api/v1/click/unknown', headers: {} },
      { method: 'GET', target: '/api/v1/click/%2e%2e%2fx', headers: {} },
      { method: 'GET', target: '/api/v1/ad-serving/click/unknown', headers: { authorization: 'Bearer nothing' } },
    ];
    for (const wire of wires) {
      const { here, there } = await both({ ...wire, body: undefined });
      expect(comparable(here), wire.target).toEqual(comparable(there));
      expect([401, 404, 405]).toContain(here.status);
    }
  });

  it('charges an ad once, and counts its click and its feedback once, whether the Worker or the region responds', async () => {
    const { find } = await campaign('Charged at the edge', 'hurdy-gurdy');
    const { bidId } = await bid('Where do I buy a hurdy-gurdy?');
    const ads = [await get(`/api/v1/ssp/ad/${bidId}`), await get(`/api/v1/ssp/ad/${bidId}`, { at: originPort })];
    expect(ads.map(({ status, headers }) => [status, headers['x-runtime']])).toEqual([
      [200, 'edge'],
      [200, undefined],
    ]);
    expect(JSON.parse(ads[0]!.text)).toEqual(JSON.parse(ads[1]!.text));
    const headers = { 'user-agent': 'Mozilla/5.0' };
    for (const at of [port, originPort, port]) {
      const click = await get(`/api/v1/click/${bidId}`, { headers, at });
      expect([click.status, click.headers.location]).toEqual([302, expect.stringMatching(/click_id=/)]);
    }
    const target = new URL(JSON.parse(ads[0]!.text).feedbackUrl).pathname;
    for (const at of [port, originPort]) {
      const report = await sendHttp({ method: 'POST', target, headers: {}, body: undefined }, at);
      expect([report.status, report.headers['x-runtime']]).toEqual([204, undefined]);
    }
    await stack.drain();
    const { spentBudget, performance } = JSON.parse((await find()).text);
    expect([spentBudget, performance]).toMatchObject([0.004, { impressions: 1, clicks: 1, notRelevant: 1 }]);
  });

  it('forwards chunked and oversized bodies unchanged', async () => {
    const send = (body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'x-user-id': 'alice', 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
        const path = '/api/v1/campaigns';
        const sent = httpRequest({ port, path, method: 'POST', headers, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.once('error', reject);
        sent.end(body);
      });
    expect(await send(JSON.stringify({ name: 'In chunks' }))).toBe(201);
    expect(await send(' '.repeat(2 ** 20 + 1))).toBe(413);
  });

  it('forwards no credential to a path that looks like another host', async () => {
    const { status, headers } = await get('//evil.example/api/v1/campaigns');
    expect([status, headers['x-request-id']]).toEqual([404, expect.any(String)]);
  });

  it('serves its own operations if the region is down, and returns 503 for all others', async () => {
    await campaign('Left alone');
    const { bidId } = await bid();
    const alone = await startWorker({ ...bindings, ORIGIN_URL: 'http://127.0.0.1:1' });
    expect((await get(`/api/v1/ssp/ad/${bidId}`, { at: alone })).status).toBe(200);
    expect((await get('/api/v1/health', { at: alone })).text).toBe('{"status":"ok"}');
    const refused = await get('/api/v1/campaigns', { at: alone, headers: { 'x-api-key': secret } });
    expect([refused.status, JSON.parse(refused.text), refused.headers['retry-after']]).toEqual([
      503,
      { error: 'Service unavailable', message: expect.any(String), statusCode: 503 },
      '1',
    ]);
    expect(refused.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });

  it('forwards its own operations to the region if its settings are invalid', async () => {
    const { TABLE_PREFIX: _, ...incomplete } = bindings;
    const wrong = await startWorker(incomplete);
    const { status, headers } = await get('/api/v1/health', { at: wrong });
    expect([status, headers['x-runtime']]).toEqual([200, undefined]);
    expect(lines.some((line) => line.includes('TABLE_PREFIX: must be set'))).toBe(true);
  });

  it('logs JSON without secrets or full IP addresses', () => {
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) JSON.parse(line);
    expect(lines.join('\n')).not.toMatch(/ak_live_\w{8}|local-secret|203\.0\.113\.7/);
  });

  it.runIf(IS_WHOLE)(
    'responds to invalid and unusual requests of its operations as the contract specifies',
    async () => {
      const own = ({ method, target }: HttpRequest) => {
        const name = findRoute(method, target.split('?')[0]!);
        return names.some((one) => one === name);
      };
      const sent = fc.sample(badRequest, { seed: 1, numRuns: 20_000 }).filter(own);
      expect(sent.length).toBeGreaterThan(500);
      for (const wire of sent) {
        const answer = await sendHttp(wire, port).catch((error: Error) => error);
        // The Workers runtime itself rejects requests that HTTP does not allow.
        if (answer instanceof Error || !answer.headers['x-runtime']) continue;
        expect(findResponseFault(wire, answer), `${wire.method} ${wire.target}`).toBeUndefined();
      }
    },
  );
});
