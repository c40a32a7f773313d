import { expect, it } from 'vitest';
import { noSpendStats } from '../../../shared/campaigns/spend-stats.ts';
import {
  cut,
  entryOf,
  lineReader,
  SLICE_BYTES,
  type SnapshotEntry,
  unpack,
} from '../../../shared/catalog/snapshot-slices.ts';

/** Letters of one to four bytes, so that slices end within some of them. */
const entry = (i: number, length = 1): SnapshotEntry => ({
  stats: { ...noSpendStats(`cmp_${i}`), day: 'aé€😀'.repeat(length), spent: i },
});

async function* stream(entries: readonly SnapshotEntry[], pulled?: (count: number) => void) {
  for (const [i, one] of entries.entries()) {
    pulled?.(i + 1);
    yield one;
  }
}

async function joined(slices: AsyncIterable<Uint8Array>): Promise<(SnapshotEntry | undefined)[]> {
  const linesOf = lineReader();
  const entries: (SnapshotEntry | undefined)[] = [];
  for await (const slice of slices) for (const line of linesOf((await unpack(slice))!)) entries.push(entryOf(line));
  return entries;
}

it.each([7, 64, 163, 1_000, SLICE_BYTES])(
  'entries cut into slices of %i bytes come out as they went in',
  async (bytes) => {
    const entries = Array.from({ length: 12 }, (_, i) => entry(i, 1 + (i % 4) * 20));
    expect(await joined(cut(stream(entries), bytes))).toEqual(entries);
  },
);

it('nothing makes no slice', async () => {
  for await (const _ of cut(stream([]), 100)) expect.unreachable();
});

it('only what fits into one slice is held at a time', async () => {
  let pulled = 0;
  const entries = Array.from({ length: 1_000 }, (_, i) => entry(i));
  const bytes = Buffer.byteLength(`${JSON.stringify(entry(999))}\n`);
  let slices = 0;
  for await (const _ of cut(
    stream(entries, (count) => (pulled = count)),
    10 * bytes,
  )) {
    slices++;
    if (pulled < 1_000) expect(pulled).toBeLessThanOrEqual(11 * slices);
  }
  expect(slices).toBeGreaterThanOrEqual(90);
});

it('a slice that unpacks to more than one can hold is damaged', async () => {
  for await (const slice of cut(stream([entry(1, SLICE_BYTES)]), 2 * SLICE_BYTES)) {
    expect(await unpack(slice)).toBeUndefined();
    break;
  }
});
