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
 * Full case folding of the compatibility form: ẞ, ß, and ss are equal, and so are the three sigmas. Lower case comes before upper case,
 * because ẞ is already upper case. Differs from Unicode's table only in the dotless ı, which equals i.
 */
const foldName = (name: string): string =>
  name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');

/** The case folding of earlier versions, which turned ẞ into ß instead of ss. */
const foldNameAsBefore = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

/** The key contains a hash, because a folded name can exceed the maximum key length. */
const toKey = (owner: string, folded: string): NameKey => ({
  owner,
  item: `name#${createHash('sha256').update(folded).digest('hex')}`,
});

/**
 * Keys of the items that reserve a name of an owner. A name that earlier versions folded differently has two keys, so that it also conflicts
 * with names stored by those versions.
 */
const getNameKeys = ({ owner, name }: Pick<Named, 'owner' | 'name'>): NameKey[] =>
  [...new Set([foldName(name), foldNameAsBefore(name)])].map((folded) => toKey(owner, folded));

const take = (key: NameKey, campaignId: string): Write<'campaigns'> => ({
  table: 'campaigns',
  put: { ...key, campaignId },
  when: 'attribute_not_exists(#owner)', // settles the race between two campaigns for one name
});
const free = (key: NameKey): Write<'campaigns'> => ({ table: 'campaigns', key, remove: true });

/** Whether an item reserves a name for this campaign. */
export const isHeldBy = (item: Item | undefined, campaignId: string): boolean =>
  item !== undefined && 'campaignId' in item && item.campaignId === campaignId;

/**
 * The name keys that a campaign actually holds. A campaign stored by an earlier version holds one of the two; another campaign may hold the
 * other.
 */
async function findHeldKeys(campaign: Named, db: Pick<Database, 'get'>): Promise<NameKey[]> {
  const keys = getNameKeys(campaign);
  if (keys.length === 1) return keys;
  const items = await Promise.all(keys.map((key) => db.get('campaigns', key)));
  return keys.filter((_, index) => isHeldBy(items[index], campaign.id));
}

export const takeName = (campaign: Named): Write<'campaigns'>[] =>
  getNameKeys(campaign).map((key) => take(key, campaign.id));

/**
 * Writes that free a campaign's name. They need no condition: only a change of the campaign itself, which increments its version, changes
 * these items.
 */
export const freeName = async (campaign: Named, db: Pick<Database, 'get'>): Promise<Write<'campaigns'>[]> =>
  (await findHeldKeys(campaign, db)).map(free);

/** Writes that take a new name and free the old one; empty if the names differ only in case. */
export async function changeName(before: Named, name: string, db: Pick<Database, 'get'>) {
  if (name === before.name) return { taken: [], freed: [] };
  const held = await findHeldKeys(before, db);
  const wanted = getNameKeys({ owner: before.owner, name });
  const among = (keys: NameKey[]) => (key: NameKey) => keys.some(({ item }) => item === key.item);
  return {
    taken: wanted.filter((key) => !among(held)(key)).map((key) => take(key, before.id)),
    freed: held.filter((key) => !among(wanted)(key)).map(free),
  };
}
