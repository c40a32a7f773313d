import { expect, it } from 'vitest';
import { cutSlices, SLICE_BYTES, unpackSlice } from '../../../../shared/ads/catalog/snapshot-slices.ts';

const part = (i: number, length = 10): Uint8Array => Uint8Array.from({ length }, (_, at) => 31 * i + at);

async function* stream(parts: readonly Uint8Array[], pulled?: (count: number) => void) {
  for (const [i, one] of parts.entries()) {
    pulled?.(i + 1);
    yield one;
  }
}

it.each([7, 64, 163, 1_000, SLICE_BYTES])('returns all parts unchanged from slices of %i bytes', async (bytes) => {
  const parts = Array.from({ length: 12 }, (_, i) => part(i, 1 + (i % 4) * 200));
  const slices: Uint8Array[] = [];
  for await (const slice of cutSlices(stream(parts), bytes)) slices.push(unpackSlice(slice)!);
  let next = 0;
  for (const slice of slices) {
    const first = next;
    for (let at = 0; at < slice.length; at += parts[next++]!.length);
    expect(Buffer.concat(parts.slice(first, next))).toEqual(Buffer.from(slice));
    expect(slice.length <= bytes || next === first + 1).toBe(true);
    if (next < parts.length) expect(slice.length + parts[next]!.length).toBeGreaterThan(bytes);
  }
  expect(next).toBe(parts.length);
});

it('creates no slice without parts', async () => {
  for await (const _ of cutSlices(stream([]), 100)) expect.unreachable();
});

it('keeps only one slice in memory', async () => {
  let pulled = 0;
  const parts = Array.from({ length: 1_000 }, (_, i) => part(i));
  let slices = 0;
  for await (const _ of cutSlices(
    stream(parts, (count) => (pulled = count)),
    100,
  )) {
    slices++;
    if (pulled < 1_000) expect(pulled).toBeLessThanOrEqual(11 * slices);
  }
  expect(slices).toBe(100);
});

it('treats a slice that unpacks to more than the maximum as damaged', async () => {
  for await (const slice of cutSlices(stream([new Uint8Array(2 * SLICE_BYTES)]), 2 * SLICE_BYTES))
    expect(unpackSlice(slice)).toBeUndefined();
});
