import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type AwsClientStub, mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type LocalSqs, startSqs } from '../../../infra/local/sqs.ts';
import { openQueue, type Queue } from '../../../shared/platform/queue.ts';
import type { QueueName } from '../../../shared/platform/queues.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';

describe('A queue on the stand-in', () => {
  let server: LocalSqs;
  let queue: Queue;
  let sqs: SQSClient;
  beforeAll(async () => {
    server = await startSqs(':memory:', 'test-');
    queue = openQueue('test-', server.client);
    sqs = new SQSClient(server.client);
  });
  afterAll(() => server.stop());

  const receive = async (name: QueueName) => {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: `test-${name}` }));
    return (await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages?.[0];
  };

  it.each<[string, unknown]>([
    ['letters of every kind', { text: 'ä 漢 😀 \u0000 \u007f \ud800' }],
    ['the two characters that SQS rejects', { text: '\ufffe and \uffff' }],
    ['much', { text: 'x'.repeat(200_000) }],
  ])('gives back %s as it was sent', async (_, message) => {
    await queue.send('parked', message);
    expect(JSON.parse((await receive('parked'))!.Body!)).toEqual(JSON.parse(JSON.stringify(message)));
  });

  it('accepts messages with a group', async () => {
    await queue.send('deliveries', { n: 1 }, { group: 'Müller & Söhne' });
    expect((await receive('deliveries'))!.Body).toBe('{"n":1}');
  });

  it('reports the number of hidden messages without delayed ones', async () => {
    const before = await queue.inFlight('deliveries');
    await queue.send('deliveries', { n: 3 });
    await queue.send('deliveries', { n: 4 }, { delayMs: 60_000 });
    expect((await receive('deliveries'))!.Body).toBe('{"n":3}');
    expect(await queue.inFlight('deliveries')).toBe(before + 1);
    expect(await receive('deliveries')).toBeUndefined();
  });

  it('hides a message for whole seconds, and shows it at once for 0', async () => {
    await queue.send('deliveries', { n: 2 });
    const { ReceiptHandle } = (await receive('deliveries'))!;
    await queue.postpone('deliveries', ReceiptHandle!, 1);
    expect(await receive('deliveries')).toBeUndefined();
    await queue.postpone('deliveries', ReceiptHandle!, -5);
    expect((await receive('deliveries'))!.Body).toBe('{"n":2}');
  });
});

it('A restart of the stand-in loses no message, visible or in flight', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'queue-'));
  const open = async () => {
    const server = await startSqs(folder, 'test-');
    const sqs = new SQSClient(server.client);
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'test-deliveries' }));
    const receive = async () => (await sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages?.[0]?.Body;
    return { queue: openQueue('test-', server.client), receive, stop: server.stop };
  };
  onTestFinished(() => void vi.useRealTimers());
  const first = await open();
  await first.queue.send('deliveries', 'one');
  expect(await first.receive()).toBe('"one"');
  await first.queue.send('deliveries', 'two');
  await first.stop();
  const second = await open();
  vi.setSystemTime(Date.now() + 60_000);
  expect(await second.receive()).toBe('"two"');
  expect(await second.receive()).toBeUndefined();
  vi.setSystemTime(Date.now() + 30_000); // the first message becomes visible after the 90 seconds of its queue
  expect(await second.receive()).toBe('"one"');
  expect(await second.receive()).toBeUndefined();
  await second.stop();
  rmSync(folder, { recursive: true });
});

describe('A request to SQS', () => {
  let service: AwsClientStub<SQSClient>;
  beforeAll(() => {
    service = mockClient(SQSClient) as typeof service;
    service.on(GetQueueUrlCommand).resolves({ QueueUrl: 'https://sqs.test/deliveries' });
    service.on(SendMessageBatchCommand).resolves({});
    service.on(ChangeMessageVisibilityCommand).resolves({});
  });
  afterAll(() => service.restore());
  const queue = openQueue('test-', { region: 'local' });
  const asked = async (options: Parameters<Queue['send']>[2]) => {
    await queue.send('deliveries', {}, options);
    return service.commandCalls(SendMessageBatchCommand).at(-1)!.args[0].input.Entries![0]!;
  };

  // The stand-in accepts any delay.
  it('delays a message by at most fifteen minutes', async () => {
    expect(await asked({ delayMs: 900_001 })).toMatchObject({ DelaySeconds: 900 });
    expect(await asked({ delayMs: 899_001 })).toMatchObject({ DelaySeconds: 900 });
    expect(await asked({ delayMs: 898_001 })).toMatchObject({ DelaySeconds: 899 });
    expect(await asked({})).toMatchObject({ DelaySeconds: 0 });
  });

  it('hides a message for at most twelve hours after its receipt, which may be a minute ago', async () => {
    await queue.postpone('deliveries', 'receipt', 43_200_000);
    const [call] = service.commandCalls(ChangeMessageVisibilityCommand);
    expect(call!.args[0].input.VisibilityTimeout).toBe(43_140);
  });

  it.each(['alice', 'Müller & Söhne', 'x'.repeat(5_000), ' '])(
    'uses a group name that SQS accepts for the owner %j',
    async (group) => {
      const { MessageGroupId } = await asked({ group });
      expect(MessageGroupId).toMatch(/^[\x21-\x7e]{1,128}$/);
      expect((await asked({ group })).MessageGroupId).toBe(MessageGroupId);
      expect((await asked({ group: `${group}2` })).MessageGroupId).not.toBe(MessageGroupId);
    },
  );
});

describe('Messages sent at the same time', () => {
  let service: AwsClientStub<SQSClient>;
  beforeAll(() => {
    service = mockClient(SQSClient) as typeof service;
    service.on(GetQueueUrlCommand).resolves({ QueueUrl: 'https://sqs.test/deliveries' });
  });
  afterAll(() => service.restore());
  const queue = openQueue('test-', { region: 'local' });
  const sendAll = async (...messages: unknown[]) => {
    service.resetHistory();
    const sent = await Promise.allSettled(messages.map((message) => queue.send('deliveries', message)));
    const requests = service.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input.Entries!);
    return { sent, sizes: requests.map(({ length }) => length) };
  };

  it('share requests of up to ten messages and 256 KB', async () => {
    service.on(SendMessageBatchCommand).resolves({});
    expect((await sendAll(...Array(23).fill('x'))).sizes).toEqual([10, 10, 3]);
    const large = 'x'.repeat(100_000);
    expect((await sendAll(large, large, large, 'x')).sizes).toEqual([2, 2]);
  });

  it('fail individually', async () => {
    service.on(SendMessageBatchCommand).resolves({
      Failed: [
        { Id: '1', Code: 'InternalError', SenderFault: false },
        { Id: '2', Code: 'InvalidMessageContents', SenderFault: true },
      ],
    } as never);
    const { sent } = await sendAll('a', 'b', 'c', 'd');
    expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    const [, passing, ours] = sent as PromiseRejectedResult[];
    expect([passing!.reason instanceof Unavailable, ours!.reason instanceof Unavailable]).toEqual([true, false]);
  });

  it('are sent individually if one of them makes the request invalid', async () => {
    const isRefused = (request: { Entries?: { MessageBody?: string }[] }) =>
      request.Entries!.some(({ MessageBody }) => MessageBody === '"b"');
    service.on(SendMessageBatchCommand).callsFake((request) => {
      if (isRefused(request)) throw Object.assign(new Error(), { name: 'InvalidMessageContents' });
      return {};
    });
    const { sent } = await sendAll('a', 'b', 'c');
    expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('A queue that fails', () => {
  let service: AwsClientStub<SQSClient>;
  beforeAll(() => {
    service = mockClient(SQSClient) as typeof service;
  });
  afterAll(() => service.restore());
  const queue = openQueue('test-', { region: 'local' });
  const fault = (name: string, more: object = {}) => Object.assign(new Error(name), { name, ...more });
  const fails = (name: string, more?: object) => {
    service.reset();
    service.on(GetQueueUrlCommand).resolves({ QueueUrl: 'https://sqs.test/deliveries' });
    service.on(SendMessageBatchCommand).rejects(fault(name, more));
    return queue.send('deliveries', {});
  };

  it.each([
    'ThrottlingException',
    'RequestThrottled',
    'InternalFailure',
    'ServiceUnavailable',
    'TimeoutError',
    'KmsThrottled',
    'OverLimit',
    'AccessDenied',
    'QueueDoesNotExist',
    'AWS.SimpleQueueService.NonExistentQueue',
  ])('with %s throws Unavailable', async (name) => {
    await expect(fails(name)).rejects.toThrow(Unavailable);
  });

  it('is temporarily unavailable if it cannot be reached', async () => {
    await expect(fails('Error', { code: 'ECONNREFUSED' })).rejects.toThrow(Unavailable);
  });

  it.each([
    'InvalidMessageContents',
    'AWS.SimpleQueueService.InvalidMessageContents',
    'InvalidParameterValue',
    'InvalidParameterValueException',
  ])('with %s throws the error itself, because a retry would fail again', async (name) => {
    await expect(fails(name)).rejects.not.toThrow(Unavailable);
  });

  it('is looked up again if it was not found the first time', async () => {
    const another = openQueue('other-', { region: 'local' });
    service.reset();
    service
      .on(GetQueueUrlCommand)
      .rejectsOnce(fault('QueueDoesNotExist'))
      .resolves({ QueueUrl: 'https://sqs.test/deliveries' });
    service.on(SendMessageBatchCommand).resolves({});
    await expect(another.send('dead', {})).rejects.toThrow(Unavailable);
    await another.send('dead', {});
    await another.send('dead', {});
    expect(service.commandCalls(GetQueueUrlCommand)).toHaveLength(2);
  });
});
