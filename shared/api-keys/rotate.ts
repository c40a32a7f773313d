import { DAY_MS } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { findApiKey, type WholeKey } from './find.ts';
import { keyFingerprint, mask, mintRotated } from './key.ts';

/** How long the secret before is accepted beside the new one (api 2). */
const OVERLAP_MS = DAY_MS;

/**
 * A new secret for a key: id, usage, windows, bids and settings are the key's own and so common to both. The one before is accepted for
 * a day more, or no longer at all; a third one is not: its fingerprint is gone. undefined when the user has no such key.
 */
export async function rotateApiKey(
  effects: Pick<Effects, 'db' | 'clock' | 'ids'>,
  owner: string,
  id: string,
  revokeOld: boolean,
): Promise<{ key: WholeKey; secret: string } | undefined> {
  const { db, clock, ids } = effects;
  for (;;) {
    const before = await findApiKey(effects, owner, id);
    if (!before) return undefined;
    const secret = mintRotated(before.mode, ids.bytes, id);
    const set = { secret: keyFingerprint(secret), masked: mask(secret) };
    const old = { oldSecret: before.secret ?? id, oldUntil: clock.now() + OVERLAP_MS };
    const { ok } = await db.transact([
      {
        table: 'api-keys',
        key: { id },
        update: revokeOld
          ? 'SET #secret = :secret, #masked = :masked REMOVE #oldSecret, #oldUntil'
          : 'SET #secret = :secret, #masked = :masked, #oldSecret = :oldSecret, #oldUntil = :oldUntil',
        // Settles the race of two rotations: the secret that the first one gave is the one before of the second.
        when: before.secret ? '#secret = :before' : 'attribute_exists(#id) AND attribute_not_exists(#secret)',
        values: { ...set, ...(!revokeOld && old), ...(before.secret && { before: before.secret }) },
      },
    ]);
    const { oldSecret: _, oldUntil: __, ...key } = before;
    if (ok) return { key: { ...key, ...set, ...(!revokeOld && old) }, secret };
  }
}
