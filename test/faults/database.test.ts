import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadEndpoint } from '../../infra/local/functions.ts';
import { readConfig } from '../../shared/config.ts';
import { openDatabase, Unavailable, type Write } from '../../shared/database.ts';
import { createLog } from '../../shared/log.ts';
import { noMetrics } from '../../shared/metrics.ts';
import { httpEvent, testClock, testIds, testResolve } from '../harness.ts';

const service = mockClient(DynamoDBDocumentClient);
const clock = testClock();
const db = openDatabase({ prefix: 'x-', clock, ids: testIds('faults', clock.now), client: { region: 'local' } });
const put: Write = { table: 'bids', put: { id: '1' } };
const update: Write = { table: 'bids', key: { id: '1' }, update: 'SET #a = :a', values: { a: 1 } };

/** Faults of the service itself, which the stand-in cannot produce. */
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

beforeEach(() => {
  service.reset();
  service.on(UpdateCommand).resolves({ Attributes: { count: 1, endsAt: Number.MAX_SAFE_INTEGER } }); // the limiter has room
});

describe('The database', () => {
  it('tries a conflict between transactions again, with growing pauses', async () => {
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

  it('tries a single write again that met a transaction', async () => {
    service
      .on(UpdateCommand)
      .rejectsOnce(fault('TransactionConflictException'))
      .resolves({ Attributes: { id: '1' } });
    expect(await db.write(update, 'new')).toEqual({ ok: true, item: { id: '1' } });
  });

  it('gives up after nine conflicts and two seconds at most: a client may come again', async () => {
    service.on(TransactWriteCommand).rejects(cancelled('TransactionConflict'));
    const before = clock.now();
    await expect(db.transact([put])).rejects.toThrow(Unavailable);
    expect(service.commandCalls(TransactWriteCommand)).toHaveLength(9);
    expect(clock.now() - before).toBeLessThan(2_000);
  });

  it('answers a failed condition with the item that failed it, also beside a conflict', async () => {
    service.on(TransactWriteCommand).rejects(cancelled('ConditionalCheckFailed', 'TransactionConflict'));
    expect(await db.transact([put, update])).toEqual({ ok: false, refused: [{ old: { id: 'old' } }, undefined] });
  });

  it.each([
    ['throttling', fault('ThrottlingException')],
    ['too much throughput', fault('ProvisionedThroughputExceededException')],
    ['a fault of the service', fault('InternalServerError', { $fault: 'server' })],
    ['a refused connection', fault('Error', { code: 'ECONNREFUSED' })],
    ['a timeout', fault('TimeoutError')],
  ])('calls %s what passes', async (_, error) => {
    service.on(PutCommand).rejects(error);
    await expect(db.write(put)).rejects.toThrow(Unavailable);
  });

  it('calls a throttled transaction what passes', async () => {
    service.on(TransactWriteCommand).rejects(cancelled('ThrottlingError', 'None'));
    await expect(db.transact([put, update])).rejects.toThrow(Unavailable);
  });

  it.each(['ValidationException', 'AccessDeniedException', 'ResourceNotFoundException'])(
    'lets a mistake of ours surface: %s',
    async (name) => {
      service.on(PutCommand).rejects(fault(name));
      await expect(db.write(put)).rejects.toThrow(name);
    },
  );
});

describe('A function whose store is out', () => {
  it('answers 503 with Retry-After and nothing from inside', async () => {
    service.on(PutCommand).rejects(fault('InternalServerError', { $fault: 'server' }));
    const effects = {
      db,
      clock,
      ids: testIds('out', clock.now),
      resolve: testResolve,
      config: readConfig({}, true),
      log: createLog('silent'),
      metrics: noMetrics,
    };
    const handler = await loadEndpoint('api-keys/create', effects);
    const call = { headers: { 'x-user-id': 'alice' }, body: { name: 'x' } };
    const { statusCode, headers, body } = await handler(httpEvent('POST', '/api/v1/auth/api-keys', call).event);
    expect([statusCode, headers?.['retry-after'], JSON.parse(body!)]).toEqual([
      503,
      '1',
      { error: 'Service unavailable', message: 'The service cannot answer now, please try again', statusCode: 503 },
    ]);
  });

  it('answers 500 for a mistake of ours, with the request id and no detail', async () => {
    const lines: string[] = [];
    service.on(PutCommand).rejects(fault('ValidationException', { message: 'secret detail' }));
    const log = createLog('error', (line) => lines.push(line));
    const effects = {
      db,
      clock,
      resolve: testResolve,
      ids: testIds('ours', clock.now),
      config: readConfig({}, true),
      log,
      metrics: noMetrics,
    };
    const handler = await loadEndpoint('api-keys/create', effects);
    const call = { headers: { 'x-user-id': 'alice' }, body: { name: 'x' } };
    const { statusCode, body } = await handler(httpEvent('POST', '/api/v1/auth/api-keys', call).event);
    expect([statusCode, JSON.parse(body!)]).toEqual([
      500,
      { error: 'Internal Server Error', message: 'Something went wrong', statusCode: 500 },
    ]);
    expect(lines[0]).toContain('secret detail');
  });
});
