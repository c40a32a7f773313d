import type { Write } from '../platform/database.ts';
import { setting } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { keysOf } from '../platform/values/typed.ts';
import type { ApiKey } from './api-key.ts';
import { type ApiKeyWithSettings, findApiKey, splitName } from './find-key.ts';
import { defaultSettings, type SettingChanges } from './key-settings.ts';
import type { KeySettings } from './setting-fields.ts';

interface KeyChanges extends Partial<Pick<ApiKey, 'name' | 'bidFloor' | 'judge'>> {
  settings: SettingChanges;
}

/**
 * Changes a key and its settings in one transaction; undefined when the user has no such key. The part of the key's own item is there
 * though it changes nothing: it settles the race with a deletion, which takes both items.
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
  const own = assignments({ ...fields, name: place?.inKey });
  const beside = assignments({ ...settings, ...(place && { name: place.inSettings ?? null }) });
  const isTheirs = { table: 'api-keys', key: { id }, when: '#owner = :owner' } as const;
  const writes: Write<'api-keys' | 'key-settings'>[] = [
    own
      ? { ...isTheirs, update: own.update, values: { ...own.values, owner } }
      : { ...isTheirs, check: true, values: { owner } },
    ...(beside ? [{ table: 'key-settings' as const, key: { id }, ...beside }] : []),
  ];
  const { ok } = own || beside ? await effects.db.transact(writes) : { ok: true };
  if (!ok) return undefined;
  const set = keysOf(defined(settings)).map((setting) => [setting, settings[setting] ?? defaultSettings[setting]]);
  const after: KeySettings = Object.assign({ ...before.settings }, Object.fromEntries(set));
  return { ...before, ...defined(fields), ...(name !== undefined && { name }), settings: after };
}

const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

/** The update that sets these attributes and takes away those that are null; undefined when it would change nothing. */
function assignments(fields: Record<string, unknown>) {
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
 * Switches a key off or on; the next request finds it so. undefined when the user has no such key. The condition settles the
 * race of two toggles: both flip. A transaction is carried out once though its answer be lost: a leaked key stays off.
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
