import type { Alongside } from '../idempotency/record.ts';
import { isoTime } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { isId } from '../values/ids.ts';
import { fromUsd } from '../values/money.ts';
import type { ApiKey } from './api-key.ts';
import { keyFingerprint, mask, mintKey } from './key.ts';
import { emptyWindows } from './window.ts';

type AddEffects = Pick<Effects, 'db' | 'clock' | 'ids'>;
type NewKey = Pick<ApiKey, 'name' | 'mode' | 'judge'> & {
  /** USD CPM. */
  bidFloor: number;
};

/** Stores a new key. The secret is in the answer and nowhere else. */
export async function addApiKey(effects: AddEffects, owner: string, input: NewKey) {
  const { put, ...made } = minted(effects, owner, input);
  await effects.db.write(put);
  return made;
}

/** The same with what is written alongside, if anything; undefined where that was refused. */
export async function addApiKeyOnce(effects: AddEffects, owner: string, input: NewKey, alongside: Alongside) {
  const { put, ...made } = minted(effects, owner, input);
  const record = alongside(made.key.id);
  const { ok } = record.length > 0 ? await effects.db.transact([...record, put]) : await effects.db.write(put);
  return ok ? made : undefined;
}

function minted({ clock, ids }: AddEffects, owner: string, { name, mode, bidFloor, judge = true }: NewKey) {
  const secret = mintKey(mode, ids.bytes);
  const key: ApiKey = {
    id: keyFingerprint(secret),
    owner,
    name,
    masked: mask(secret),
    mode,
    bidFloor: fromUsd(bidFloor),
    judge,
    isActive: true,
    createdAt: isoTime(clock.now()),
    lastUsedAt: null,
    requestCount: 0,
  };
  // Settles the race with an attempt that the store carries out late: what was switched off meanwhile stays off.
  const put: Write<'api-keys'> = {
    table: 'api-keys',
    put: { ...key, ...emptyWindows },
    when: 'attribute_not_exists(#id)',
  };
  return { key, secret, put };
}

/** A user's key of this id. */
export async function findApiKey({ db }: Pick<Effects, 'db'>, owner: string, id: string): Promise<ApiKey | undefined> {
  const found = await db.get('api-keys', { id });
  return found?.owner === owner ? found : undefined;
}

/** Deletes a key for good; whether the user had it. A transaction, so that a lost answer does not make it one that never was. */
export async function removeApiKey({ db }: Pick<Effects, 'db'>, owner: string, id: string): Promise<boolean> {
  if (!isId('apiKey', id)) return false;
  const { ok } = await db.transact([
    { table: 'api-keys', key: { id }, remove: true, when: '#owner = :owner', values: { owner } },
  ]);
  return ok;
}
