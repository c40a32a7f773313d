import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bundle, bundleFolder, type FunctionName, functionNames } from '../../infra/bundle.ts';
import { endpointNames } from '../../shared/endpoints.ts';

const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
let account: Metafile;

beforeAll(async () => {
  vi.stubEnv('TABLE_PREFIX', 'ads-test-');
  vi.stubEnv('BASE_URL', 'https://ads.example');
  vi.stubEnv('LOG_LEVEL', 'silent');
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  account = await bundle(outdir);
});
afterAll(() => rmSync(outdir, { recursive: true }));

// Node's own loader, as in the cloud, and not that of the test runner, which would take every bundle apart.
const load = (name: FunctionName) => createRequire(import.meta.url)(`${bundleFolder(name, outdir)}/index.mjs`);

const get = (path: string) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: path,
  rawQueryString: '',
  headers: { host: 'ads.example' },
  requestContext: {
    domainName: 'ads.example',
    requestId: 'request-1',
    http: { method: 'GET', path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
  },
  isBase64Encoded: false,
});

test.each(functionNames)('%s loads from its bundle, without network', (name) => {
  expect(load(name).handler).toBeTypeOf('function');
});

test('the bundle of health answers an event of API Gateway', async () => {
  const { handler } = load('health');
  expect(await handler(get('/api/v1/health'))).toMatchObject({ statusCode: 200, body: '{"status":"ok"}' });
});

test('the bundle for unmatched requests knows every path', async () => {
  const { handler } = load('unmatched');
  expect(await handler(get('/api/v1/campaigns'))).toMatchObject({ statusCode: 405 });
  expect(await handler(get('/nowhere'))).toMatchObject({ statusCode: 404 });
});

test.each(endpointNames)('%s carries no client of SQS', (name) => {
  const [, output] = Object.entries(account.outputs).find(([file]) => file.endsWith(`/${name}/index.mjs`))!;
  expect(Object.keys(output.inputs).filter((input) => input.includes('client-sqs'))).toEqual([]);
});
