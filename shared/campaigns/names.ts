import { createHash } from 'node:crypto';
import type { Database, Write } from '../platform/database.ts';
import type { Item } from '../platform/items.ts';
import type { Campaign } from './campaign.ts';

type Named = Pick<Campaign, 'id' | 'owner' | 'name'>;
interface NameKey {
  owner: string;
  item: `name#${string}`;
}

/**
 * Full case folding of the compatibility form: ẞ, ß and ss are one, and so are the three sigmas. Down before up, because ẞ stands in
 * upper case already. It differs from Unicode's table in the dotless ı alone, which is taken for an i.
 */
const foldName = (name: string): string =>
  name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');

/** As names were folded before: ẞ became ß there, and not ss. */
const foldedBefore = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

/** Under a hash, because a folded name can outgrow a key. */
const keyOf = (owner: string, folded: string): NameKey => ({
  owner,
  item: `name#${createHash('sha256').update(folded).digest('hex')}`,
});

/**
 * The items that make a name unique among its owner's. A name that was folded to something else before has two: so it clashes with
 * one that was stored then as well.
 */
const nameKeysOf = ({ owner, name }: Pick<Named, 'owner' | 'name'>): NameKey[] =>
  [...new Set([foldName(name), foldedBefore(name)])].map((folded) => keyOf(owner, folded));

const take = (key: NameKey, campaignId: string): Write<'campaigns'> => ({
  table: 'campaigns',
  put: { ...key, campaignId },
  when: 'attribute_not_exists(#owner)', // settles the race of two campaigns for one name
});
const free = (key: NameKey): Write<'campaigns'> => ({ table: 'campaigns', key, remove: true });

/** Whether an item holds a name for this campaign. */
export const isHeldBy = (item: Item | undefined, campaignId: string): boolean =>
  item !== undefined && 'campaignId' in item && item.campaignId === campaignId;

/** Those of a name's items that are the campaign's own: one stored before holds one of two, and the other may be another's. */
async function held(campaign: Named, db: Pick<Database, 'get'>): Promise<NameKey[]> {
  const keys = nameKeysOf(campaign);
  if (keys.length === 1) return keys;
  const items = await Promise.all(keys.map((key) => db.get('campaigns', key)));
  return keys.filter((_, index) => isHeldBy(items[index], campaign.id));
}

export const takeName = (campaign: Named): Write<'campaigns'>[] =>
  nameKeysOf(campaign).map((key) => take(key, campaign.id));

/** What frees a campaign's name. Nobody else changes the items that it holds, and its own changes raise its version. */
export const freeName = async (campaign: Named, db: Pick<Database, 'get'>): Promise<Write<'campaigns'>[]> =>
  (await held(campaign, db)).map(free);

/** What takes the new name and frees the old one; nothing where both are the same but for case. */
export async function changeName(before: Named, name: string, db: Pick<Database, 'get'>) {
  if (name === before.name) return { taken: [], freed: [] };
  const had = await held(before, db);
  const wanted = nameKeysOf({ owner: before.owner, name });
  const among = (keys: NameKey[]) => (key: NameKey) => keys.some(({ item }) => item === key.item);
  return {
    taken: wanted.filter((key) => !among(had)(key)).map((key) => take(key, before.id)),
    freed: had.filter((key) => !among(wanted)(key)).map(free),
  };
}
