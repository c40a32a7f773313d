import { createKnownFull } from '../limits/known-full.ts';
import type { WindowPlace } from '../limits/store.ts';
import { isoTime } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { acceptedValues, accepts, isAccepted } from './accepted.ts';
import type { ApiKey } from './api-key.ts';
import { onItsDay } from './asked.ts';
import type { Credential } from './key.ts';
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
    /** Whether there is such a key, it is on and has this secret. Counts nothing. */
    async isAccepted(credential: Credential): Promise<boolean> {
      return accepts(await db.get('api-keys', { id: credential.keyId }), credential, clock.now());
    },

    /** Milliseconds for which this instance knows the window to be full; 0 when it does not. Asks nobody. */
    knownFullMs(id: string, register: window.Register): number {
      return full.waitMs(`${register} ${id}`, clock.now());
    },

    /**
     * Authenticates, counts and limits in one conditional write; `asked` is for how many ads. The condition settles the race of requests for the last
     * place in the window; the old item of a failed one tells an unknown key from a full window.
     */
    async use(credential: Credential, register: window.Register, asked: number): Promise<KeyUse> {
      const id = credential.keyId;
      const now = clock.now();
      const cutoff = now - window.LENGTH_MS;
      const written = await onItsDay({ db, clock }, credential, asked, (count) =>
        db.write(
          {
            table: 'api-keys',
            key: { id },
            update: `SET #lastUsedAt = :time, ${window.shiftIn(register)}${count.set} ADD #requestCount :one${count.add}`,
            when: `${isAccepted(credential)} AND ${window.hasRoom(register)}${count.when}`,
            once: true, // the last place taken by an attempt whose answer was lost is not a full window
            values: { ...acceptedValues(credential, now), time: isoTime(now), cutoff, one: 1, ...count.values },
          },
          'new',
        ),
      );
      if (written.ok) {
        return {
          outcome: 'accepted',
          key: written.item,
          remaining: window.remaining(written.item, register, now),
          resetMs: window.LENGTH_MS,
        };
      }
      const { old } = written;
      if (!old || !accepts(old, credential, now)) return { outcome: 'unknown' };
      const opens = window.opensAt(old, register);
      full.remember(`${register} ${id}`, opens);
      return { outcome: 'limited', retryAfterMs: Math.max(1, opens - now) };
    },

    /** Authenticates and counts a use in one write, where another limit than the key's own windows holds. */
    async authenticate(credential: Credential, asked: number): Promise<ApiKey | undefined> {
      const now = clock.now();
      const written = await onItsDay({ db, clock }, credential, asked, (count) =>
        db.write(
          {
            table: 'api-keys',
            key: { id: credential.keyId },
            update: `SET #lastUsedAt = :time${count.set} ADD #requestCount :one${count.add}`,
            when: isAccepted(credential) + count.when,
            once: true,
            values: { ...acceptedValues(credential, now), time: isoTime(now), one: 1, ...count.values },
          },
          'new',
        ),
      );
      return written.ok ? written.item : undefined;
    },
  };
}
