import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inParallel } from '../../tools/parallel.ts';

test('processes every item, and at most the allowed number concurrently', async () => {
  const done: number[] = [];
  let now = 0;
  let most = 0;
  await inParallel(Array(20).keys(), 3, async (item) => {
    most = Math.max(most, ++now);
    await turn();
    now--;
    done.push(item);
  });
  expect(done.toSorted((a, b) => a - b)).toEqual([...Array(20).keys()]);
  expect(most).toBe(3);
});

test('starts nothing after a failure, and waits for started calls before it throws', async () => {
  let running = 0;
  const begun: number[] = [];
  const all = inParallel(Array(20).keys(), 3, async (item) => {
    begun.push(item);
    running++;
    for (let turns = 0; turns <= item * 5; turns++) await turn(); // the first one ends before the others
    running--;
    if (item === 0) throw new Error('no');
  });
  await expect(all).rejects.toThrow('no');
  expect({ begun, running }).toEqual({ begun: [0, 1, 2], running: 0 });
});

test('starts nothing after an abort', async () => {
  const interrupt = new AbortController();
  const begun: number[] = [];
  await inParallel(
    Array(20).keys(),
    2,
    async (item) => {
      begun.push(item);
      interrupt.abort();
    },
    interrupt.signal,
  );
  expect(begun).toEqual([0]);
});
