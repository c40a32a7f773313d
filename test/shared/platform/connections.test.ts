import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { localClient } from '../../../infra/local/dynamodb.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { openDatabase } from '../../../shared/platform/dynamodb.ts';
import { systemIds } from '../../../shared/platform/ids.ts';

/** A store that answers everything, until the connections that there are die: whoever uses one of them is told so at its request. */
const dead = new Set<Socket>();
const open = new Set<Socket>();
const seen = { requests: 0, onDead: 0 };
const server = createServer(async (request, response) => {
  seen.requests++;
  if (dead.has(request.socket)) {
    seen.onDead++;
    return void request.socket.resetAndDestroy();
  }
  await request.toArray();
  response.setHeader('content-type', 'application/x-amz-json-1.0').end('{"Item":{"id":{"S":"1"}}}');
});
server.on('connection', (socket) => {
  open.add(socket);
  socket.once('close', () => open.delete(socket));
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('An instance that wakes with all of its connections dead loses one request to them, and waits for nothing', async () => {
  const slept: number[] = [];
  // No attempt is late, however busy the machine is.
  const clock = { ...systemClock, sleep: async (ms: number) => void slept.push(ms), timer: () => () => {} };
  const client = localClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const db = openDatabase({ prefix: 'x-', clock, ids: systemIds, client });
  const read = () => db.get('bids', { id: '1' });
  await Promise.all(Array.from({ length: 8 }, read));
  expect(open.size).toBe(8);
  for (const socket of open) dead.add(socket);
  expect(await read()).toEqual({ id: '1' });
  expect(await read()).toEqual({ id: '1' });
  expect(slept).toEqual([]);
  expect(seen).toEqual({ requests: 11, onDead: 1 });
});

it('A call is prepared once for all calls of its kind', async () => {
  const client = localClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const db = openDatabase({ prefix: 'x-', clock: systemClock, ids: systemIds, client });
  const prepare = vi.spyOn(GetItemCommand.prototype, 'resolveMiddleware');
  for (let n = 0; n < 3; n++) await db.get('bids', { id: '1' });
  expect(prepare).toHaveBeenCalledTimes(1);
  prepare.mockRestore();
});
