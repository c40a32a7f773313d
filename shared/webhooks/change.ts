import { DAY_MS, isoTime } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { setting } from '../platform/expressions.ts';
import type { Alongside } from '../platform/idempotency.ts';
import { isId } from '../platform/values/ids.ts';
import { findWebhook } from './find.ts';
import { mintSecret } from './secret.ts';
import { isWebhook, type Webhook } from './webhook.ts';

/** How long a replaced secret signs along (api 8.1). */
const OVERLAP_MS = DAY_MS;
/** Secrets that sign beside the current one: each makes the headers of every delivery longer. The previous version allowed ten. */
const MOST_PREVIOUS = 5;

/** Changes some fields; undefined when the user has no such webhook. A new status from its user resets its health. */
export async function changeWebhook(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  id: string,
  changes: Partial<Pick<Webhook, 'url' | 'events' | 'description' | 'status'>>,
): Promise<Webhook | undefined> {
  if (!isId('webhook', id)) return undefined;
  const values = { ...changes, ...(changes.status && { lastError: null }), updatedAt: isoTime(clock.now()) };
  const resetHealth = changes.status ? ' REMOVE #failingSince' : '';
  const update = `SET ${setting(Object.keys(values))}${resetHealth}`;
  const when = 'attribute_exists(#id)';
  const written = await db.write({ table: 'webhooks', key: { owner, id }, update, when, values }, 'new');
  return written.ok && isWebhook(written.item) ? written.item : undefined;
}

type Rotation =
  | { outcome: 'rotated'; webhook: Webhook }
  | { outcome: 'unknown' }
  /** What was to be written alongside was refused: nothing was done. */
  | { outcome: 'repeated' }
  /** As many replaced secrets sign as may; there is room for another from `until` on (epoch milliseconds). */
  | { outcome: 'too_many'; until: number };

/**
 * Gives a webhook a new secret. The replaced one signs along for a day, and so does every one replaced before it until its own day
 * is over; with `revokeOld` none of them does.
 */
export async function rotateSecret(
  effects: Pick<Effects, 'db' | 'clock' | 'ids'>,
  owner: string,
  id: string,
  revokeOld = false,
  alongside: Alongside = () => [],
): Promise<Rotation> {
  const { db, clock, ids } = effects;
  const record = alongside(id);
  for (;;) {
    const before = await findWebhook(effects, owner, id);
    if (!before) return { outcome: 'unknown' };
    const now = clock.now();
    const previous = revokeOld ? [] : before.previous.filter(({ until }) => now < until);
    if (previous.length >= MOST_PREVIOUS) return { outcome: 'too_many', until: previous[MOST_PREVIOUS - 1]!.until };
    const fields = {
      secret: mintSecret(ids.bytes),
      previous: revokeOld ? [] : [{ secret: before.secret, until: now + OVERLAP_MS }, ...previous],
      updatedAt: isoTime(now),
    };
    // A transaction, so that a lost answer does not make two rotations of one.
    const written = await db.transact([
      ...record,
      {
        table: 'webhooks',
        key: { owner, id },
        update: `SET ${setting(Object.keys(fields))}`,
        // Settles the race of two rotations: the second is refused, reads again, and keeps the secret that the first one gave.
        when: '#secret = :old',
        values: { ...fields, old: before.secret },
      },
    ]);
    if (written.ok) return { outcome: 'rotated', webhook: { ...before, ...fields } };
    if (written.refused.slice(0, record.length).some(Boolean)) return { outcome: 'repeated' };
  }
}
