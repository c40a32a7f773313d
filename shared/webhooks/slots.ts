import { createKnownFull } from '../limits/known-full.ts';
import { leasesOf } from '../limits/store.ts';
import { ttlAt } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { unlessUnavailable } from '../platform/unavailable.ts';

/** The right to one request to a receiver of this owner. It ends with its lease, whatever becomes of its holder. */
export interface Slot {
  owner: string;
  name: `slot${number}`;
  /** Epoch milliseconds. */
  leasedUntil: number;
}

/** Every one that fails has seen which slots are free; who loses all of these races comes again later. */
const TRIES = 3;
/**
 * How long an instance does not ask again for an owner who had no free slot. A backlog comes by many thousand times a second,
 * and one item takes a thousand writes.
 */
const ASK_AGAIN_MS = 1_000;

/**
 * How many requests to one owner's receivers may be under way at once, over all instances. An owner's slots are attributes of one
 * item, each the end of a lease; that is under a kilobyte for 62 of them.
 */
export function slotStore({ db, clock, ids, config }: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>) {
  const names = Array.from({ length: config.webhookConcurrencyPerOwner }, (_, at) => `slot${at}` as const);
  const full = createKnownFull();
  const item = (owner: string) => ({ table: 'limits', key: { subject: `deliveries#${owner}` } }) as const;

  return {
    /** undefined while the owner has no free slot. */
    async take(owner: string, leaseMs: number): Promise<Slot | undefined> {
      if (full.waitMs(owner, clock.now()) > 0) return undefined;
      let free = names;
      for (let tries = 0; tries < TRIES && free.length > 0; tries++) {
        const name = free[Math.floor(ids.random() * free.length)]!;
        const now = clock.now();
        const leasedUntil = now + leaseMs;
        const written = await db.write({
          ...item(owner),
          update: `SET #${name} = :leasedUntil, #ttl = :ttl`,
          // Settles the race of two deliveries for a slot, and frees one whose holder crashed.
          when: `attribute_not_exists(#${name}) OR #${name} <= :now`,
          values: { leasedUntil, ttl: ttlAt(leasedUntil), now },
          once: true, // the slot that an attempt took is ours, though its answer was lost
        });
        if (written.ok) return { owner, name, leasedUntil };
        const leases = leasesOf(written.old);
        free = names.filter((one) => !((leases[one] ?? 0) > now));
      }
      full.remember(owner, clock.now() + ASK_AGAIN_MS);
      return undefined;
    },

    /** What the store cannot free now is free when its lease ends. */
    async free({ owner, name, leasedUntil }: Slot): Promise<void> {
      const write = db.write({
        ...item(owner),
        update: `REMOVE #${name}`,
        when: `#${name} = :leasedUntil`, // settles the race with whoever took it after the lease
        values: { leasedUntil },
      });
      await write.catch(unlessUnavailable);
    },
  };
}
