import { isoTime, utcDay } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Alongside } from '../platform/idempotency.ts';
import { fromUsd } from '../platform/values/money.ts';
import type { ApiKey } from './api-key.ts';
import { generateKey, keyFingerprint, maskKey } from './credential.ts';
import { recordDeletedKey } from './deleted-keys.ts';
import { findApiKey, mergeKeyRows, splitName } from './find-key.ts';
import { recordKeyCreation, recordKeyDeletion } from './key-activity.ts';
import type { SettingChanges } from './key-settings.ts';
import { emptyWindows } from './sliding-window.ts';
import { keepDay } from './use-key.ts';

type AddEffects = Pick<Effects, 'db' | 'clock' | 'ids'>;
type NewKey = Pick<ApiKey, 'name' | 'mode' | 'judge'> & {
  /** USD CPM. */
  bidFloor: number;
  settings?: SettingChanges;
};

/** Stores a new key. Only the returned object contains the secret. */
export async function addApiKey(effects: AddEffects, owner: string, input: NewKey) {
  const { puts, ...created } = buildKey(effects, owner, input);
  await effects.db.transact(puts);
  return created;
}

/** Like `addApiKey`, in one transaction with the writes of `alongside`. Returns undefined if the condition of one of them fails. */
export async function addApiKeyOnce(effects: AddEffects, owner: string, input: NewKey, alongside: Alongside) {
  const { puts, ...created } = buildKey(effects, owner, input);
  const { ok } = await effects.db.transact([...alongside(created.key.id), ...puts]);
  return ok ? created : undefined;
}

function buildKey(
  { clock, ids }: AddEffects,
  owner: string,
  { name, mode, bidFloor, judge = true, settings = {} }: NewKey,
) {
  const secret = generateKey(mode, ids.bytes);
  const id = keyFingerprint(secret);
  const { inKey, inSettings } = splitName(name);
  const now = clock.now();
  const key: ApiKey = {
    id,
    owner,
    name: inKey,
    masked: maskKey(secret),
    mode,
    bidFloor: fromUsd(bidFloor),
    judge,
    isActive: true,
    createdAt: isoTime(now),
    lastUsedAt: null,
    requestCount: 0,
    day: utcDay(now),
    dayRequests: 0,
  };
  // Settles the race with a delayed retry of this write: a key that was disabled since its creation stays disabled.
  const put: Write<'api-keys'> = {
    table: 'api-keys',
    put: { ...key, ...emptyWindows },
    when: 'attribute_not_exists(#id)',
  };
  const set = Object.entries({ ...settings, name: inSettings }).filter(([, value]) => value != null);
  const item = { id, ...Object.fromEntries(set) };
  const settingsPuts: Write<'key-settings'>[] = set.length > 0 ? [{ table: 'key-settings', put: item }] : [];
  const merged = mergeKeyRows({ ...key, name }, item);
  return { key: merged, secret, puts: [put, ...settingsPuts, ...recordKeyCreation(merged)] };
}

/**
 * Deletes a key and its settings. Returns false if the owner has no such key. A key that was used stays in its owner's statements. The
 * write is a transaction: a retry after a lost response still returns true.
 */
export async function removeApiKey(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  id: string,
): Promise<boolean> {
  const key = await findApiKey({ db }, owner, id);
  if (!key) return false;
  // A key that is first used at this moment earns nothing, because retrieving an ad needs it.
  const isUsed = key.lastUsedAt !== null && key.mode === 'live';
  if (isUsed) await keepDay({ db }, key); // the removed item counts the requests of its last day
  const { ok } = await db.transact([
    // Settles the race of two deletions: the second one fails, and records nothing.
    { table: 'api-keys', key: { id }, remove: true, when: '#owner = :owner', values: { owner } },
    { table: 'key-settings', key: { id }, remove: true },
    ...(isUsed ? [recordDeletedKey(key, clock.now())] : []),
    ...recordKeyDeletion(key, clock.now()),
  ]);
  return ok;
}
