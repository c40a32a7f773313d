import { MINUTE_MS, ttlAt } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { remember } from '../platform/values/cache.ts';

/** What taking a place in a window came to; times in milliseconds. */
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

/** Slots that a subject holds, each until the epoch millisecond in which its lease ends, and what for. */
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

/** The leases of an item, none where there is no item. */
export const getLeases = (item: Item<'limits'> | undefined): Partial<Leases> =>
  item && !('endsAt' in item) ? item : {};

/**
 * Requests per minute (api 1.4): a window opens at a subject's first request and lasts 60 seconds. The common case
 * is one write that finds the window open and not full; its condition settles the race for the last place.
 */
export function createRateLimit({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const full = createFullWindowCache();

  return {
    async take(subject: string, most: number): Promise<RateLimitResult> {
      for (;;) {
        const now = clock.now();
        const waitMs = full.waitMs(subject, now);
        if (waitMs > 0) return { outcome: 'limited', retryAfterMs: waitMs };
        const written = await db.write(
          {
            table: 'limits',
            key: { subject },
            update: 'ADD #count :one',
            when: '#endsAt > :now AND #count < :most',
            values: { one: 1, now, most },
            once: true,
          },
          'new',
        );
        const window = getWindow(written.ok ? written.item : written.old);
        if (written.ok && window)
          return { outcome: 'accepted', remaining: most - window.count, resetMs: window.endsAt - now };
        const endsAt = window?.endsAt ?? 0;
        if (endsAt > now) {
          full.remember(subject, endsAt);
          continue;
        }
        const opened = await db.write({
          table: 'limits',
          put: { subject, count: 1, endsAt: now + MINUTE_MS, ttl: ttlAt(now + MINUTE_MS) },
          // Settles the race for the first place of a new window: one opens it, the others count in it.
          when: 'attribute_not_exists(#subject) OR #endsAt = :ended',
          values: { ended: endsAt },
          once: true,
        });
        if (opened.ok) return { outcome: 'accepted', remaining: most - 1, resetMs: MINUTE_MS };
      }
    },
  };
}

/** Forgetting a full window costs one write at most, so the memory of them need not be clever. */
const MAX_FULL_WINDOWS = 10_000;

/** What one instance knows of full windows, and until when: asking the store about them would only cost a write. */
export function createFullWindowCache() {
  const until = new Map<string, number>();
  return {
    remember: (window: string, opensAt: number): void => remember(until, window, opensAt, MAX_FULL_WINDOWS),
    /** Milliseconds until the window opens; 0 when it is not known to be full. */
    waitMs: (window: string, now: number): number => Math.max(0, (until.get(window) ?? 0) - now),
  };
}
