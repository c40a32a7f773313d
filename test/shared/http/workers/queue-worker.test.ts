import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { queueWorker } from '../../../../shared/http/workers/queue-worker.ts';
import type { Handled, Queued } from '../../../../shared/platform/queues.ts';
import { Unavailable, WrongSetup } from '../../../../shared/platform/unavailable.ts';
import { createBudgetService } from '../../../memory/service.ts';

/** A queue function with this number of messages in flight, and the calls that it makes to the queue. */
function workerOn(inFlight: () => number, handled: Handled) {
  const { effects, clock } = createBudgetService('queue');
  const calls: unknown[] = [];
  const seen: Queued[] = [];
  effects.queue = {
    send: async (_, message, options) => void calls.push({ sent: message, ...options }),
    postpone: async (_, receipt, ms) => void calls.push({ hidden: receipt, ms }),
    inFlight: async () => {
      calls.push('in flight?');
      return inFlight();
    },
  };
  const handle = queueWorker<Queued>('events/deliver', 'deliveries', () => async (message) => {
    seen.push(message);
    return handled;
  })(effects);
  const receive = (message: object, sentTimestamp = clock.now()) => {
    const attributes = { SentTimestamp: String(sentTimestamp) };
    const record = { messageId: 'id', receiptHandle: 'receipt', body: JSON.stringify(message), attributes };
    return handle({ Records: [record as SQSRecord] });
  };
  return { effects, clock, calls, seen, receive };
}

const DELETED = { batchItemFailures: [] };
const RETRIED = { batchItemFailures: [{ itemIdentifier: 'id' }] };

describe('A message with a long wait', () => {
  it('is hidden if at most 60,000 messages are in flight', async () => {
    const { calls, receive } = workerOn(() => 60_000, { outcome: 'later', ms: 16_000 });
    expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(RETRIED);
    expect(calls).toEqual(['in flight?', { hidden: 'receipt', ms: 16_000 }]);
  });

  it('is sent again with a delay above that and then deleted, and keeps the time at which it was first sent', async () => {
    const { calls, clock, seen, receive } = workerOn(() => 60_001, { outcome: 'later', ms: 16_000 });
    expect(await receive({ owner: 'alice', n: 1 }, 1_000)).toEqual(DELETED);
    const resent = { owner: 'alice', n: 1, sentAt: 1_000 };
    expect(calls).toEqual(['in flight?', { sent: resent, group: 'alice', delayMs: 16_000 }]);
    expect(await receive(resent, clock.now())).toEqual(DELETED);
    expect(seen).toEqual([resent, resent]);
  });

  it('is not deleted if it cannot be sent again', async () => {
    const { effects, receive } = workerOn(() => 60_001, { outcome: 'later', ms: 16_000 });
    effects.queue.send = async () => Promise.reject(new Unavailable());
    expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(RETRIED);
  });

  it('is logged as a warning for a temporary error, and as an error if the setup is wrong', async () => {
    const { effects, receive } = workerOn(() => 60_001, { outcome: 'later', ms: 16_000 });
    const levels: string[] = [];
    Object.assign(effects.log, { warn: () => levels.push('warn'), error: () => levels.push('error') });
    for (const cause of [new Unavailable(), new WrongSetup()]) {
      effects.queue.send = async () => Promise.reject(cause);
      expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(RETRIED);
    }
    expect(levels).toEqual(['warn', 'error']);
  });

  it('reads the number of messages in flight at most every five seconds', async () => {
    let inFlight = 0;
    const { calls, clock, receive } = workerOn(() => inFlight, { outcome: 'later', ms: 4_000 });
    await receive({ owner: 'alice', sentAt: 1 });
    inFlight = 100_000;
    clock.advance(4_999);
    expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(RETRIED);
    clock.advance(1);
    expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(DELETED);
    expect(calls.filter((call) => call === 'in flight?')).toHaveLength(2);
  });

  it('uses the last known number of messages in flight if the queue fails', async () => {
    const { effects, clock, receive } = workerOn(() => 60_001, { outcome: 'later', ms: 16_000 });
    await receive({ owner: 'alice', sentAt: 1 });
    effects.queue.inFlight = async () => Promise.reject(new Unavailable());
    clock.advance(60_000);
    expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(DELETED);
  });
});

it('A message that waits less than four seconds is hidden, and the number in flight is not read', async () => {
  const { calls, receive } = workerOn(() => 100_000, { outcome: 'later', ms: 3_999 });
  expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(RETRIED);
  expect(calls).toEqual([{ hidden: 'receipt', ms: 3_999 }]);
});

it('Messages of one batch are processed concurrently and complete independently of slow and failed ones', async () => {
  const { effects } = createBudgetService('queue');
  const { promise: slow, resolve: endSlow } = Promise.withResolvers<Handled>();
  const done: Handled = { outcome: 'done' };
  const handle = queueWorker<Queued>('events/deliver', 'deliveries', () => async ({ owner }) => {
    if (owner === 'fails') throw new Unavailable();
    if (owner === 'slow') return slow;
    endSlow(done); // the slow message completes only if this one runs concurrently
    return done;
  })(effects);
  const Records = ['slow', 'fails', 'quick'].map(
    (owner) => ({ messageId: owner, receiptHandle: owner, body: JSON.stringify({ owner, sentAt: 1 }) }) as SQSRecord,
  );
  expect(await handle({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: 'fails' }] });
});
