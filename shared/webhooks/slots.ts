import { createHash } from 'node:crypto';
import { createFullWindowCache, getLeases } from '../keys/rate-limit.ts';
import { ttlAt } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { inSameMoment } from '../platform/sharing.ts';
import { unlessUnavailable } from '../platform/unavailable.ts';

/** A delivery's request for a slot. */
interface SlotRequest {
  /** A hash of the delivery, equal for copies of one message. */
  deliveryHash: string;
  place: number;
  slot: PromiseWithResolvers<Slot | undefined>;
}

/** Attempts to take slots. Each failed one returns the current leases; a request that loses every race tries again later. */
const MAX_TRIES = 3;
/**
 * Delay before an instance asks again for an owner without free slots. A backlog makes thousands of requests per second, but one item
 * accepts only a thousand writes.
 */
const ASK_AGAIN_MS = 1_000;

/**
 * Limits the concurrent requests to one owner's receivers, over all instances. An owner's slots are attributes of one item: the end of a
 * lease and a hash of the delivery, a kilobyte for 36 slots. A delivery first tries the slot of its hash, where it finds a copy of the same
 * message. Slots that an instance requests for one owner in the same moment are taken, and freed, in one write.
 */
export function createSlots(effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>) {
  const { clock, config } = effects;
  const places = Array.from({ length: config.webhookConcurrencyPerOwner }, (_, at) => at);
  const full = createFullWindowCache();

  const gather = inSameMoment<string, SlotRequest & { leaseMs: number }>((owner, all) => {
    void assignSlots(effects, places, full, owner, all[0]!.leaseMs, all);
  });

  return {
    /** Takes a slot. Returns undefined if the owner has no free slot, or if a copy of the same delivery has one. */
    async take(owner: string, leaseMs: number, delivery: string): Promise<Slot | undefined> {
      if (full.waitMs(owner, clock.now()) > 0) return undefined;
      const hash = createHash('sha256').update(delivery).digest();
      const deliveryHash = hash.toString('base64url').slice(0, 8);
      const slot = Promise.withResolvers<Slot | undefined>();
      gather(owner, { deliveryHash, place: places[hash.readUInt32BE() % places.length]!, slot, leaseMs });
      return slot.promise;
    },

    free: (slot: Slot): Promise<void> => freeSlot(effects, slot),
  };
}

/** Resolves every request with a slot, or with undefined if none is free for it. */
async function assignSlots(
  effects: Pick<Effects, 'db' | 'clock' | 'ids'>,
  places: readonly number[],
  full: ReturnType<typeof createFullWindowCache>,
  owner: string,
  leaseMs: number,
  all: readonly SlotRequest[],
): Promise<void> {
  try {
    const hasRoom = await takeAll(effects, places, owner, leaseMs, all);
    if (!hasRoom) full.remember(owner, effects.clock.now() + ASK_AGAIN_MS);
    for (const { slot } of all) slot.resolve(undefined); // no effect on requests that already have a slot
  } catch (error) {
    for (const { slot } of all) slot.reject(error);
  }
}

/** Takes a slot for each request while slots are free. Returns whether there was room for all requests, not counting copies. */
async function takeAll(
  { db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>,
  places: readonly number[],
  owner: string,
  leaseMs: number,
  all: readonly SlotRequest[],
): Promise<boolean> {
  const firsts = new Set(all.map(({ deliveryHash }) => deliveryHash));
  let left = all.filter(({ deliveryHash }) => firsts.delete(deliveryHash)); // drops copies in the same batch
  let free = places;
  for (let tries = 0; tries < MAX_TRIES && left.length > 0 && free.length > 0; tries++) {
    const wanted = choosePlaces(left, free, tries === 0, ids.random);
    const now = clock.now();
    const leasedUntil = now + leaseMs;
    const written = await db.write(lease(owner, wanted, leasedUntil, now));
    if (written.ok) {
      const together = beginTogether(wanted.size);
      for (const [place, { slot }] of wanted) slot.resolve({ owner, place, leasedUntil, together });
      const served = new Set(wanted.values());
      left = left.filter((one) => !served.has(one));
      free = free.filter((place) => !wanted.has(place));
    } else {
      const leases = getLeases(written.old);
      const taken = places.filter((place) => (leases[`slot${place}`] ?? 0) > now);
      const others = new Set(taken.map((place) => leases[`held${place}`]));
      left = left.filter(({ deliveryHash }) => !others.has(deliveryHash));
      free = places.filter((place) => !taken.includes(place));
    }
  }
  return left.length === 0;
}

const lease = (
  owner: string,
  wanted: ReadonlyMap<number, SlotRequest>,
  leasedUntil: number,
  now: number,
): Write<'limits'> => ({
  ...slotRow(owner),
  update: `SET ${[...wanted.keys()].map((place) => `#slot${place} = :leasedUntil, #held${place} = :held${place}`).join(', ')}, #ttl = :ttl`,
  // Settles the race of two deliveries for a slot. A slot whose lease has ended is free, even if its holder crashed.
  when: allOf([...wanted.keys()].map((place) => `attribute_not_exists(#slot${place}) OR #slot${place} <= :now`)),
  values: {
    leasedUntil,
    ttl: ttlAt(leasedUntil),
    now,
    ...Object.fromEntries([...wanted].map(([place, { deliveryHash }]) => [`held${place}`, deliveryHash])),
  },
  once: true, // without it, a retry after a lost response would find its own slots taken
});

/** Joins conditions with AND. DynamoDB rejects redundant parentheses around a single one. */
const allOf = (conditions: readonly string[]): string =>
  conditions.length === 1 ? conditions[0]! : conditions.map((condition) => `(${condition})`).join(' AND ');

/** Chooses a free place for each request: with `ownFirst`, its own if no other request has it; otherwise a random one. */
function choosePlaces(
  asking: readonly SlotRequest[],
  free: readonly number[],
  ownFirst: boolean,
  random: () => number,
): ReadonlyMap<number, SlotRequest> {
  const chosen = new Map<number, SlotRequest>();
  for (const one of asking.slice(0, free.length)) {
    const left = free.filter((place) => !chosen.has(place));
    const place = ownFirst && !chosen.has(one.place) ? one.place : left[Math.floor(random() * left.length)]!;
    chosen.set(place, one);
  }
  return chosen;
}

/** The right to one request to a receiver of this owner. It ends with its lease, even if its holder crashes. */
export interface Slot {
  owner: string;
  place: number;
  /** Epoch milliseconds. */
  leasedUntil: number;
  /** The slots taken by the same write. */
  together: Together;
}

/** Slots taken by one write. Those done at about the same time are also freed by one write. */
interface Together {
  /** Slots still in use. */
  left: number;
  done: Slot[];
  /** The pending write that frees the done slots, and a function that starts it. */
  freeing?: { written: Promise<void>; begin: () => void };
}

/** Maximum time a done slot waits to be freed together with the others. */
const FREED_WITHIN_MS = 1_000;

const beginTogether = (left: number): Together => ({ left, done: [] });

/** The item with an owner's slots. */
const slotRow = (owner: string) => ({ table: 'limits', key: { subject: `deliveries#${owner}` } }) as const;

/**
 * Frees a slot in one write with the others of its batch: when all are done, or `FREED_WITHIN_MS` after the first. Resolves after the write.
 */
async function freeSlot(effects: Pick<Effects, 'db' | 'clock'>, slot: Slot): Promise<void> {
  const { together } = slot;
  together.left--;
  if (together.freeing) together.done.push(slot);
  else together.freeing = scheduleFreeing(effects, together, slot);
  if (together.left === 0) together.freeing.begin();
  await together.freeing.written;
}

function scheduleFreeing(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  together: Together,
  first: Slot,
): NonNullable<Together['freeing']> {
  together.done = [];
  const { promise, resolve: begin } = Promise.withResolvers<void>();
  const cancel = clock.timer(FREED_WITHIN_MS, begin);
  const written = promise.then(() => {
    cancel();
    together.freeing = undefined;
    return freeAll(db, [first, ...together.done]);
  });
  return { written, begin };
}

/** Frees slots in one write. If the store is unavailable, they become free when their lease ends. */
async function freeAll(db: Effects['db'], slots: readonly [Slot, ...Slot[]]): Promise<void> {
  const [{ owner, leasedUntil }] = slots;
  const write = db.write({
    ...slotRow(owner),
    update: `REMOVE ${slots.map(({ place }) => `#slot${place}, #held${place}`).join(', ')}`,
    // Do not free a slot that another delivery took after the lease ended. All slots have the same lease.
    when: slots.map(({ place }) => `#slot${place} = :leasedUntil`).join(' AND '),
    values: { leasedUntil },
  });
  await write.catch(unlessUnavailable);
}
