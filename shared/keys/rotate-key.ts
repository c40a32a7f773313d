import { DAY_MS } from '../platform/clock.ts';
import { setting } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Alongside } from '../platform/idempotency.ts';
import { getKeys } from '../platform/values/typed.ts';
import { type ApiKey, listReplacedSecrets, type ReplacedSecret } from './api-key.ts';
import { generateRotatedSecret, keyFingerprint, maskKey } from './credential.ts';
import { type ApiKeyWithSettings, findApiKey } from './find-key.ts';
import { nextChange, recordKeyRotation, unchangedSince } from './key-activity.ts';

/** How long a replaced secret is accepted (api 2). */
const OVERLAP_MS = DAY_MS;
/** Replaced secrets that may be accepted at the same time. Each one lengthens the item that every request writes. */
const MAX_REPLACED = 5;

type Rotation =
  | { outcome: 'rotated'; key: ApiKeyWithSettings; secret: string }
  | { outcome: 'unknown' }
  /** The condition of a write in `alongside` failed; nothing was written. */
  | { outcome: 'repeated' }
  /** `MAX_REPLACED` replaced secrets are still accepted; the next rotation is possible at `until` (epoch milliseconds). */
  | { outcome: 'too_many'; until: number };

/**
 * Gives a key a new secret. The key keeps its id, usage, windows, bids, and settings. Each replaced secret is accepted for a day after its
 * replacement; with `revokeOld`, all stop immediately.
 */
export async function rotateApiKey(
  effects: Pick<Effects, 'db' | 'clock' | 'ids'>,
  owner: string,
  id: string,
  revokeOld: boolean,
  alongside: Alongside = () => [],
): Promise<Rotation> {
  const { db, clock, ids } = effects;
  const record = alongside(id);
  for (;;) {
    const found = await findApiKey(effects, owner, id);
    if (!found) return { outcome: 'unknown' };
    const now = clock.now();
    const replaced = revokeOld ? [] : listReplacedSecrets(found, now);
    if (replaced.length >= MAX_REPLACED) return { outcome: 'too_many', until: replaced[MAX_REPLACED - 1]!.until };
    const changedAt = nextChange(found, now);
    const secret = generateRotatedSecret(found.mode, ids.bytes, id);
    const set = {
      secret: keyFingerprint(secret),
      changedAt,
      masked: maskKey(secret),
      ...(!revokeOld && { oldSecret: found.secret ?? id, oldUntil: now + OVERLAP_MS }),
      ...(replaced.length > 0 && { older: toFingerprints(replaced), olderFor: keyFingerprint(secret) }),
    };
    const { when, values } = unchangedSince(found);
    const removed = REPLACED.filter((name) => !(name in set)).map((name) => `#${name}`);
    const written = await db.transact([
      ...record,
      {
        table: 'api-keys',
        key: { id },
        update: `SET ${setting(getKeys(set))}${removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''}`,
        // Settles the race with another rotation or change: the second one fails, reads again, and keeps the first one's secret as a
        // replaced secret.
        when: `${found.secret ? '#secret = :before' : 'attribute_not_exists(#secret)'} AND ${when}`,
        values: { ...set, ...values, ...(found.secret && { before: found.secret }) },
      },
      ...recordKeyRotation(found, revokeOld, changedAt),
    ]);
    if (written.ok) return { outcome: 'rotated', key: { ...removeOldSecrets(found), ...set }, secret };
    if (written.refused.slice(0, record.length).some(Boolean)) return { outcome: 'repeated' };
  }
}

const toFingerprints = (replaced: readonly ReplacedSecret[]) =>
  Object.fromEntries(replaced.map(({ secret, until }) => [secret, until]));

/** The attributes of replaced secrets. `oldSecret` and `oldUntil` stay separate, because the previous version reads only these. */
const REPLACED = ['oldSecret', 'oldUntil', 'older', 'olderFor'] as const satisfies (keyof ApiKey)[];

const removeOldSecrets = ({ oldSecret, oldUntil, older, olderFor, ...rest }: ApiKeyWithSettings) => rest;
