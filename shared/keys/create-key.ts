import { isoTime, utcDay } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Alongside } from '../platform/idempotency.ts';
import { isId } from '../platform/values/ids.ts';
import { fromUsd } from '../platform/values/money.ts';
import type { ApiKey } from './api-key.ts';
import { generateKey, keyFingerprint, maskKey } from './credential.ts';
import { mergeKeyRows, splitName } from './find-key.ts';
import type { SettingChanges } from './key-settings.ts';
import { emptyWindows } from './sliding-window.ts';

type AddEffects = Pick<Effects, 'db' | 'clock' | 'ids'>;
type NewKey = Pick<ApiKey, 'name' | 'mode' | 'judge'> & {
  /** USD CPM. */
  bidFloor: number;
  settings?: SettingChanges;
};

/** Stores a new key. The secret is in the answer and nowhere else. */
export async function addApiKey(effects: AddEffects, owner: string, input: NewKey) {
  const { puts, ...made } = buildKey(effects, owner, input);
  await writeAll(effects, puts);
  return made;
}

/** The same with what is written alongside, if anything; undefined where that was refused. */
export async function addApiKeyOnce(effects: AddEffects, owner: string, input: NewKey, alongside: Alongside) {
  const { puts, ...made } = buildKey(effects, owner, input);
  const { ok } = await writeAll(effects, [...alongside(made.key.id), ...puts]);
  return ok ? made : undefined;
}

/** One write by itself costs half of what it does in a transaction. */
const writeAll = ({ db }: AddEffects, writes: Write[]) =>
  writes.length === 1 ? db.write(writes[0]!) : db.transact(writes);

function buildKey(
  { clock, ids }: AddEffects,
  owner: string,
  { name, mode, bidFloor, judge = true, settings = {} }: NewKey,
) {
  const secret = generateKey(mode, ids.bytes);
  const id = keyFingerprint(secret);
  const { inKey, inSettings } = splitName(name);
  const key: ApiKey = {
    id,
    owner,
    name: inKey,
    masked: maskKey(secret),
    mode,
    bidFloor: fromUsd(bidFloor),
    judge,
    isActive: true,
    createdAt: isoTime(clock.now()),
    lastUsedAt: null,
    requestCount: 0,
    day: utcDay(clock.now()),
    dayRequests: 0,
  };
  // Settles the race with an attempt that the store carries out late: what was switched off meanwhile stays off.
  const put: Write<'api-keys'> = {
    table: 'api-keys',
    put: { ...key, ...emptyWindows },
    when: 'attribute_not_exists(#id)',
  };
  const set = Object.entries({ ...settings, name: inSettings }).filter(([, value]) => value != null);
  const item = { id, ...Object.fromEntries(set) };
  const beside: Write<'key-settings'>[] = set.length > 0 ? [{ table: 'key-settings', put: item }] : [];
  return { key: mergeKeyRows({ ...key, name }, item), secret, puts: [put, ...beside] };
}

/** Deletes a key and its settings for good; whether the user had it. A transaction, so that a lost answer does not make it one that never was. */
export async function removeApiKey({ db }: Pick<Effects, 'db'>, owner: string, id: string): Promise<boolean> {
  if (!isId('apiKey', id)) return false;
  const { ok } = await db.transact([
    { table: 'api-keys', key: { id }, remove: true, when: '#owner = :owner', values: { owner } },
    { table: 'key-settings', key: { id }, remove: true },
  ]);
  return ok;
}
