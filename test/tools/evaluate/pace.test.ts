import { expect, test } from 'vitest';
import { createKeyRotation } from '../../../tools/evaluate/pace.ts';
import { inParallel } from '../../../tools/parallel.ts';
import { virtualTime } from '../../faults/hot/virtual-time.ts';

test('uses all keys, and none more often in a period than it allows', async () => {
  const rate = { requests: 3, periodMs: 40 };
  const time = virtualTime(0);
  const { clock } = time;
  const turns = createKeyRotation(['a', 'b'], rate, clock);
  const uses: Record<string, number[]> = { a: [], b: [] };
  const done = inParallel(Array(30).keys(), turns.size, (index) =>
    turns.take(async (key) => {
      await clock.sleep((7 * index) % 11);
      uses[key]!.push(clock.now()); // the service may count it at this time
      await clock.sleep((5 * index) % 11);
    }),
  );
  await time.run();
  await done;
  for (const times of Object.values(uses)) {
    expect(times.length).toBeGreaterThanOrEqual(12);
    times.sort((a, b) => a - b);
    for (let index = rate.requests; index < times.length; index++) {
      expect(times[index]! - times[index - rate.requests]!).toBeGreaterThanOrEqual(rate.periodMs);
    }
  }
  expect(clock.now()).toBeLessThan(5 * (rate.periodMs + 20)); // five uses each, without waiting longer than necessary
});

test('returns a slot after a failure', async () => {
  const time = virtualTime(0);
  const turns = createKeyRotation(['a'], { requests: 1, periodMs: 1 }, time.clock);
  await expect(turns.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const next = turns.take(async (key) => key);
  await time.run();
  expect(await next).toBe('a');
});
