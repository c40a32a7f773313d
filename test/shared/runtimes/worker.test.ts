import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../../shared/platform/log.ts';
import { readEdgeSettings } from '../../../shared/runtimes/edge-settings.ts';
import { passOn } from '../../../shared/runtimes/origin.ts';
import { createWorker } from '../../../shared/runtimes/worker.ts';
import { testClock } from '../../harness.ts';

const SET = {
  ORIGIN_URL: 'https://origin.example/',
  BASE_URL: 'https://ads.example',
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'very-secret',
};
const NOTHING = { waitUntil() {} };

it('The settings of a Worker come from its bindings', () => {
  const { originUrl, mostCampaigns, config } = readEdgeSettings({ ...SET, TABLE_PREFIX: 'ads-prod-', METRICS: {} });
  expect({ originUrl, mostCampaigns, prefix: config.tablePrefix }).toEqual({
    originUrl: 'https://origin.example',
    mostCampaigns: 30_000,
    prefix: 'ads-prod-',
  });
});

it.each([
  ['ORIGIN_URL', undefined, 'ORIGIN_URL: must be set'],
  ['ORIGIN_URL', 'ftp://origin.example', 'ORIGIN_URL: must be an address such as https://ads.example'],
  ['ORIGIN_URL', 'https://u:p@origin.example', 'ORIGIN_URL: must be an address such as https://ads.example'],
  ['ORIGIN_URL', 'https://origin.example/stage', 'ORIGIN_URL: must be an address such as https://ads.example'],
  ['BASE_URL', '', 'BASE_URL: must be set'],
  ['AWS_REGION', undefined, 'AWS_REGION: must be set'],
  ['AWS_SECRET_ACCESS_KEY', undefined, 'AWS_SECRET_ACCESS_KEY: must be set'],
  ['EDGE_MOST_CAMPAIGNS', '-1', 'EDGE_MOST_CAMPAIGNS: must be a whole number, 0 or more'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL=loud: must be debug, info, warn, error or silent'],
])('A Worker with %s=%s refuses for now, and logs what is wrong without a secret', async (name, value, rule) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const answer = await createWorker({}).fetch(new Request('https://a/'), { ...SET, [name]: value }, NOTHING);
  const lines = logged.mock.calls.map(([line]) => String(line));
  logged.mockRestore();
  expect([answer.status, answer.headers.get('x-runtime')]).toEqual([503, 'edge']);
  expect(await answer.json()).toMatchObject({ statusCode: 503, error: 'Service unavailable' });
  expect(lines.join()).toContain(rule);
  expect(lines.join()).not.toContain('very-secret');
});

describe('An origin', () => {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/gone') request.socket.destroy();
    else if (request.url === '/begun') response.write('the beginning');
    held.push(response);
  });
  const lines: string[] = [];
  const clock = testClock();
  const origin = { url: '', clock, log: createLog('info', (line) => lines.push(line)) };
  const ask = (path: string) => passOn(new Request(`http://edge${path}`), origin, 1_000);
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
