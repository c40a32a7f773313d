import type { Message } from '@aws-sdk/client-sqs';
import { afterEach, expect, it, vi } from 'vitest';
import { createConsumer } from '../../../infra/local/consumer.ts';
import { createLog } from '../../../shared/platform/log.ts';

afterEach(() => {
  vi.useRealTimers();
});

const MAX_OF_OWNER = 2;

/** A consumer whose messages stay in progress until the test finishes them, oldest first. */
function consumerOf(...owners: string[]) {
  const onQueue = owners.map((owner, at): Message => ({ MessageId: `${owner}${at}`, Body: JSON.stringify({ owner }) }));
  const begun: string[] = [];
  const ends: ((fails?: boolean) => void)[] = [];
  const lines: string[] = [];
  const consumer = createConsumer(
    {
      receive: async (most) => onQueue.splice(0, most),
      invoke: ([message]) => {
        begun.push(JSON.parse(message!.Body!).owner);
        return new Promise((resolve, reject) => {
          ends.push((fails) => (fails ? reject(new Error('out of order')) : resolve()));
        });
      },
    },
    MAX_OF_OWNER,
    createLog('info', (line) => lines.push(line)),
  );
  const end = async (fails = false) => {
    ends.shift()!(fails);
    await new Promise(setImmediate);
  };
  const consumeAll = async () => {
    while ((await consumer.consume()) > 0);
  };
  return { consumer, begun, lines, end, consumeAll };
}

it('processes two messages of one owner concurrently, and those of another owner at the same time', async () => {
  const { begun, end, consumeAll } = consumerOf(...Array(30).fill('a'), 'b');
  await consumeAll();
  expect(begun).toEqual(['a', 'a', 'b']);
  await end();
  expect(begun).toEqual(['a', 'a', 'b', 'a']);
});

it('processes up to eight times as many in total, then alternates between owners', async () => {
  const { begun, end, consumeAll } = consumerOf(...[...'abcdefghij'].flatMap((owner) => Array(10).fill(owner)));
  await consumeAll();
  expect(begun.length).toBe(8 * MAX_OF_OWNER);
  for (let n = 0; n < 4; n++) await end();
  expect(begun.slice(-4).join('')).toMatch(/[ij]/);
  expect(begun.length).toBe(8 * MAX_OF_OWNER + 4);
});

it('logs a message that cannot be delivered, and continues', async () => {
  const { begun, lines, end, consumeAll } = consumerOf('a', 'a', 'a');
  await consumeAll();
  await end(true);
  expect(begun).toHaveLength(3);
  expect(lines.join()).toContain('out of order');
});

it('skips a message that has waited until shortly before the end of its visibility timeout', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { begun, end, consumeAll } = consumerOf('a', 'a', 'a');
  await consumeAll();
  vi.setSystemTime(Date.now() + 80_000);
  await end();
  expect(begun).toHaveLength(2);
});

it('starts no more messages after a stop, and waits for those in progress', async () => {
  const { consumer, begun, end, consumeAll } = consumerOf('a', 'a', 'a');
  await consumeAll();
  const ended = consumer.stop().then(() => begun.push('ended'));
  await end();
  await end();
  await ended;
  expect(begun).toEqual(['a', 'a', 'ended']);
});
