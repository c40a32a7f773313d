import { createHash } from 'node:crypto';
import { createKnownFull } from '../limits/known-full.ts';
import { leasesOf } from '../limits/store.ts';
import { ttlAt } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { unlessUnavailable } from '../platform/unavailable.ts';

/** The right to one request to a receiver of this owner. It ends with its lease, whatever becomes of its holder. */
export interface Slot {
  owner: string;
  place: number;
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
 * item, each the end of a lease and a hash of the delivery that it is for: a kilobyte for 36 of them. A delivery begins at the slot of its
 * hash, so that of two copies of one message one finds the other there.
 */
export function slotStore({ db, clock, ids, config }: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>) {
  const places = Array.from({ length: config.webhookConcurrencyPerOwner }, (_, at) => at);
  const full = createKnownFull();
  const item = (owner: string) => ({ table: 'limits', key: { subject: `deliveries#${owner}` } }) as const;

  return {
    /** undefined while the owner has no free slot, or another has one for the same delivery. */
    async take(owner: string, leaseMs: number, delivery: string): Promise<Slot | undefined> {
      if (full.waitMs(owner, clock.now()) > 0) return undefined;
      const hash = createHash('sha256').update(delivery).digest();
      const held = hash.toString('base64url').slice(0, 8);
      let free = [places[hash.readUInt32BE() % places.length]!];
      for (let tries = 0; tries < TRIES && free.length > 0; tries++) {
        const place = free[Math.floor(ids.random() * free.length)]!;
        const now = clock.now();
        const leasedUntil = now + leaseMs;
        const written = await db.write({
          ...item(owner),
          update: `SET #slot${place} = :leasedUntil, #held${place} = :held, #ttl = :ttl`,
          // Settles the race of two deliveries for a slot, and frees one whose holder crashed.
          when: `attribute_not_exists(#slot${place}) OR #slot${place} <= :now`,
          values: { leasedUntil, held, ttl: ttlAt(leasedUntil), now },
          once: true, // the slot that an attempt took is ours, though its answer was lost
        });
        if (written.ok) return { owner, place, leasedUntil };
        const leases = leasesOf(written.old);
        const isTaken = (one: number) => (leases[`slot${one}`] ?? 0) > now;
        if (places.some((one) => isTaken(one) && leases[`held${one}`] === held)) return undefined;
        free = places.filter((one) => !isTaken(one));
      }
      full.remember(owner, clock.now() + ASK_AGAIN_MS);
      return undefined;
    },

    /** What the store cannot free now is free when its lease ends. */
    async free({ owner, place, leasedUntil }: Slot): Promise<void> {
      const write = db.write({
        ...item(owner),
        update: `REMOVE #slot${place}, #held${place}`,
        when: `#slot${place} = :leasedUntil`, // settles the race with whoever took it after the lease
        values: { leasedUntil },
      });
      await write.catch(unlessUnavailable);
    },
  };
}
