import { expect, it } from 'vitest';
import { ColumnReader, ColumnWriter } from '../../../../shared/matching/index.ts';

const SHAPE = { numbers: 'int32', shares: 'float32', text: 'text' } as const;
const LARGEST = [0, 1, 0xff, 0x100, 0xffff, 0x10000, 0xffffff, 0x1000000, 0x7fffffff, -1];

function writeFrames(numbers: readonly number[]): {
  frames: Uint8Array[];
  lengths: ColumnWriter<typeof SHAPE>['lengths'];
} {
  const writer = new ColumnWriter(SHAPE);
  writer.push('numbers', numbers);
  writer.push('shares', [0.5, -3]);
  writer.push('text', [104, 105]);
  return { frames: writer.end(), lengths: writer.lengths };
}

it.each(LARGEST)('reads columns back as they were written, with %i as the largest integer', (largest) => {
  const numbers = [...Array.from({ length: 100_000 }, (_, i) => i % 7), largest, 3, largest];
  const { frames, lengths } = writeFrames(numbers);
  const reader = new ColumnReader(SHAPE, lengths);
  for (const frame of frames) expect(reader.take(frame)).toBe(true);
  const columns = reader.columns()!;
  expect([...columns.numbers.numbers.subarray(0, columns.numbers.length)]).toEqual(numbers);
  expect([...columns.shares.numbers.subarray(0, 2)]).toEqual([0.5, -3]);
  expect([...columns.text.numbers]).toEqual([104, 105]);
});

it('rejects frames that are truncated, too many, or for an unknown column', () => {
  const { frames, lengths } = writeFrames([1, 2, 300]);
  const [first] = frames as [Uint8Array];
  const reader = () => new ColumnReader(SHAPE, lengths);
  expect(reader().take(first.subarray(0, -1))).toBe(false);
  expect(reader().take(first.subarray(0, 4))).toBe(false);
  expect(reader().take(Buffer.concat([first, first]))).toBe(false);
  expect(reader().take(Uint8Array.of(9, ...first.subarray(1)))).toBe(false);
  expect(reader().take(Uint8Array.of(0, 5, ...first.subarray(2)))).toBe(false);
  const lacking = reader();
  expect(lacking.take(first)).toBe(true);
  expect(lacking.columns()).toBeUndefined();
});
