import { isoTime } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { isId } from '../values/ids.ts';
import { fromUsd } from '../values/money.ts';
import type { ApiKey } from './api-key.ts';
import { keyFingerprint, type Mode, mask, mintKey } from './key.ts';
import { emptyWindows } from './window.ts';

/** Stores a new key. The secret is in the answer and nowhere else. */
export async function addApiKey(
  { db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>,
  owner: string,
  { name, mode, bidFloor, judge = true }: { name: string; mode: Mode; bidFloor: number; judge?: boolean },
) {
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
  await db.write({
    table: 'api-keys',
    put: { ...key, ...emptyWindows },
    when: 'attribute_not_exists(#id)',
  });
  return { key, secret };
}

/** Deletes a key for good; whether the user had it. A transaction, so that a lost answer does not make it one that never was. */
export async function removeApiKey({ db }: Pick<Effects, 'db'>, owner: string, id: string): Promise<boolean> {
  if (!isId('apiKey', id)) return false;
  const { ok } = await db.transact([
    { table: 'api-keys', key: { id }, remove: true, when: '#owner = :owner', values: { owner } },
  ]);
  return ok;
}
