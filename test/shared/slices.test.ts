import { expect, test } from 'vitest';
import { inSlices, SLICE } from '../../shared/slices.ts';

test.each([0, 1, SLICE, SLICE + 1, 10 * SLICE])(
  'of %i items no more than a slice is handed on without a pause',
  async (count) => {
    let handed = 0;
    let most = 0;
    const clock = {
      async pause() {
        handed = 0;
      },
    };
    const items = Array.from({ length: count }, (_, i) => i);
    const seen: number[] = [];
    for await (const item of inSlices(items, clock)) {
      most = Math.max(most, ++handed);
      seen.push(item);
    }
    expect(seen).toEqual(items);
    expect(most).toBe(Math.min(count, SLICE));
  },
);
