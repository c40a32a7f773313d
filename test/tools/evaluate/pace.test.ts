import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createKeyRotation } from '../../../tools/evaluate/pace.ts';
import { inParallel } from '../../../tools/parallel.ts';

test('no key is used more often in any period than it allows, and all keys are used', async () => {
  const rate = { requests: 3, periodMs: 40 };
  const turns = createKeyRotation(['a', 'b'], rate);
  const uses: Record<string, number[]> = { a: [], b: [] };
  await inParallel(Array(30).keys(), turns.size, () =>
    turns.take(async (key) => {
      await pause(Math.random() * 10);
      uses[key]!.push(performance.now()); // when the service might count it
      await pause(Math.random() * 10);
    }),
  );
  for (const times of Object.values(uses)) {
    expect(times.length).toBeGreaterThanOrEqual(12);
    times.sort((a, b) => a - b);
    for (let index = rate.requests; index < times.length; index++) {
      expect(times[index]! - times[index - rate.requests]!).toBeGreaterThanOrEqual(rate.periodMs);
    }
  }
});

test('a turn comes back after a failure too', async () => {
  const turns = createKeyRotation(['a'], { requests: 1, periodMs: 1 });
  await expect(turns.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.take(async (key) => key)).toBe('a');
});
