import { setting } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { getKeys } from '../platform/values/typed.ts';
import type { ApiKey } from './api-key.ts';
import { type ApiKeyWithSettings, findApiKey, splitName } from './find-key.ts';
import { nextChange, recordKeyChange, unchangedSince } from './key-activity.ts';
import { defaultSettings, type SettingChanges } from './key-settings.ts';
import type { KeySettings } from './setting-fields.ts';

interface KeyChanges extends Partial<Pick<ApiKey, 'name' | 'bidFloor' | 'judge'>> {
  settings: SettingChanges;
}

/**
 * Changes a key and its settings in one transaction, with its activity. Returns undefined if the owner has no such key. The condition on the
 * key's last change also settles the race with a deletion, which removes both items; so the transaction changes the key's item even if only
 * settings change.
 */
export async function changeApiKey(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  id: string,
  { settings: { ...settings }, name, ...fields }: KeyChanges,
): Promise<ApiKeyWithSettings | undefined> {
  const place = name === undefined ? undefined : splitName(name);
  const changedFields = defined({ ...fields, name: place?.inKey });
  const changedSettings = defined({ ...settings, ...(place && { name: place.inSettings ?? null }) });
  for (;;) {
    const before = await findApiKey({ db }, owner, id);
    if (!before) return undefined;
    if (Object.keys({ ...changedFields, ...changedSettings }).length === 0) return before;
    const set = getKeys(defined(settings)).map((setting) => [setting, settings[setting] ?? defaultSettings[setting]]);
    const merged: KeySettings = Object.assign({ ...before.settings }, Object.fromEntries(set));
    const changedAt = nextChange(before, clock.now());
    const after = { ...before, ...defined(fields), ...(name !== undefined && { name }), changedAt, settings: merged };
    const { when, values } = unchangedSince(before);
    const keyUpdate = buildUpdate({ ...changedFields, changedAt });
    const written = await db.transact([
      { table: 'api-keys', key: { id }, ...keyUpdate, when, values: { ...keyUpdate.values, ...values } },
      ...(Object.keys(changedSettings).length > 0
        ? [{ table: 'key-settings' as const, key: { id }, ...buildUpdate(changedSettings) }]
        : []),
      ...recordKeyChange(before, after, changedAt),
    ]);
    if (written.ok) return after;
  }
}

const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Builds an update that sets attributes and removes those that are null. */
function buildUpdate(fields: Record<string, unknown>) {
  const set = Object.keys(fields).filter((name) => fields[name] !== null);
  const removed = Object.keys(fields).filter((name) => fields[name] === null);
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
 * It conflicts with requests of the key, which write the same item; the database retries both.
 */
export async function toggleApiKey(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  id: string,
): Promise<ApiKeyWithSettings | undefined> {
  for (;;) {
    const before = await findApiKey({ db }, owner, id);
    if (!before) return undefined;
    const set = { isActive: !before.isActive, changedAt: nextChange(before, clock.now()) };
    const after = { ...before, ...set };
    const { when, values } = unchangedSince(before);
    const { ok } = await db.transact([
      {
        table: 'api-keys',
        key: { id },
        update: `SET ${setting(getKeys(set))}`,
        // A toggle of the previous version, during a rollout, does not set the time.
        when: `#isActive = :activeBefore AND ${when}`,
        values: { ...set, ...values, activeBefore: before.isActive },
      },
      ...recordKeyChange(before, after, set.changedAt),
    ]);
    if (ok) return after;
  }
}
