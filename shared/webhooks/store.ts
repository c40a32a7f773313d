import type { EventType } from '../events/types.ts';
import { DAY_MS, isoTime } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { mintSecret } from './secret.ts';

export interface Webhook {
  owner: string;
  id: string;
  url: string;
  events: EventType[];
  description: string;
  status: 'active' | 'failed' | 'disabled';
  secret: string;
  /** The secrets before it, newest first, each of which signs along until then (epoch milliseconds). */
  previous: { secret: string; until: number }[];
  createdAt: string;
  updatedAt: string;
  lastDeliveryAt: string | null;
  lastError: string | null;
  /** Epoch milliseconds of the first of the failures since the last success; absent when there are none. */
  failingSince?: number;
}

declare module '../platform/items.ts' {
  interface Items {
    webhooks: Webhook | { owner: string; id: '#count'; count: number };
  }
}

export const MOST_WEBHOOKS = 20;
/** After so long of nothing but failures a webhook is disabled (api 8.1). */
const DISABLED_AFTER_MS = 5 * DAY_MS;
/** How long the old secret signs along (api 8.1). */
const OVERLAP_MS = DAY_MS;
/** Secrets that sign beside the current one: each makes the headers of every delivery longer. */
export const MOST_PREVIOUS = 10;

const WEBHOOK_ID = /^wh_[0-9A-Za-z]{20}$/;
const countKey = (owner: string) => ({ owner, id: '#count' }) as const;

type Changes = Partial<Pick<Webhook, 'url' | 'events' | 'description' | 'status'>>;

export type Rotation = { outcome: 'rotated'; webhook: Webhook } | { outcome: 'unknown' } | { outcome: 'too_often' };

export type WebhookStore = ReturnType<typeof webhookStore>;

export function webhookStore({ db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>) {
  const find = async (owner: string, id: string): Promise<Webhook | undefined> =>
    WEBHOOK_ID.test(id) ? ((await db.get('webhooks', { owner, id })) as Webhook | undefined) : undefined;

  /** Sets some fields; undefined when there is none such, or when it is not as `when` says. */
  const change = async (owner: string, id: string, fields: object, when = 'attribute_exists(#id)', values = {}) => {
    const all = { ...fields, updatedAt: isoTime(clock.now()) };
    const names = Object.keys(all);
    const cleanSlate = 'status' in fields ? ' REMOVE #failingSince' : '';
    const written = await db.write(
      {
        table: 'webhooks',
        key: { owner, id },
        update: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}${cleanSlate}`,
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
        previous: [],
        createdAt: time,
        updatedAt: time,
        lastDeliveryAt: null,
        lastError: null,
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
        ? change(owner, id, { ...changes, ...(changes.status && { lastError: null }) })
        : Promise.resolve(undefined),

    /**
     * Notes what an attempt says of a receiver: an error, or null for a success; and whether a delivery was given up with it.
     * Nothing is written that was read before the attempt: attempts at one receiver overlap.
     */
    async noteHealth({ owner, id }: Pick<Webhook, 'owner' | 'id'>, error: string | null, gaveUp: boolean) {
      const now = clock.now();
      const common = { table: 'webhooks', key: { owner, id } } as const;
      // Settles the race with its user: what was deleted stays so, and what was disabled meanwhile as well.
      const when = 'attribute_exists(#id) AND #status <> :disabled';
      const values = { disabled: 'disabled', time: isoTime(now), error };
      if (error === null) {
        const update = 'SET #status = :active, #lastError = :error, #lastDeliveryAt = :time REMOVE #failingSince';
        await db.write({ ...common, update, when, values: { ...values, active: 'active' } });
        return;
      }
      const update =
        'SET #lastError = :error, #lastDeliveryAt = :time, #failingSince = if_not_exists(#failingSince, :now)' +
        (gaveUp ? ', #status = :failed' : '');
      const written = await db.write(
        { ...common, update, when, values: { ...values, now, ...(gaveUp && { failed: 'failed' }) } },
        'new',
      );
      const since = written.ok ? (written.item as Webhook).failingSince! : now;
      if (now - since < DISABLED_AFTER_MS) return;
      await db.write({
        ...common,
        update: 'SET #status = :disabled',
        when: `${when} AND #failingSince = :since`, // settles the race with a success, and with its user's reviving it
        values: { disabled: 'disabled', since },
      });
    },

    /** A new secret; the old one signs along for a day, and so do those of other rotations within a day. */
    async rotate(owner: string, id: string): Promise<Rotation> {
      for (;;) {
        const before = await find(owner, id);
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
        const webhook = await change(owner, id, fields, '#secret = :old OR #secret = :secret', { old: before.secret });
        if (webhook) return { outcome: 'rotated', webhook };
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
const countOneMore = (owner: string): Write<'webhooks'> => ({
  table: 'webhooks',
  key: countKey(owner),
  update: 'ADD #count :one',
  when: 'attribute_not_exists(#count) OR #count < :most',
  values: { one: 1, most: MOST_WEBHOOKS },
});
