import type { Effects } from '../platform/effects.ts';
import { accepts } from './accepted.ts';
import type { ApiKey } from './api-key.ts';
import { countUse } from './count-use.ts';
import type { Credential } from './key.ts';
import { createKnownFull } from './known-full.ts';
import type { WindowCount } from './limit-store.ts';
import * as window from './window.ts';

/** What one use of a key came to. */
export type KeyUse =
  | (WindowCount & { outcome: 'accepted' } & { key: ApiKey })
  | (WindowCount & { outcome: 'limited' })
  | { outcome: 'unknown' };

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
      const used = await countUse({ db, clock }, credential, asked, now, {
        set: `, ${window.shiftIn(register)}`,
        when: ` AND ${window.hasRoom(register)}`,
        values: { cutoff: now - window.LENGTH_MS },
      });
      if (used.ok) {
        const remaining = window.remaining(used.item, register, now);
        return { outcome: 'accepted', key: used.item, remaining, resetMs: window.LENGTH_MS };
      }
      const { old } = used;
      if (!old || !accepts(old, credential, now)) return { outcome: 'unknown' };
      const opens = window.opensAt(old, register);
      full.remember(`${register} ${id}`, opens);
      return { outcome: 'limited', retryAfterMs: Math.max(1, opens - now) };
    },

    /** Authenticates and counts a use in one write, where another limit than the key's own windows holds. */
    async authenticate(credential: Credential, asked: number): Promise<ApiKey | undefined> {
      const used = await countUse({ db, clock }, credential, asked, clock.now());
      return used.ok ? used.item : undefined;
    },
  };
}
