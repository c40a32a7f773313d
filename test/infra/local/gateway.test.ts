import { createServer, request as httpRequest, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartError } from '../../../infra/local/command.ts';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { useService } from '../../service.ts';

const service = useService();
let server: Server;
let port: number;

beforeAll(async () => {
  server = createGateway(service.stack.apps);
  port = await listen(server, 0);
});
afterAll(() => void server?.close());

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends a raw request, without normalizing the path. */
const send = (path: string, { method = 'GET', headers = {}, body }: Sent = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const request = httpRequest({ port, path, method, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() });
    });
    request.once('error', reject);
    request.end(body);
  });

describe('The gateway', () => {
  it('passes requests to the deployed handlers and returns their responses', async () => {
    const { status, text, headers } = await send('/api/v1/health');
    expect([status, text]).toEqual([200, '{"status":"ok"}']);
    expect(headers['content-length']).toBe('15');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('returns 404 for unknown paths, and 405 with Allow for unsupported methods', async () => {
    expect(JSON.parse((await send('/')).text)).toEqual({
      error: 'Not found',
      message: 'Route not found',
      statusCode: 404,
    });
    const { status, headers } = await send('/api/v1/campaigns/x', { method: 'PUT' });
    expect([status, headers.allow]).toEqual([405, 'GET, PATCH, DELETE']);
    expect((await send('/api/v1/ssp/ad/x', { method: 'POST' })).headers.allow).toBe('GET');
    expect((await send('/api/v1/campaigns', { method: 'HEAD' })).status).toBe(405);
    expect((await send('/api/v1/health/')).status).toBe(404);
  });

  it.each(['/api/v1/health', '/api/v1/trusted-match/health', '/api/v1/openapi.json'])(
    'responds to HEAD %s as to GET, without a body',
    async (path) => {
      const { status, text, headers } = await send(path, { method: 'HEAD' });
      expect([status, text, headers['content-type']]).toEqual([200, '', 'application/json']);
    },
  );

  it('responds to HEAD of a click as to GET, without a body or Content-Length', async () => {
    const key = await service.key();
    await service.campaign();
    const { bidId } = (await service.bid(key)).body;
    await service.ad(key, bidId);
    const { status, headers, text } = await send(`/api/v1/click/${bidId}`, { method: 'HEAD' });
    expect([status, text]).toEqual([302, '']);
    expect(headers.location).toMatch(/click_id=/);
    expect(headers['content-length']).toBeUndefined();
  });

  it.each([
    '/api/v1/campaigns/%2e%2e%2fx',
    '/api/v1/campaigns/%E0%A4%A',
    '/api/v1/click/%00',
    '/api/v1/ssp/ad/?x=%',
    '//',
    '/api/v1/click/%3Fa%23b',
  ])('never fails on the path %s', async (path) => {
    const { status } = await send(path, { headers: { 'x-user-id': 'alice' } });
    expect([401, 404]).toContain(status);
  });

  it('accepts binary bodies, and rejects bodies over 1 MiB', async () => {
    const headers = { 'x-user-id': 'alice', 'content-type': 'application/json' };
    const post = (body: Buffer | string, type = 'application/json') =>
      send('/api/v1/campaigns', { method: 'POST', headers: { ...headers, 'content-type': type }, body });
    expect((await post(Buffer.from([0xff, 0xfe, 0x00]))).status).toBe(400);
    expect((await post(Buffer.from([0xff, 0xfe, 0x00]), 'application/octet-stream')).status).toBe(415);
    expect((await post('['.repeat(500_000))).status).toBe(400);
    expect((await post(Buffer.alloc(1024 * 1024 + 1, ' '))).status).toBe(413);
    const refused = await post(Buffer.alloc(11 * 1024 * 1024, ' '));
    expect(refused.status).toBe(413);
    expect(refused.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect((await post(JSON.stringify({ name: 'Over the wire' }))).status).toBe(201);
  });

  it('accepts chunked bodies up to the same size', async () => {
    const headers = { 'x-user-id': 'alice', 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const post = (body: Buffer | string) => send('/api/v1/campaigns', { method: 'POST', headers, body });
    expect((await post(Buffer.alloc(1024 * 1024 + 1, ' '))).status).toBe(413);
    expect((await post(JSON.stringify({ name: 'In chunks' }))).status).toBe(201);
  });

  it('reports in one line that its host is not an address of this machine', async () => {
    const refused = listen(createServer(), 0, '203.0.113.7');
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(/^HOST=203\.0\.113\.7 cannot be used: .*$/);
  });

  it('reports in one line that its port is in use', async () => {
    const other = createServer();
    await expect(listen(other, port)).rejects.toThrow(new RegExp(`^PORT=${port} is in use: .*PORT=3001$`));
  });
});
