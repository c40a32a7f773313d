import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { loadEndpoint } from '../../infra/local/functions.ts';
import { lambdaHandler } from '../../shared/http/runtimes/lambda.ts';
import { readConfig } from '../../shared/platform/config.ts';
import type { Write } from '../../shared/platform/database.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { createLog } from '../../shared/platform/log.ts';
import { noMetrics } from '../../shared/platform/metrics.ts';
import { Unavailable, WrongSetup } from '../../shared/platform/unavailable.ts';
import { createTestClock, createTestIds, httpEvent, testResolve } from '../service.ts';

const service = mockClient(DynamoDBDocumentClient);
afterAll(() => service.restore());
const clock = createTestClock();
const db = openDatabase({ prefix: 'x-', clock, ids: createTestIds('faults', clock.now), client: { region: 'local' } });
const put = { table: 'bids', put: { id: '1' } } as Write<'bids'>;
const update: Write = { table: 'bids', key: { id: '1' }, update: 'SET #a = :a', values: { a: 1 } };

/** Errors of DynamoDB itself, which the stand-in cannot produce. */
const fault = (name: string, more: object = {}) =>
  Object.assign(new Error(name), { name, $fault: 'client', $metadata: {} }, more);
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({
      Code,
      Item: Code === 'ConditionalCheckFailed' ? { id: { S: 'old' } } : undefined,
    })),
  });

const transients: [string, Error][] = [
  ['throttling', fault('ThrottlingException')],
  ['too much throughput', fault('ProvisionedThroughputExceededException')],
  ['a fault of the service', fault('InternalServerError', { $fault: 'server' })],
  ["a proxy's 502", fault('Unknown', { $metadata: { httpStatusCode: 502 } })],
  ['a refused connection', fault('Error', { code: 'ECONNREFUSED' })],
  ['a reset connection', fault('TimeoutError', { code: 'ECONNRESET' })],
  ['a timeout', fault('TimeoutError')],
  ['a lost connection outside of Node', fault('Error', { retryable: true })],
  ['a conflict', fault('TransactionConflictException')],
];

const settle = async () => {
  for (let tick = 0; tick < 5; tick++) await setImmediate();
};

beforeEach(() => {
  service.reset();
  service.on(UpdateCommand).resolves({ Attributes: { count: 1, endsAt: Number.MAX_SAFE_INTEGER } }); // the rate limiter has room
});

describe('The database', () => {
  it('retries a conflict between transactions with growing pauses', async () => {
    service
      .on(TransactWriteCommand)
      .rejectsOnce(cancelled('TransactionConflict', 'None'))
      .rejectsOnce(cancelled('None', 'TransactionConflict'))
      .resolves({});
    const before = clock.now();
    expect(await db.transact([put, update])).toEqual({ ok: true });
    expect(service.commandCalls(TransactWriteCommand)).toHaveLength(3);
    expect(clock.now()).toBeGreaterThan(before);
  });

  it('reports a conflict at once if requested', async () => {
    service.on(TransactWriteCommand).rejects(cancelled('None', 'TransactionConflict'));
    expect(await db.transact([put, update], 'report')).toEqual({ ok: false, refused: [], isConflict: true });
    expect(service.commandCalls(TransactWriteCommand)).toHaveLength(1);
  });

  it('retries a single write that conflicts with a transaction', async () => {
    service
      .on(UpdateCommand)
      .rejectsOnce(fault('TransactionConflictException'))
      .resolves({ Attributes: { id: '1' } });
    expect(await db.write(update, 'new')).toEqual({ ok: true, item: { id: '1' } });
  });

  it.each(transients)('retries %s', async (_, error) => {
    service.on(PutCommand).rejectsOnce(error).rejectsOnce(error).resolves({});
    expect(await db.write(put)).toEqual({ ok: true, item: undefined });
  });

  it('retries a throttled transaction with the same token, so it happens once', async () => {
    service.on(TransactWriteCommand).rejectsOnce(cancelled('ThrottlingError', 'None')).resolves({});
    expect(await db.transact([put, update])).toEqual({ ok: true });
    const tokens = service.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.ClientRequestToken);
    expect(tokens).toHaveLength(2);
    expect(tokens[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(tokens[1]).toBe(tokens[0]);
    await db.transact([put, update]);
    expect(service.commandCalls(TransactWriteCommand)[2]!.args[0].input.ClientRequestToken).not.toBe(tokens[0]);
  });

  it.each([
    [900, 5],
    [2_800, 7],
    [Number.POSITIVE_INFINITY, 9],
  ])('never sleeps past a deadline in %d ms, and makes more than %d attempts before it', async (ms, times) => {
    for (const [, error] of transients) {
      service.reset();
      service.on(PutCommand).rejects(error);
      const before = clock.now();
      await expect(clock.within(before + ms, () => db.write(put))).rejects.toThrow(Unavailable);
      expect(clock.now() - before).toBeLessThanOrEqual(Math.min(ms, 2_000));
      expect(service.commandCalls(PutCommand).length).toBeGreaterThanOrEqual(times - 2);
    }
  });

  it('makes no call after the deadline', async () => {
    await expect(clock.within(clock.now(), () => db.write(put))).rejects.toThrow(Unavailable);
    expect(service.commandCalls(PutCommand)).toEqual([]);
  });

  it('gives half of the remaining time to the attempt after an unanswered one, which may have to open a connection', async () => {
    service.on(PutCommand).callsFake(() => new Promise(() => {}));
    const deadline = clock.now() + 900;
    const late = expect(clock.within(deadline, () => db.write(put))).rejects.toThrow(Unavailable);
    const attempts = () => service.commandCalls(PutCommand).length;
    await settle();
    clock.advance(225);
    await settle();
    expect(attempts()).toBe(2);
    clock.advance((deadline - clock.now()) / 2 - 1);
    await settle();
    expect(attempts()).toBe(2);
    clock.advance(1);
    await settle();
    expect(attempts()).toBe(3);
    for (; clock.now() < deadline; await settle()) clock.advance(25);
    await late;
  });

  it('yields every item once if two attempts respond', async () => {
    const slow = Promise.withResolvers<object>();
    const all = { Responses: { 'x-bids': [{ id: '1' }, { id: '2' }] } };
    service
      .on(BatchGetCommand)
      .callsFakeOnce(() => slow.promise)
      .callsFakeOnce(() => slow.promise)
      .resolves(all);
    const items = clock.within(clock.now() + 1_000, () => db.getAll('bids', [{ id: '1' }, { id: '2' }]));
    clock.advance(250);
    await settle();
    slow.resolve(all);
    expect(await items).toEqual([{ id: '1' }, { id: '2' }]);
  });

  it('starts another attempt after a quarter of the remaining time, at most 500 ms', async () => {
    for (const [ms, first] of [
      [900, 225],
      [2_800, 500],
    ] as const) {
      service.reset();
      service
        .on(PutCommand)
        .callsFakeOnce(() => new Promise(() => {}))
        .resolves({});
      let written: unknown;
      clock.within(clock.now() + ms, () => db.write(put)).then((result) => (written = result));
      clock.advance(first - 1);
      await settle();
      expect(service.commandCalls(PutCommand)).toHaveLength(1);
      clock.advance(1);
      await settle();
      expect(written).toEqual({ ok: true, item: undefined });
      expect(service.commandCalls(PutCommand)).toHaveLength(2);
    }
  });

  it('requests unprocessed keys again and yields every item once', async () => {
    const keys = [{ id: '1' }, { id: '2' }, { id: '3' }];
    service
      .on(BatchGetCommand)
      .resolvesOnce({
        Responses: { 'x-bids': [{ id: '1' }] },
        UnprocessedKeys: { 'x-bids': { Keys: [{ id: '2' }, { id: '3' }] } },
      })
      .resolves({ Responses: { 'x-bids': [{ id: '2' }, { id: '3' }] } });
    expect(await db.getAll('bids', keys)).toEqual(keys);
    const requested = service
      .commandCalls(BatchGetCommand)
      .map(({ args }) => args[0].input.RequestItems!['x-bids']!.Keys);
    expect(requested).toEqual([keys, keys.slice(1)]);
  });

  it('reports a failed condition with the current item, also next to a conflict', async () => {
    service.on(TransactWriteCommand).rejects(cancelled('ConditionalCheckFailed', 'TransactionConflict'));
    expect(await db.transact([put, update])).toEqual({ ok: false, refused: [{ old: { id: 'old' } }, undefined] });
  });

  it('throws programming errors', async () => {
    service.on(PutCommand).rejects(fault('ValidationException'));
    await expect(db.write(put)).rejects.toThrow('ValidationException');
  });

  it.each([
    ['UnrecognizedClientException', 'the store rejects the access key'],
    ['CredentialsProviderError', 'the store rejects the access key'],
    ['AccessDeniedException', 'the store does not grant this call: see the policy'],
    ['ResourceNotFoundException', 'the store has no such table: see the region and the prefix'],
  ])('tries once and tells the operator what to check: %s', async (name, message) => {
    service.on(PutCommand).rejects(fault(name));
    const refused = await db.write(put).catch((thrown) => thrown);
    expect(refused).toBeInstanceOf(WrongSetup);
    expect([refused.message, refused.cause]).toEqual([message, `${name}: ${name}`]);
    expect(service.commandCalls(PutCommand)).toHaveLength(1);
  });
});

describe('A function whose store', () => {
  /** Creates a key; with the lines of the log that are errors. */
  async function create() {
    const lines: string[] = [];
    const app = await loadEndpoint('api-keys/create', {
      db,
      clock,
      ids: createTestIds('create', clock.now),
      resolve: testResolve,
      config: readConfig({}, true),
      log: createLog('error', (line) => lines.push(line)),
      metrics: noMetrics,
    });
    const call = { headers: { 'x-user-id': 'alice' }, body: { name: 'x' } };
    const { statusCode, headers, body } = await lambdaHandler(
      'api-keys/create',
      app,
    )(httpEvent('POST', '/api/v1/auth/api-keys', call).event);
    return { answer: [statusCode, headers?.['retry-after'], JSON.parse(body!)], lines };
  }
  const UNAVAILABLE = [
    503,
    '1',
    {
      error: 'Service unavailable',
      message: 'The service is temporarily unavailable, please try again',
      statusCode: 503,
    },
  ];

  it('is unavailable responds with 503 and Retry-After, without internals', async () => {
    service.on(TransactWriteCommand).rejects(fault('InternalServerError', { $fault: 'server' }));
    expect(await create()).toEqual({ answer: UNAVAILABLE, lines: [] });
  });

  it.each([
    ['ssp/bid', 200, 'null'],
    ['openrtb2/bid', 204, ''],
  ] as const)('cannot make a bid in time answers that there is none, as late, once: %s', async (name, status, text) => {
    service.onAnyCommand().rejects(fault('InternalServerError', { $fault: 'server' }));
    const counted: string[] = [];
    const app = await loadEndpoint(name, {
      db,
      clock,
      ids: createTestIds('late', clock.now),
      resolve: testResolve,
      config: readConfig({}, true),
      log: createLog('silent'),
      metrics: { add: (metric) => counted.push(metric), flush() {} },
    });
    const { body, headers, requestContext } = JSON.parse(readFileSync(`events/${name}.json`, 'utf8'));
    const call = { headers, body: { ...JSON.parse(body), tmax: undefined } };
    const answer = await lambdaHandler(name, app)(httpEvent('POST', requestContext.http.path, call).event);
    const noBids = counted.filter((metric) => metric.startsWith('NoBids'));
    expect([answer.statusCode, answer.body, noBids]).toEqual([status, text, ['NoBids.late']]);
  });

  it('rejects the access key responds the same, and the log names the cause without the signed headers', async () => {
    const message = 'The signature does not match.\n\nx-amz-security-token:secret';
    service.on(TransactWriteCommand).rejects(fault('InvalidSignatureException', { message }));
    const { answer, lines } = await create();
    expect(answer).toEqual(UNAVAILABLE);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        message: 'the store rejects the access key',
        operation: 'api-keys/create',
        cause: 'InvalidSignatureException: The signature does not match.',
      },
    ]);
    expect(lines.join()).not.toContain('secret');
  });

  it('receives an invalid request responds with 500, with details only in the log', async () => {
    service.on(TransactWriteCommand).rejects(fault('ValidationException', { message: 'secret detail' }));
    const { answer, lines } = await create();
    expect(answer).toEqual([
      500,
      undefined,
      { error: 'Internal Server Error', message: 'Something went wrong', statusCode: 500 },
    ]);
    expect(lines[0]).toContain('secret detail');
  });
});
