import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { isId } from '../platform/values/ids.ts';
import type { ApiKey } from './api-key.ts';
import type { KeySettings } from './setting-fields.ts';
import { wholeSettings } from './settings.ts';

/** A key with all that is shown of it. */
export interface WholeKey extends ApiKey {
  settings: KeySettings;
}

/** The two items of a key as one. */
export const wholeKey = (key: ApiKey, item: Item<'key-settings'> = { id: key.id }): WholeKey => ({
  ...key,
  name: item.name ?? key.name,
  settings: wholeSettings(item),
});

/** A user's key of this id; undefined when the user has no such key. */
export async function findApiKey(
  { db }: Pick<Effects, 'db'>,
  owner: string,
  id: string,
): Promise<WholeKey | undefined> {
  if (!isId('apiKey', id)) return undefined;
  const [key, item] = await Promise.all([db.get('api-keys', { id }), db.get('key-settings', { id })]);
  return key?.owner === owner ? wholeKey(key, item) : undefined;
}

/** A user's keys, oldest first. */
export async function listApiKeys({ db }: Pick<Effects, 'db'>, owner: string): Promise<WholeKey[]> {
  const ids: string[] = [];
  const items = db.query({ table: 'api-keys', index: 'byOwner', where: '#owner = :owner', values: { owner } });
  for await (const { id } of items) ids.push(id);
  const keys = ids.map((id) => ({ id }));
  const [found, settings] = await Promise.all([db.getAll('api-keys', keys), db.getAll('key-settings', keys)]);
  const keyOf = new Map(found.map((key) => [key.id, key]));
  const settingsOf = new Map(settings.map((item) => [item.id, item]));
  return ids.flatMap((id) => {
    const key = keyOf.get(id);
    return key ? [wholeKey(key, settingsOf.get(id))] : [];
  });
}
