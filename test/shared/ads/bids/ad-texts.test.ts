import { expect, it } from 'vitest';
import { createAdTextReader } from '../../../../shared/ads/bids/ad-texts.ts';
import type { Biddable } from '../../../../shared/campaigns/biddable.ts';
import type { Database } from '../../../../shared/platform/database.ts';

/** Campaigns with the numbers `from` to `to` (exclusive). */
const campaigns = (from: number, to: number, version = 1) =>
  Array.from({ length: to - from }, (_, n) => {
    const id = `cmp_${from + n}`;
    return { id, owner: 'alice', name: `Name ${id}`, version } as Biddable;
  });

/** A reader on a store that contains every campaign except `deleted`. */
function createReader(deleted: string[] = []) {
  const read: string[] = [];
  const getAll = async (_: string, keys: { owner: string; item: string }[]) =>
    keys.flatMap(({ owner, item }) => {
      const id = item.slice('campaign#'.length);
      read.push(id);
      const creative = { headline: `Headline ${id}`, description: 'Good.' };
      return deleted.includes(id) ? [] : { owner, item, id, version: 1, name: `Name ${id}`, creative };
    });
  return { read, readTexts: createAdTextReader({ db: { getAll } as unknown as Database }) };
}

it('reads the texts of each campaign version once', async () => {
  const { read, readTexts } = createReader();
  await readTexts(campaigns(0, 2));
  const texts = await readTexts(campaigns(0, 3));
  expect(texts.map(({ headline }) => headline)).toEqual(['Headline cmp_0', 'Headline cmp_1', 'Headline cmp_2']);
  expect(read).toEqual(['cmp_0', 'cmp_1', 'cmp_2']);
  await readTexts(campaigns(0, 1, 2));
  expect(read).toHaveLength(4);
});

it('returns only the name of a deleted campaign', async () => {
  const { readTexts } = createReader(['cmp_1']);
  expect((await readTexts(campaigns(0, 2)))[1]).toEqual({ name: 'Name cmp_1', headline: '', description: '' });
});

it('caches the texts of 5,000 campaigns, and returns every requested one when it evicts', async () => {
  const { read, readTexts } = createReader();
  await readTexts(campaigns(0, 4_999));
  await readTexts(campaigns(4_998, 5_000));
  expect(read).toHaveLength(5_000);
  const texts = await readTexts(campaigns(4_999, 5_001));
  expect(texts.map(({ headline }) => headline)).toEqual(['Headline cmp_4999', 'Headline cmp_5000']);
});
