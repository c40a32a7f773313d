import { DAY_MS, isoTime } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { setting } from '../platform/expressions.ts';
import { isId } from '../values/ids.ts';
import { findWebhook } from './find.ts';
import { mintSecret } from './secret.ts';
import { isWebhook, type Webhook } from './webhook.ts';

/** How long the old secret signs along (api 8.1). */
const OVERLAP_MS = DAY_MS;
/** Secrets that sign beside the current one: each makes the headers of every delivery longer. */
export const MOST_PREVIOUS = 10;

/** Sets some fields; undefined when there is none such, or when it is not as `when` says. */
async function set(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  key: { owner: string; id: string },
  fields: Partial<Webhook>,
  when = 'attribute_exists(#id)',
  values = {},
): Promise<Webhook | undefined> {
  const all = { ...fields, updatedAt: isoTime(clock.now()) };
  const resetHealth = fields.status ? ' REMOVE #failingSince' : '';
  const update = `SET ${setting(Object.keys(all))}${resetHealth}`;
  const written = await db.write({ table: 'webhooks', key, update, when, values: { ...all, ...values } }, 'new');
  return written.ok && isWebhook(written.item) ? written.item : undefined;
}

/** Changes some fields; undefined when the user has no such webhook. A status of its user's begins with a clean slate. */
export const changeWebhook = async (
  effects: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  id: string,
  changes: Partial<Pick<Webhook, 'url' | 'events' | 'description' | 'status'>>,
): Promise<Webhook | undefined> =>
  isId('webhook', id)
    ? set(effects, { owner, id }, { ...changes, ...(changes.status && { lastError: null }) })
    : undefined;

type Rotation = { outcome: 'rotated'; webhook: Webhook } | { outcome: 'unknown' } | { outcome: 'too_often' };

/** A new secret; the old one signs along for a day, and so do those of other rotations within a day. */
export async function rotateSecret(
  effects: Pick<Effects, 'db' | 'clock' | 'ids'>,
  owner: string,
  id: string,
): Promise<Rotation> {
  const { clock, ids } = effects;
  for (;;) {
    const before = await findWebhook(effects, owner, id);
    if (!before) return { outcome: 'unknown' };
    const now = clock.now();
    const previous = before.previous.filter(({ until }) => now < until);
    if (previous.length >= MOST_PREVIOUS) return { outcome: 'too_often' };
    const fields = {
      secret: mintSecret(ids.bytes),
      previous: [{ secret: before.secret, until: now + OVERLAP_MS }, ...previous],
    };
    // Settles the race of two rotations: the secret that the first one gave becomes one of the second one's previous. The new
    // secret is there already when the answer of an attempt was lost.
    const when = '#secret = :old OR #secret = :secret';
    const webhook = await set(effects, { owner, id }, fields, when, { old: before.secret });
    if (webhook) return { outcome: 'rotated', webhook };
  }
}
