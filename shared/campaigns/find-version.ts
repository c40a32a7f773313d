import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import type { Creative } from './creative.ts';
import { creativeKey } from './items.ts';

/** A version that is still kept: the store may take a while to forget one that has ended. */
export async function findVersion(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  campaignId: string,
  version: string,
): Promise<Creative | undefined> {
  const item = await db.get('campaigns', creativeKey(owner, campaignId, version));
  return item && isVersion(item) && !(item.ttl !== undefined && item.ttl * 1000 <= clock.now())
    ? item.creative
    : undefined;
}

type Version = Extract<Item<'campaigns'>, { item: `creative#${string}` }>;

const isVersion = (item: Item<'campaigns'>): item is Version => item.item.startsWith('creative#');
