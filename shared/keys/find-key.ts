import type * as z from 'zod';
import { isoTime } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { isId } from '../platform/values/ids.ts';
import { toUsd } from '../platform/values/money.ts';
import { type ApiKey, listReplacedSecrets } from './api-key.ts';
import type { apiKeyResponse } from './key-response.ts';
import { withDefaults } from './key-settings.ts';
import type { KeySettings } from './setting-fields.ts';

/** A key with its settings. */
export interface ApiKeyWithSettings extends ApiKey {
  settings: KeySettings;
}

/** Merges the two items of a key. */
export const mergeKeyRows = (key: ApiKey, item: Item<'key-settings'> = { id: key.id }): ApiKeyWithSettings => ({
  ...key,
  name: item.name ?? key.name,
  settings: withDefaults(item),
});

/** Finds an owner's key by id. */
export async function findApiKey(
  { db }: Pick<Effects, 'db'>,
  owner: string,
  id: string,
): Promise<ApiKeyWithSettings | undefined> {
  if (!isId('apiKey', id)) return undefined;
  const key = await db.get('api-keys', { id });
  if (key?.owner !== owner) return undefined;
  // After the key: settings that are newer than the key then fail the condition on the key's last change.
  return mergeKeyRows(key, await db.get('key-settings', { id }));
}

/** Lists an owner's keys, oldest first. */
export async function listApiKeys({ db }: Pick<Effects, 'db'>, owner: string): Promise<ApiKeyWithSettings[]> {
  const ids: string[] = [];
  const items = db.query({ table: 'api-keys', index: 'byOwner', where: '#owner = :owner', values: { owner } });
  for await (const { id } of items) ids.push(id);
  const keys = ids.map((id) => ({ id }));
  const [found, settings] = await Promise.all([db.getAll('api-keys', keys), db.getAll('key-settings', keys)]);
  const keysById = new Map(found.map((key) => [key.id, key]));
  const settingsById = new Map(settings.map((item) => [item.id, item]));
  return ids.flatMap((id) => {
    const key = keysById.get(id);
    return key ? [mergeKeyRows(key, settingsById.get(id))] : [];
  });
}

/**
 * Maximum UTF-8 bytes of a name in the key's item. Every request writes that item, and a write costs one unit only up to 1 KB. A longer name
 * (200 characters can be 600 bytes) is stored in the settings item.
 */
const MAX_NAME_BYTES = 120;

/** Decides which item stores a name: the key's item or the settings item. */
export const splitName = (name: string): { inKey: string; inSettings?: string } =>
  new TextEncoder().encode(name).length <= MAX_NAME_BYTES ? { inKey: name } : { inKey: '', inSettings: name };

/** An API key as clients see it (api 2): masked, or with the secret if it was just generated. */
export const presentApiKey = (
  key: ApiKeyWithSettings,
  now: number,
  secret?: string,
): z.output<typeof apiKeyResponse> => ({
  id: key.id,
  name: key.name,
  key: secret ?? key.masked,
  mode: key.mode,
  bidFloor: toUsd(key.bidFloor),
  judge: key.judge ?? true,
  ...key.settings,
  isActive: key.isActive,
  createdAt: key.createdAt,
  lastUsedAt: key.lastUsedAt,
  requestCount: key.requestCount,
  oldKeyUntil: key.oldUntil === undefined ? null : isoTime(key.oldUntil),
  oldKeysUntil: listReplacedSecrets(key, now).map(({ until }) => isoTime(until)),
});
