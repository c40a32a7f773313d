import { expect, test } from 'vitest';
import { table } from '../../tools/text-table.ts';

test('aligns names to the left and figures to the right', () => {
  expect(
    table(
      ['slice', 'F1'],
      [
        ['a', '100.0'],
        ['longer', '-'],
      ],
    ),
  ).toEqual([
    'slice      F1', //
    'a       100.0',
    'longer      -',
  ]);
});
