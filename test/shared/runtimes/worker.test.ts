import { expect, it, vi } from 'vitest';
import { readEdgeSettings } from '../../../shared/runtimes/edge-settings.ts';
import { createWorker } from '../../../shared/runtimes/worker.ts';

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
