import { createKnownFull } from '../limits/known-full.ts';
import type { WindowPlace } from '../limits/store.ts';
import { isoTime } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { ApiKey } from './api-key.ts';
import * as window from './window.ts';

/** What one use of a key came to. */
export type KeyUse =
  | (WindowPlace & { outcome: 'accepted' } & { key: ApiKey })
  | (WindowPlace & { outcome: 'limited' })
  | { outcome: 'unknown' };

export type KeyUsage = ReturnType<typeof keyUsage>;

/** Whoever comes with a key: whether it is one, and whether its window has room. */
export function keyUsage({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const full = createKnownFull();

  return {
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
  };
}
