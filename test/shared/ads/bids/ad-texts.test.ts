import { expect, it } from 'vitest';
import { createAdTextReader } from '../../../../shared/ads/bids/ad-texts.ts';
import type { Biddable } from '../../../../shared/campaigns/biddable.ts';
import type { Database } from '../../../../shared/platform/database.ts';

/** Campaigns numbered from and to, and a store that has them all but those that were deleted. */
const campaigns = (from: number, to: number, version = 1) =>
  Array.from({ length: to - from }, (_, n) => {
    const id = `cmp_${from + n}`;
    return { id, owner: 'alice', name: `Name ${id}`, version } as Biddable;
  });

function reading(deleted: string[] = []) {
  const read: string[] = [];
  const getAll = async (_: string, keys: { owner: string; item: string }[]) =>
    keys.flatMap(({ owner, item }) => {
      const id = item.slice('campaign#'.length);
      read.push(id);
      const creative = { headline: `Headline ${id}`, description: 'Good.' };
      return deleted.includes(id) ? [] : { owner, item, id, version: 1, name: `Name ${id}`, creative };
    });
  return { read, textsOf: createAdTextReader({ db: { getAll } as unknown as Database }) };
}

it('reads the texts of a version of a campaign once, and of those that are new', async () => {
  const { read, textsOf } = reading();
  await textsOf(campaigns(0, 2));
  const texts = await textsOf(campaigns(0, 3));
  expect(texts.map(({ headline }) => headline)).toEqual(['Headline cmp_0', 'Headline cmp_1', 'Headline cmp_2']);
  expect(read).toEqual(['cmp_0', 'cmp_1', 'cmp_2']);
  await textsOf(campaigns(0, 1, 2));
  expect(read).toHaveLength(4);
});

it('tells of a campaign that was deleted its name alone', async () => {
  const { textsOf } = reading(['cmp_1']);
  expect((await textsOf(campaigns(0, 2)))[1]).toEqual({ name: 'Name cmp_1', headline: '', description: '' });
});

it('keeps the texts of 5,000 campaigns, and has those of all that were asked for when it forgets the others', async () => {
  const { read, textsOf } = reading();
  await textsOf(campaigns(0, 4_999));
  await textsOf(campaigns(4_998, 5_000));
  expect(read).toHaveLength(5_000);
  const texts = await textsOf(campaigns(4_999, 5_001));
  expect(texts.map(({ headline }) => headline)).toEqual(['Headline cmp_4999', 'Headline cmp_5000']);
});
