import { describe, expect, it } from 'vitest';
import { type Processing, streamWorker } from '../../../../shared/http/workers/stream-worker.ts';
import { Unavailable, WrongSetup } from '../../../../shared/platform/unavailable.ts';
import { simulateDeliveries } from '../../../memory/deliveries.ts';
import { streamRecord } from '../../../stream-record.ts';

/** A function on a stream that does this, and a batch of three records. */
function worker(act: (id: string) => Promise<string>, finish?: Processing<'events/count', string>['finish']) {
  const world = simulateDeliveries({});
  const handler = streamWorker('events/count', () => ({
    changes: { bids: ({ now }) => act(now!.id), conversions: () => expect.unreachable() },
    finish,
  }))(world.effects);
  const records = ['a', 'b', 'c'].map((id) => streamRecord(undefined, { id }));
  const itemOf = (n: number) => ({ batchItemFailures: [{ itemIdentifier: records[n]!.dynamodb!.SequenceNumber }] });
  return { world, run: () => handler({ Records: records }), itemOf };
}
const THROUGH = { batchItemFailures: [] };

describe('A function on a stream', () => {
  it('finishes with the processed records, also if a later record must be retried', async () => {
    const finished: string[][] = [];
    const { run, itemOf } = worker(
      async (id) => (id === 'c' ? Promise.reject(new Unavailable()) : id),
      async (results) => void finished.push(results),
    );
    expect(await run()).toEqual(itemOf(2));
    expect(finished).toEqual([['a', 'b']]);
  });

  it('retries the batch if finishing fails temporarily', async () => {
    const { run, itemOf } = worker(
      async (id) => id,
      async () => Promise.reject(new Unavailable()),
    );
    expect(await run()).toEqual(itemOf(0));
  });

  it.each([
    ['a temporary error as a warning', new Unavailable(), 'warn'],
    ['a wrong setup as an error', new WrongSetup('the store rejects the access key'), 'error'],
  ])('logs %s', async (_, cause, level) => {
    const { world, run, itemOf } = worker(() => Promise.reject(cause));
    expect(await run()).toEqual(itemOf(0));
    expect(world.lines.map((line) => JSON.parse(line))).toMatchObject([{ level, message: 'batch retried' }]);
  });

  it('logs a batch that can never be finished and continues, so that the stream is not blocked', async () => {
    const { world, run } = worker(
      async (id) => id,
      async () => Promise.reject(new TypeError('a bug')),
    );
    expect(await run()).toEqual(THROUGH);
    expect(world.lines.join()).toContain('batch not finished');
  });

  it('retries from a record that can be neither processed nor parked', async () => {
    const { world, run, itemOf } = worker(async (id) => (id === 'b' ? Promise.reject(new TypeError('poison')) : id));
    world.effects.queue.send = async () => Promise.reject(new Unavailable());
    expect(await run()).toEqual(itemOf(1));
  });
});
