import type { Write } from '../platform/database.ts';
import { setting } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { getKeys } from '../platform/values/typed.ts';
import type { ApiKey } from './api-key.ts';
import { type ApiKeyWithSettings, findApiKey, splitName } from './find-key.ts';
import { defaultSettings, type SettingChanges } from './key-settings.ts';
import type { KeySettings } from './setting-fields.ts';

interface KeyChanges extends Partial<Pick<ApiKey, 'name' | 'bidFloor' | 'judge'>> {
  settings: SettingChanges;
}

/**
 * Changes a key and its settings in one transaction. Returns undefined if the owner has no such key. The condition on the key's item settles
 * the race with a deletion, which removes both items; so the transaction includes that item even if only settings change.
 */
export async function changeApiKey(
  effects: Pick<Effects, 'db'>,
  owner: string,
  id: string,
  { settings: { ...settings }, name, ...fields }: KeyChanges,
): Promise<ApiKeyWithSettings | undefined> {
  const before = await findApiKey(effects, owner, id);
  if (!before) return undefined;
  const place = name === undefined ? undefined : splitName(name);
  const keyUpdate = buildUpdate({ ...fields, name: place?.inKey });
  const settingsUpdate = buildUpdate({ ...settings, ...(place && { name: place.inSettings ?? null }) });
  const ownedKey = { table: 'api-keys', key: { id }, when: '#owner = :owner' } as const;
  const writes: Write<'api-keys' | 'key-settings'>[] = [
    keyUpdate
      ? { ...ownedKey, update: keyUpdate.update, values: { ...keyUpdate.values, owner } }
      : { ...ownedKey, check: true, values: { owner } },
    ...(settingsUpdate ? [{ table: 'key-settings' as const, key: { id }, ...settingsUpdate }] : []),
  ];
  const { ok } = keyUpdate || settingsUpdate ? await effects.db.transact(writes) : { ok: true };
  if (!ok) return undefined;
  const set = getKeys(defined(settings)).map((setting) => [setting, settings[setting] ?? defaultSettings[setting]]);
  const after: KeySettings = Object.assign({ ...before.settings }, Object.fromEntries(set));
  return { ...before, ...defined(fields), ...(name !== undefined && { name }), settings: after };
}

const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Builds an update that sets attributes and removes those that are null. Returns undefined if it would change nothing. */
function buildUpdate(fields: Record<string, unknown>) {
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined);
  const set = names.filter((name) => fields[name] !== null);
  const removed = names.filter((name) => fields[name] === null);
  if (names.length === 0) return undefined;
  return {
    update: [
      ...(set.length > 0 ? [`SET ${setting(set)}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ...(set.length > 0 && { values: Object.fromEntries(set.map((name) => [name, fields[name]])) }),
  };
}

/**
 * Disables or enables a key, effective with the next request. Returns undefined if the owner has no such key. The condition settles the race
 * of two toggles: both take effect. The write is a transaction, because a retry after a lost response must not enable a leaked key again.
 */
export async function toggleApiKey(
  { db }: Pick<Effects, 'db'>,
  owner: string,
  id: string,
): Promise<ApiKeyWithSettings | undefined> {
  for (;;) {
    const key = await findApiKey({ db }, owner, id);
    if (!key) return undefined;
    const isActive = !key.isActive;
    const { ok } = await db.transact([
      {
        table: 'api-keys',
        key: { id },
        update: 'SET #isActive = :after',
        when: '#isActive = :before',
        values: { before: key.isActive, after: isActive },
      },
    ]);
    if (ok) return { ...key, isActive };
  }
}
