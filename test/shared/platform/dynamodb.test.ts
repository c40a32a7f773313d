import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLocalClient } from '../../../infra/local/dynamodb.ts';
import type { Write } from '../../../shared/platform/database.ts';
import { openDatabase } from '../../../shared/platform/dynamodb.ts';
import { systemIds } from '../../../shared/platform/ids.ts';
import { systemClock } from '../../../shared/platform/system-clock.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { createTestClock, useService } from '../../service.ts';

/** A store on this machine. A test says what it does with a request. */
type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;
const found: Answer = (_, response) =>
  response.setHeader('content-type', 'application/x-amz-json-1.0').end('{"Item":{"id":{"S":"1"}}}');
let answer = found;
let requests = 0;
const open = new Set<Socket>();
const server = createServer(async (request, response) => {
  requests++;
  await request.toArray();
  answer(request, response);
});
server.on('connection', (socket) => {
  open.add(socket);
  socket.once('close', () => open.delete(socket));
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
beforeEach(() => {
  server.closeAllConnections();
  answer = found;
  requests = 0;
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A clock that stands still, so that nothing times out on a busy machine and pauses take no time. */
function patientClock() {
  const slept: number[] = [];
  const late: (() => void)[] = [];
  const clock = {
    ...systemClock,
    sleep: async (ms: number) => void slept.push(ms),
    timer(_: number, call: () => void) {
      late.push(call);
      return () => void late.splice(late.indexOf(call), 1);
    },
  };
  /** The time of all attempts is up. */
  const expire = () => {
    for (const call of late.splice(0)) call();
  };
  return { clock, slept, expire };
}

const addressOfServer = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const openAt = (clock: typeof systemClock, client: DynamoDBClientConfig = createLocalClient(addressOfServer())) =>
  openDatabase({ prefix: 'x-', clock, ids: systemIds, client });

describe('An instance that wakes with all its connections dead', () => {
  /** Uses eight connections at once. From then on, they are dead: requests on them get `fate`, and those on new connections an answer. */
  async function wakeWithDeadConnections(db: ReturnType<typeof openAt>, fate: (socket: Socket) => void) {
    await Promise.all(Array.from({ length: 8 }, () => db.get('bids', { id: '1' })));
    expect(open.size).toBe(8);
    const dead = new Set(open);
    const seen = { onDead: 0 };
    answer = (request, response) => {
      if (!dead.has(request.socket)) return found(request, response);
      seen.onDead++;
      fate(request.socket);
    };
    requests = 0;
    return seen;
  }

  it('loses one request to them and retries at once', async () => {
    const { clock, slept } = patientClock();
    const db = openAt(clock);
    const seen = await wakeWithDeadConnections(db, (socket) => socket.resetAndDestroy());
    expect(await db.get('bids', { id: '1' })).toEqual({ id: '1' });
    expect(await db.get('bids', { id: '1' })).toEqual({ id: '1' });
    expect(slept).toEqual([]);
    expect([requests, seen.onDead]).toEqual([3, 1]);
  });

  it('loses one attempt to them if they never answer', async () => {
    const { clock, slept, expire } = patientClock();
    const db = openAt(clock);
    const seen = await wakeWithDeadConnections(db, expire);
    expect(await db.get('bids', { id: '1' })).toEqual({ id: '1' });
    expect(slept).toEqual([]);
    expect([requests, seen.onDead]).toEqual([2, 1]);
  });
});

it.each([
  ['900 ms', 300],
  ['2,800 ms', 700],
])(
  'A connection that takes longer to open than one attempt is opened within a deadline of %s',
  async (deadline, msToOpen) => {
    const clock = createTestClock();
    const started = clock.now();
    let attempts = 0;
    // As with a real connection, an abort while it opens is the end of it.
    const handle = (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        attempts++;
        const body = Buffer.from('{"Item":{"id":{"S":"1"}}}');
        const cancel = clock.timer(msToOpen, () => resolve({ response: { statusCode: 200, headers: {}, body } }));
        abortSignal.addEventListener('abort', () => {
          cancel();
          reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
        });
      });
    const requestHandler = { handle } as DynamoDBClientConfig['requestHandler'];
    const db = openAt(clock, { ...createLocalClient('http://store.test'), requestHandler });
    let item: unknown;
    const ms = Number.parseInt(deadline.replace(',', ''), 10);
    const read = clock.within(started + ms, () => db.get('bids', { id: '1' })).then((given) => (item = given));
    while (!item && clock.now() < started + ms) {
      for (let tick = 0; tick < 5; tick++) await setImmediate();
      clock.advance(5);
    }
    await read;
    expect(item).toEqual({ id: '1' });
    expect(attempts).toBe(2);
  },
);

it('An attempt without an answer is aborted before the next one begins, and the last one at the deadline', async () => {
  const clock = createTestClock();
  const signals: AbortSignal[] = [];
  const handle = (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) => {
    signals.push(abortSignal);
    return new Promise<never>(() => {});
  };
  const requestHandler = { handle } as DynamoDBClientConfig['requestHandler'];
  const db = openAt(clock, { ...createLocalClient('http://store.test'), requestHandler });
  const aborted = () => signals.map((signal) => signal.aborted);
  const deadline = clock.now() + 900;
  let isOver = false;
  const late = expect(clock.within(deadline, () => db.get('bids', { id: '1' })))
    .rejects.toThrow(Unavailable)
    .then(() => (isOver = true));
  while (signals.length < 1) await setImmediate();
  clock.advance(224);
  expect(aborted()).toEqual([false]);
  clock.advance(1);
  while (signals.length < 2) await setImmediate();
  expect(aborted()).toEqual([true, false]);
  for (; !isOver; await setImmediate()) clock.advance(1);
  await late;
  expect(clock.now()).toBeLessThanOrEqual(deadline);
  expect(aborted().length).toBeGreaterThan(2);
  expect(aborted()).not.toContain(false);
});

it('A response that breaks off is requested again', async () => {
  answer = (request, response) => {
    if (requests > 2) return found(request, response);
    response.setHeader('content-type', 'application/x-amz-json-1.0').setHeader('content-length', 25);
    response.write('{"Item":{"id"', () => request.socket.resetAndDestroy());
  };
  expect(await openAt(patientClock().clock).get('bids', { id: '1' })).toEqual({ id: '1' });
  expect(requests).toBe(3);
});

describe('What answers in place of the store', () => {
  it.each([
    [502, '<html>'],
    [200, '<html>'],
    [200, '{"Item":'],
  ])('is asked again where that may help: %d %s', async (status, body) => {
    answer = (request, response) => {
      if (requests > 2) return found(request, response);
      response.writeHead(status).end(body);
    };
    expect(await openAt(patientClock().clock).get('bids', { id: '1' })).toEqual({ id: '1' });
    expect(requests).toBe(3);
  });

  it.each([
    [400, '{"__type":"com.amazon.coral.service#UnrecognizedClientException","message":"invalid"}', 'access key'],
    [400, '{"__type":"com.amazon.coral.service#InvalidSignatureException","message":"a\\nb"}', 'access key'],
    [400, '{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"denied"}', 'grant'],
    [400, '{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"none"}', 'no such table'],
    [403, '<html>', 'another server'],
    [307, '', 'another server'],
  ])('is asked once if an operator has to act, and the error says why: %d %s', async (status, body, advice) => {
    answer = (_, response) => response.writeHead(status, status === 307 ? { location: '/elsewhere' } : {}).end(body);
    const error = await openAt(patientClock().clock)
      .get('bids', { id: '1' })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toContain(advice);
    expect(String(error.cause)).not.toContain('\n');
    expect(requests).toBe(1);
  });

  it('gets only one request if the request itself is wrong', async () => {
    answer = (_, response) =>
      response.writeHead(400).end('{"__type":"com.amazon.coral.validate#ValidationException","message":"wrong"}');
    const read = openAt(patientClock().clock).get('bids', { id: '1' });
    await expect(read).rejects.toMatchObject({ name: 'ValidationException' });
    expect(requests).toBe(1);
  });
});

it('A profile in the home directory does not lead away from the store on this machine', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aws-'));
  const file = join(folder, 'config');
  writeFileSync(file, '[default]\nuse_fips_endpoint = true\nendpoint_url = http://127.0.0.1:9\n');
  vi.stubEnv('AWS_CONFIG_FILE', file);
  expect(await openAt(patientClock().clock).get('bids', { id: '1' })).toEqual({ id: '1' });
  rmSync(folder, { recursive: true });
});

describe('Two requests to the store of a region, whose first answer says that it is another time', () => {
  async function requestsTo(region: string, client: { endpoint?: string } = {}) {
    const sent: { hostname: string; headers: Record<string, string> }[] = [];
    const requestHandler = {
      metadata: { handlerProtocol: 'http/1.1' },
      async handle({ hostname, headers }: (typeof sent)[number]) {
        sent.push({ hostname, headers: { ...headers } });
        const said = { 'content-type': 'application/x-amz-json-1.0', date: 'Mon, 23 Nov 2020 12:00:00 GMT' };
        return { response: { statusCode: 200, headers: said, body: Buffer.from('{}') } };
      },
      updateHttpClientConfig() {},
      httpHandlerConfigs: () => ({}),
    };
    const credentials = { accessKeyId: 'AKIA1', secretAccessKey: 'one' };
    const db = openAt(systemClock, { ...client, region, credentials, requestHandler });
    await db.get('bids', { id: 'one' });
    await db.get('bids', { id: 'two' });
    return sent;
  }

  it.each([
    ['eu-central-1', undefined, 'dynamodb.eu-central-1.amazonaws.com'],
    ['cn-north-1', undefined, 'dynamodb.cn-north-1.amazonaws.com.cn'],
    ['eu-central-1', 'http://127.0.0.1:8000', '127.0.0.1'],
  ])('are signed for DynamoDB in that region: %s %s', async (region, endpoint, host) => {
    for (const { hostname, headers } of await requestsTo(region, { endpoint })) {
      expect(hostname).toBe(host);
      expect(headers.authorization).toContain(`/${region}/dynamodb/aws4_request,`);
    }
  });

  it('are signed at the time they are made: an answer may have waited in a frozen instance', async () => {
    const years = (await requestsTo('eu-central-1')).map(({ headers }) => headers['x-amz-date']?.slice(0, 4));
    expect(years).toEqual([expect.not.stringMatching('2020'), expect.not.stringMatching('2020')]);
  });
});

describe('An item', () => {
  const service = useService();
  const key = { campaignId: 'c', row: 'values' };
  const putOf = (item: object, when?: string) => ({ table: 'ledgers', put: { ...key, ...item }, when }) as Write;

  it('comes back as it was put, without what is undefined, from reads and from failed conditions', async () => {
    const { db } = service.stack.effects;
    const item = { bytes: new Uint8Array([0, 255, 7]), list: [1, { a: null }], B: { B: { S: 'no bytes' } } };
    await db.write(putOf({ ...item, top: undefined, deep: { gone: undefined, list: [undefined] } }));
    const expected = { ...key, ...item, deep: { list: [] } };
    expect(await db.get('ledgers', key)).toEqual(expected);
    const refused = putOf({}, 'attribute_not_exists(#row)');
    expect(await db.write(refused)).toEqual({ ok: false, old: expected });
    expect(await db.transact([refused])).toEqual({ ok: false, refused: [{ old: expected }] });
  });

  it.each([
    ['an empty set', new Set()],
    ['a number that loses digits', 2 ** 53],
    ['no number', Number.NaN],
  ])('with %s is refused before it is sent, alone and in a transaction', async (_, value) => {
    const { db } = service.stack.effects;
    await expect(db.write(putOf({ value }))).rejects.toThrow();
    await expect(db.transact([putOf({ value })])).rejects.toThrow();
  });
});
