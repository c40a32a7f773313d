import { isoTime } from '../clock.ts';
import type { Effects } from '../effects.ts';
import { fromUsd, type Micros } from '../money.ts';
import { fingerprint, type Mode, mask, mintKey } from './key.ts';
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

/** What one use of a key came to. Times are milliseconds; `remaining` counts the window's free places. */
export type Use =
  | { outcome: 'accepted'; key: ApiKey; remaining: number }
  | { outcome: 'limited'; retryAfterMs: number }
  | { outcome: 'unknown' };

/** Forgetting a full window costs one write at most, so the memory of them need not be clever. */
const MOST_REMEMBERED = 10_000;

export type ApiKeyStore = ReturnType<typeof apiKeyStore>;

export function apiKeyStore({ db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>) {
  /** Windows that this instance knows to be full, until when: asking the store would only cost a write. */
  const full = new Map<string, number>();

  return {
    /** Stores a new key. The secret is in the answer and nowhere else. */
    async create(owner: string, { name, mode, bidFloor }: { name: string; mode: Mode; bidFloor: number }) {
      const secret = mintKey(mode, ids.bytes);
      const key: ApiKey = {
        id: fingerprint(secret),
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
      await db.write({ table: 'api-keys', put: { ...key, ...window.emptyWindows } });
      return { key, secret };
    },

    /** Milliseconds for which this instance knows the window to be full; 0 when it does not. Asks nobody. */
    knownFullMs(id: string, register: window.Register): number {
      return Math.max(0, (full.get(`${register} ${id}`) ?? 0) - clock.now());
    },

    /**
     * Authenticates, counts and limits in one conditional write. The condition settles the race of requests for the last
     * place in the window; the old item of a failed one tells an unknown key from a full window.
     */
    async use(id: string, register: window.Register): Promise<Use> {
      const now = clock.now();
      const written = await db.write(
        {
          table: 'api-keys',
          key: { id },
          update: `SET #lastUsedAt = :time, ${window.shiftIn(register)} ADD #requestCount :one`,
          when: `#isActive = :true AND ${window.hasRoom(register)}`,
          values: { time: isoTime(now), now, cutoff: now - window.LENGTH_MS, one: 1, true: true },
        },
        'new',
      );
      if (written.ok) {
        const item = written.item as ApiKey & Record<string, number>;
        return { outcome: 'accepted', key: item, remaining: window.remaining(item, register, now) };
      }
      if (!written.old?.isActive) return { outcome: 'unknown' };
      const opens = window.opensAt(written.old, register);
      if (full.size >= MOST_REMEMBERED) full.clear();
      full.set(`${register} ${id}`, opens);
      return { outcome: 'limited', retryAfterMs: Math.max(1, opens - now) };
    },
  };
}
