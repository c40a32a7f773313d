import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { localClient } from '../../../infra/local/dynamodb.ts';
import { CLIENT_SETTINGS } from '../../../shared/platform/client-settings.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { openDatabase } from '../../../shared/platform/dynamodb.ts';
import { systemIds } from '../../../shared/platform/ids.ts';

/** A store that breaks off in the middle of its first answers, as many as it is told to. */
const store = { broken: 0, asked: 0 };
const server = createServer(async (request, response) => {
  await request.toArray();
  store.asked++;
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  if (store.asked > store.broken) return void response.end('{"Item":{"id":{"S":"1"}}}');
  response.setHeader('content-length', 25);
  response.write('{"Item":{"id"', () => request.socket.resetAndDestroy());
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
beforeEach(() => Object.assign(store, { broken: 0, asked: 0 }));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

// No attempt is late, however busy the machine is.
const clock = { ...systemClock, sleep: async () => {}, timer: () => () => {} };
const open = () => {
  const client = localClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return openDatabase({ prefix: 'x-', clock, ids: systemIds, client });
};

it.each(['eu-central-1', 'us-east-1', 'ap-southeast-5', 'us-gov-west-1', 'cn-north-1'])(
  'the store is found in %s where the rules of the SDK find it',
  async (Region) => {
    const asked = { Region, UseFIPS: false, UseDualStack: false };
    const { url } = new DynamoDBClient({ region: Region }).config.endpointProvider(asked);
    expect(CLIENT_SETTINGS.endpointProvider!(asked).url).toEqual(url);
  },
);

it('nothing of a home directory has a part in a call of the store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aws-'));
  const file = join(folder, 'config');
  writeFileSync(file, '[default]\nuse_fips_endpoint = true\nendpoint_url = http://127.0.0.1:9\n');
  vi.stubEnv('AWS_CONFIG_FILE', file);
  expect(await open().get('bids', { id: '1' })).toEqual({ id: '1' });
  rmSync(folder, { recursive: true });
});

it('an answer that breaks off in its middle is asked for again', async () => {
  store.broken = 2;
  expect(await open().get('bids', { id: '1' })).toEqual({ id: '1' });
  expect(store.asked).toBe(3);
});
