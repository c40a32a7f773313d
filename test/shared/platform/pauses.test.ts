import { expect, it } from 'vitest';
import { yieldEvery } from '../../../shared/platform/clock.ts';

const IN_ONE_GO = 20;

/** The maximum number of items between two pauses, if each item takes `itemMs`. */
async function longestGo(count: number, itemMs: number): Promise<number> {
  let [now, handed, most] = [0, 0, 0];
  const clock = {
    now: () => now,
    async pause() {
      handed = 0;
    },
  };
  const items = Array.from({ length: count }, (_, i) => i);
  const seen: number[] = [];
  for await (const item of yieldEvery(items, clock)) {
    most = Math.max(most, ++handed);
    now += itemMs;
    seen.push(item);
  }
  expect(seen).toEqual(items);
  return most;
}

it.each([0, 1, IN_ONE_GO, IN_ONE_GO + 1, 10 * IN_ONE_GO])(
  'yieldEvery pauses after at most 20 of %i items',
  async (count) => {
    expect(await longestGo(count, 0)).toBe(Math.min(count, IN_ONE_GO));
  },
);

it('yieldEvery pauses earlier if items take long', async () => {
  expect(await longestGo(10, 2)).toBe(3);
  expect(await longestGo(10, 8)).toBe(1);
});
