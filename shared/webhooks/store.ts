import { isoTime } from '../clock.ts';
import type { Write } from '../database.ts';
import type { Effects } from '../effects.ts';
import type { EventType } from '../events/types.ts';
import { mintSecret } from './secret.ts';

export interface Webhook {
  owner: string;
  id: string;
  url: string;
  events: EventType[];
  description: string;
  status: 'active' | 'failed' | 'disabled';
  secret: string;
  /** The secret before the last rotation, which signs along until then (epoch milliseconds). */
  previous: { secret: string; until: number } | null;
  createdAt: string;
  updatedAt: string;
  lastDeliveryAt: string | null;
  lastError: string | null;
  /** Epoch milliseconds of the first of the failures since the last success. */
  failingSince: number | null;
}

export const MOST_WEBHOOKS = 20;
/** After so long of nothing but failures a webhook is disabled (decisions, section 8). */
const DISABLED_AFTER_MS = 5 * 24 * 60 * 60 * 1000;
/** How long the old secret signs along (decisions, section 8). */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

const WEBHOOK_ID = /^wh_[0-9A-Za-z]{20}$/;
const countKey = (owner: string) => ({ owner, id: '#count' });

type Changes = Partial<Pick<Webhook, 'url' | 'events' | 'description' | 'status'>>;

export type WebhookStore = ReturnType<typeof webhookStore>;

export function webhookStore({ db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>) {
  const find = async (owner: string, id: string): Promise<Webhook | undefined> =>
    WEBHOOK_ID.test(id) ? ((await db.get('webhooks', { owner, id })) as Webhook | undefined) : undefined;

  const change = async (owner: string, id: string, fields: object, when = 'attribute_exists(#id)', values = {}) => {
    const all = { ...fields, updatedAt: isoTime(clock.now()) };
    const names = Object.keys(all);
    const written = await db.write(
      {
        table: 'webhooks',
        key: { owner, id },
        update: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
        when,
        values: { ...all, ...values },
      },
      'new',
    );
    return written.ok ? (written.item as Webhook) : undefined;
  };

  return {
    find,

    /** A new webhook with its secret; undefined when the user has as many as there may be. */
    async create(owner: string, { url, events, description }: Pick<Webhook, 'url' | 'events' | 'description'>) {
      const time = isoTime(clock.now());
      const webhook: Webhook = {
        owner,
        id: ids.ordered('wh'),
        url,
        events,
        description,
        status: 'active',
        secret: mintSecret(ids.bytes),
        previous: null,
        createdAt: time,
        updatedAt: time,
        lastDeliveryAt: null,
        lastError: null,
        failingSince: null,
      };
      const written = await db.transact([{ table: 'webhooks', put: webhook }, countOneMore(owner)]);
      return written.ok ? webhook : undefined;
    },

    /** A user's webhooks in the order of their creation. */
    async list(owner: string): Promise<Webhook[]> {
      const found: Webhook[] = [];
      const items = db.query({
        table: 'webhooks',
        where: '#owner = :owner AND begins_with(#id, :prefix)',
        values: { owner, prefix: 'wh_' },
        consistent: true,
      });
      for await (const item of items) found.push(item as Webhook);
      return found;
    },

    /** Changes some fields; undefined when the user has no such webhook. A status of its user's begins with a clean slate. */
    update: (owner: string, id: string, changes: Changes): Promise<Webhook | undefined> =>
      WEBHOOK_ID.test(id)
        ? change(owner, id, { ...changes, ...(changes.status && { failingSince: null, lastError: null }) })
        : Promise.resolve(undefined),

    /** Notes what an attempt says of a receiver: an error, or null for a success; and whether a delivery was given up with it. */
    async noteHealth(
      { owner, id, status, failingSince }: Webhook,
      error: string | null,
      gaveUp: boolean,
    ): Promise<void> {
      const now = clock.now();
      const since = error === null ? null : (failingSince ?? now);
      const isLost = since !== null && now - since >= DISABLED_AFTER_MS;
      const after = error === null ? 'active' : isLost ? 'disabled' : gaveUp ? 'failed' : status;
      await db.write({
        table: 'webhooks',
        key: { owner, id },
        update: 'SET #status = :after, #lastError = :error, #failingSince = :since, #lastDeliveryAt = :time',
        // Settles the race with its user: what was deleted stays so, and what was disabled or revived meanwhile as well.
        when: 'attribute_exists(#id) AND #status = :before',
        values: { after, error, since, time: isoTime(now), before: status },
      });
    },

    /** A new secret; the old one signs along for a day. */
    async rotate(owner: string, id: string): Promise<Webhook | undefined> {
      for (;;) {
        const before = await find(owner, id);
        if (!before) return undefined;
        const fields = {
          secret: mintSecret(ids.bytes),
          previous: { secret: before.secret, until: clock.now() + OVERLAP_MS },
        };
        // Settles the race of two rotations: the secret that the first one gave becomes the second one's previous.
        const after = await change(owner, id, fields, '#secret = :old', { old: before.secret });
        if (after) return after;
      }
    },

    /** Whether there was one to delete. */
    async remove(owner: string, id: string): Promise<boolean> {
      if (!WEBHOOK_ID.test(id)) return false;
      const written = await db.transact([
        { table: 'webhooks', key: { owner, id }, remove: true, when: 'attribute_exists(#id)' },
        { table: 'webhooks', key: countKey(owner), update: 'ADD #count :less', values: { less: -1 } },
      ]);
      return written.ok;
    },
  };
}

/** The condition settles the race for the last place. */
const countOneMore = (owner: string): Write => ({
  table: 'webhooks',
  key: countKey(owner),
  update: 'ADD #count :one',
  when: 'attribute_not_exists(#count) OR #count < :most',
  values: { one: 1, most: MOST_WEBHOOKS },
});
