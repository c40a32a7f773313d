import { createKnownFull } from '../limits/known-full.ts';
import type { WindowPlace } from '../limits/store.ts';
import { isoTime } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { isId } from '../values/ids.ts';
import { fromUsd, type Micros } from '../values/money.ts';
import { keyFingerprint, type Mode, mask, mintKey } from './key.ts';
import * as window from './window.ts';

/** A key as it is stored: never the key itself. */
export interface ApiKey {
  id: string;
  owner: string;
  name: string;
  masked: string;
  mode: Mode;
  /** CPM in micro-dollars below which a bid does not take part. */
  bidFloor: Micros;
  isActive: boolean;
  createdAt: string;
  lastUsedAt: string | null;
  requestCount: number;
}

declare module '../platform/items.ts' {
  interface Items {
    'api-keys': ApiKey & window.Windows;
  }
}

/** What one use of a key came to. */
type KeyUse =
  | (WindowPlace & { outcome: 'accepted' } & { key: ApiKey })
  | (WindowPlace & { outcome: 'limited' })
  | { outcome: 'unknown' };

export type ApiKeyStore = ReturnType<typeof apiKeyStore>;

export function apiKeyStore({ db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>) {
  const full = createKnownFull();

  return {
    /** Stores a new key. The secret is in the answer and nowhere else. */
    async create(owner: string, { name, mode, bidFloor }: { name: string; mode: Mode; bidFloor: number }) {
      const secret = mintKey(mode, ids.bytes);
      const key: ApiKey = {
        id: keyFingerprint(secret),
        owner,
        name,
        masked: mask(secret),
        mode,
        bidFloor: fromUsd(bidFloor),
        isActive: true,
        createdAt: isoTime(clock.now()),
        lastUsedAt: null,
        requestCount: 0,
      };
      // Settles the race with an attempt that the store carries out late: what was switched off meanwhile stays off.
      await db.write({
        table: 'api-keys',
        put: { ...key, ...window.emptyWindows },
        when: 'attribute_not_exists(#id)',
      });
      return { key, secret };
    },

    /** Whether there is such a key and it is on. Counts nothing. */
    async isActive(id: string): Promise<boolean> {
      return (await db.get('api-keys', { id }))?.isActive === true;
    },

    /** Milliseconds for which this instance knows the window to be full; 0 when it does not. Asks nobody. */
    knownFullMs(id: string, register: window.Register): number {
      return full.waitMs(`${register} ${id}`, clock.now());
    },

    /**
     * Authenticates, counts and limits in one conditional write. The condition settles the race of requests for the last
     * place in the window; the old item of a failed one tells an unknown key from a full window.
     */
    async use(id: string, register: window.Register): Promise<KeyUse> {
      const now = clock.now();
      const written = await db.write(
        {
          table: 'api-keys',
          key: { id },
          update: `SET #lastUsedAt = :time, ${window.shiftIn(register)} ADD #requestCount :one`,
          when: `#isActive = :true AND ${window.hasRoom(register)}`,
          once: true, // the last place taken by an attempt whose answer was lost is not a full window
          values: { time: isoTime(now), now, cutoff: now - window.LENGTH_MS, one: 1, true: true },
        },
        'new',
      );
      if (written.ok) {
        return {
          outcome: 'accepted',
          key: written.item,
          remaining: window.remaining(written.item, register, now),
          resetMs: window.LENGTH_MS,
        };
      }
      if (!written.old?.isActive) return { outcome: 'unknown' };
      const opens = window.opensAt(written.old, register);
      full.remember(`${register} ${id}`, opens);
      return { outcome: 'limited', retryAfterMs: Math.max(1, opens - now) };
    },

    /** Authenticates and counts a use in one write, where another limit than the key's own windows holds. */
    async authenticate(id: string): Promise<ApiKey | undefined> {
      const written = await db.write(
        {
          table: 'api-keys',
          key: { id },
          update: 'SET #lastUsedAt = :time ADD #requestCount :one',
          when: '#isActive = :true',
          once: true,
          values: { time: isoTime(clock.now()), one: 1, true: true },
        },
        'new',
      );
      return written.ok ? written.item : undefined;
    },

    /** A user's keys, oldest first. */
    async list(owner: string): Promise<ApiKey[]> {
      const ids: string[] = [];
      const items = db.query({ table: 'api-keys', index: 'byOwner', where: '#owner = :owner', values: { owner } });
      for await (const { id } of items) ids.push(id);
      const found = await db.getAll(
        'api-keys',
        ids.map((id) => ({ id })),
      );
      const keys = new Map(found.map((key) => [key.id, key]));
      return ids.map((id) => keys.get(id)).filter((key) => key !== undefined);
    },

    /**
     * Switches a key off or on; the next request finds it so. undefined when the user has no such key. The condition settles the
     * race of two toggles: both flip. A transaction is carried out once though its answer be lost: a leaked key stays off.
     */
    async toggle(owner: string, id: string): Promise<ApiKey | undefined> {
      if (!isId('apiKey', id)) return undefined;
      for (;;) {
        const key = await db.get('api-keys', { id });
        if (key?.owner !== owner) return undefined;
        const isActive = !key.isActive;
        const { ok } = await db.transact([
          {
            table: 'api-keys',
            key: { id },
            update: 'SET #isActive = :after',
            when: '#isActive = :before',
            values: { before: key.isActive, after: isActive },
          },
        ]);
        if (ok) return { ...key, isActive };
      }
    },

    /** Deletes a key for good; whether the user had it. A transaction, so that a lost answer does not make it one that never was. */
    async remove(owner: string, id: string): Promise<boolean> {
      if (!isId('apiKey', id)) return false;
      const { ok } = await db.transact([
        { table: 'api-keys', key: { id }, remove: true, when: '#owner = :owner', values: { owner } },
      ]);
      return ok;
    },
  };
}
