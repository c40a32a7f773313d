import { MINUTE_MS, ttlAt } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { remember } from '../platform/values/cache.ts';

/** The result of taking a place in a window; times in milliseconds. */
export type RateLimitResult =
  | { outcome: 'accepted'; remaining: number; resetMs: number }
  | { outcome: 'limited'; retryAfterMs: number };

interface RequestWindow {
  subject: string;
  count: number;
  /** Epoch milliseconds. */
  endsAt: number;
  ttl: number;
}

/** The leased slots of a subject: the end of each lease (epoch milliseconds), and a hash of its holder. */
type Leases = { subject: string; ttl?: number } & { [Slot in `slot${number}`]?: number } & {
  [Holder in `held${number}`]?: string;
};

declare module '../platform/items.ts' {
  interface Items {
    limits: RequestWindow | Leases;
  }
}

const getWindow = (item: Item<'limits'> | undefined): RequestWindow | undefined =>
  item && 'endsAt' in item ? item : undefined;

/** The leases of an item; empty without an item. */
export const getLeases = (item: Item<'limits'> | undefined): Partial<Leases> =>
  item && !('endsAt' in item) ? item : {};

/**
 * Limits requests per minute (api 1.4). A window opens at a subject's first request and lasts 60 seconds. In the common case, one write takes
 * a place in the open window; its condition settles the race for the last place.
 */
export function createRateLimit({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const full = createFullWindowCache();

  return {
    async take(subject: string, max: number): Promise<RateLimitResult> {
      for (;;) {
        const now = clock.now();
        const waitMs = full.waitMs(subject, now);
        if (waitMs > 0) return { outcome: 'limited', retryAfterMs: waitMs };
        const written = await db.write(
          {
            table: 'limits',
            key: { subject },
            update: 'ADD #count :one',
            when: '#endsAt > :now AND #count < :max',
            values: { one: 1, now, max },
            once: true,
          },
          'new',
        );
        const window = getWindow(written.ok ? written.item : written.old);
        if (written.ok && window)
          return { outcome: 'accepted', remaining: max - window.count, resetMs: window.endsAt - now };
        const endsAt = window?.endsAt ?? 0;
        if (endsAt > now) {
          full.remember(subject, endsAt);
          continue;
        }
        const opened = await db.write({
          table: 'limits',
          put: { subject, count: 1, endsAt: now + MINUTE_MS, ttl: ttlAt(now + MINUTE_MS) },
          // Settles the race to open a new window: one request opens it, the others take places in it.
          when: 'attribute_not_exists(#subject) OR #endsAt = :ended',
          values: { ended: endsAt },
          once: true,
        });
        if (opened.ok) return { outcome: 'accepted', remaining: max - 1, resetMs: MINUTE_MS };
      }
    },
  };
}

/** Maximum number of cached full windows. Evicting one costs at most one write. */
const MAX_FULL_WINDOWS = 10_000;

/** Caches the windows that this instance has found full, to avoid writes that must fail. */
export function createFullWindowCache() {
  const opensAtByWindow = new Map<string, number>();
  return {
    remember: (window: string, opensAt: number): void => remember(opensAtByWindow, window, opensAt, MAX_FULL_WINDOWS),
    /** Milliseconds until the window opens; 0 if it is not known to be full. */
    waitMs: (window: string, now: number): number => Math.max(0, (opensAtByWindow.get(window) ?? 0) - now),
  };
}
