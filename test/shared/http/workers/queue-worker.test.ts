import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { queueWorker } from '../../../../shared/http/workers/queue-worker.ts';
import type { Handled, Queued } from '../../../../shared/platform/queues.ts';
import { Unavailable, WrongSetup } from '../../../../shared/platform/unavailable.ts';
import { createBudgetService } from '../../../memory/service.ts';

/** A function on a queue with so many messages in flight, and what it asked of it. */
function workerOn(inFlight: () => number, handled: Handled) {
  const { effects, clock } = createBudgetService('queue');
  const asked: unknown[] = [];
  const seen: Queued[] = [];
  effects.queue = {
    send: async (_, message, options) => void asked.push({ sent: message, ...options }),
    postpone: async (_, receipt, ms) => void asked.push({ hidden: receipt, ms }),
    inFlight: async () => {
      asked.push('in flight?');
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
  return { effects, clock, asked, seen, receive };
}

const THROUGH = { batchItemFailures: [] };
const COMES_BACK = { batchItemFailures: [{ itemIdentifier: 'id' }] };

describe('A message that has to wait long', () => {
  it('is hidden while there are no more than 60,000 in flight', async () => {
    const { asked, receive } = workerOn(() => 60_000, { outcome: 'later', ms: 16_000 });
    expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(COMES_BACK);
    expect(asked).toEqual(['in flight?', { hidden: 'receipt', ms: 16_000 }]);
  });

  it('is sent anew with a delay beyond that, then the old one is deleted; it says when it was sent first', async () => {
    const { asked, clock, seen, receive } = workerOn(() => 60_001, { outcome: 'later', ms: 16_000 });
    expect(await receive({ owner: 'alice', n: 1 }, 1_000)).toEqual(THROUGH);
    const anew = { owner: 'alice', n: 1, sentAt: 1_000 };
    expect(asked).toEqual(['in flight?', { sent: anew, group: 'alice', delayMs: 16_000 }]);
    expect(await receive(anew, clock.now())).toEqual(THROUGH);
    expect(seen).toEqual([anew, anew]);
  });

  it('is not deleted when it cannot be sent', async () => {
    const { effects, receive } = workerOn(() => 60_001, { outcome: 'later', ms: 16_000 });
    effects.queue.send = async () => Promise.reject(new Unavailable());
    expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(COMES_BACK);
  });

  it('is told as a warning where that passes, as an error where somebody has to mend the setup', async () => {
    const { effects, receive } = workerOn(() => 60_001, { outcome: 'later', ms: 16_000 });
    const told: string[] = [];
    Object.assign(effects.log, { warn: () => told.push('warn'), error: () => told.push('error') });
    for (const cause of [new Unavailable(), new WrongSetup()]) {
      effects.queue.send = async () => Promise.reject(cause);
      expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(COMES_BACK);
    }
    expect(told).toEqual(['warn', 'error']);
  });

  it('asks how many are in flight every five seconds at most', async () => {
    let inFlight = 0;
    const { asked, clock, receive } = workerOn(() => inFlight, { outcome: 'later', ms: 4_000 });
    await receive({ owner: 'alice', sentAt: 1 });
    inFlight = 100_000;
    clock.advance(4_999);
    expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(COMES_BACK);
    clock.advance(1);
    expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(THROUGH);
    expect(asked.filter((call) => call === 'in flight?')).toHaveLength(2);
  });

  it('does as before when the queue does not say how many are in flight', async () => {
    const { effects, clock, receive } = workerOn(() => 60_001, { outcome: 'later', ms: 16_000 });
    await receive({ owner: 'alice', sentAt: 1 });
    effects.queue.inFlight = async () => Promise.reject(new Unavailable());
    clock.advance(60_000);
    expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(THROUGH);
  });
});

it('A message that waits for less than four seconds is hidden, whatever is in flight, and nobody asks', async () => {
  const { asked, receive } = workerOn(() => 100_000, { outcome: 'later', ms: 3_999 });
  expect(await receive({ owner: 'alice', sentAt: 1 })).toEqual(COMES_BACK);
  expect(asked).toEqual([{ hidden: 'receipt', ms: 3_999 }]);
});

it('Messages of one run are worked on at once: what is through is through, though a neighbour fails and another is slow', async () => {
  const { effects } = createBudgetService('queue');
  const { promise: slow, resolve: endSlow } = Promise.withResolvers<Handled>();
  const done: Handled = { outcome: 'done' };
  const handle = queueWorker<Queued>('events/deliver', 'deliveries', () => async ({ owner }) => {
    if (owner === 'fails') throw new Unavailable();
    if (owner === 'slow') return slow;
    endSlow(done); // the slow one ends only because its neighbour has run beside it
    return done;
  })(effects);
  const Records = ['slow', 'fails', 'quick'].map(
    (owner) => ({ messageId: owner, receiptHandle: owner, body: JSON.stringify({ owner, sentAt: 1 }) }) as SQSRecord,
  );
  expect(await handle({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: 'fails' }] });
});
