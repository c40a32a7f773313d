import { createHash } from 'node:crypto';
import { createFullWindowCache, getLeases } from '../keys/rate-limit.ts';
import { ttlAt } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { inSameMoment } from '../platform/sharing.ts';
import { unlessUnavailable } from '../platform/unavailable.ts';

/** A delivery that asks for a slot. */
interface SlotRequest {
  /** A hash of the delivery, by which copies of one message know each other. */
  held: string;
  place: number;
  given: PromiseWithResolvers<Slot | undefined>;
}

/** Every one that fails has seen which slots are free; who loses all of these races comes again later. */
const MAX_TRIES = 3;
/**
 * How long an instance does not ask again for an owner who had no free slot. A backlog comes by many thousand times a second,
 * and one item takes a thousand writes.
 */
const ASK_AGAIN_MS = 1_000;

/**
 * How many requests to one owner's receivers may be under way at once, over all instances. An owner's slots are attributes of one
 * item, each the end of a lease and a hash of the delivery that it is for: a kilobyte for 36 of them. A delivery begins at the slot of its
 * hash, so that of two copies of one message one finds the other there. What an instance asks for one owner in the same moment is one
 * write, and so is its freeing.
 */
export function createSlots(effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>) {
  const { clock, config } = effects;
  const places = Array.from({ length: config.webhookConcurrencyPerOwner }, (_, at) => at);
  const full = createFullWindowCache();

  async function assign(owner: string, leaseMs: number, all: readonly SlotRequest[]): Promise<void> {
    try {
      const hasRoom = await takeAll(effects, places, owner, leaseMs, all);
      if (!hasRoom) full.remember(owner, clock.now() + ASK_AGAIN_MS);
      for (const { given } of all) given.resolve(undefined); // who was given one has it already
    } catch (error) {
      for (const { given } of all) given.reject(error);
    }
  }

  const gather = inSameMoment<string, SlotRequest & { leaseMs: number }>((owner, all) => {
    void assign(owner, all[0]!.leaseMs, all);
  });

  return {
    /** undefined while the owner has no free slot, or another has one for the same delivery. */
    async take(owner: string, leaseMs: number, delivery: string): Promise<Slot | undefined> {
      if (full.waitMs(owner, clock.now()) > 0) return undefined;
      const hash = createHash('sha256').update(delivery).digest();
      const held = hash.toString('base64url').slice(0, 8);
      const given = Promise.withResolvers<Slot | undefined>();
      gather(owner, { held, place: places[hash.readUInt32BE() % places.length]!, given, leaseMs });
      return given.promise;
    },

    free: createFreeing(effects),
  };
}

/** Gives a slot to each that asks, as far as they go. Resolves to whether there was room for all but the copies. */
async function takeAll(
  { db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>,
  places: readonly number[],
  owner: string,
  leaseMs: number,
  all: readonly SlotRequest[],
): Promise<boolean> {
  const firsts = new Set(all.map(({ held }) => held));
  let left = all.filter(({ held }) => firsts.delete(held)); // a copy in the same moment has none
  let free = places;
  for (let tries = 0; tries < MAX_TRIES && left.length > 0 && free.length > 0; tries++) {
    const wanted = choosePlaces(left, free, tries === 0, ids.random);
    const now = clock.now();
    const leasedUntil = now + leaseMs;
    const written = await db.write(lease(owner, wanted, leasedUntil, now));
    if (written.ok) {
      const together = beginTogether(wanted.size);
      for (const [place, { given }] of wanted) given.resolve({ owner, place, leasedUntil, together });
      const served = new Set(wanted.values());
      left = left.filter((one) => !served.has(one));
      free = free.filter((place) => !wanted.has(place));
    } else {
      const leases = getLeases(written.old);
      const taken = places.filter((place) => (leases[`slot${place}`] ?? 0) > now);
      const others = new Set(taken.map((place) => leases[`held${place}`]));
      left = left.filter(({ held }) => !others.has(held));
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
  // Settles the race of two deliveries for a slot, and frees one whose holder crashed.
  when: allOf([...wanted.keys()].map((place) => `attribute_not_exists(#slot${place}) OR #slot${place} <= :now`)),
  values: {
    leasedUntil,
    ttl: ttlAt(leasedUntil),
    now,
    ...Object.fromEntries([...wanted].map(([place, { held }]) => [`held${place}`, held])),
  },
  once: true, // the slots that an attempt took are ours, though its answer was lost
});

/** Conditions as one; the store refuses parentheses around another's. */
const allOf = (conditions: readonly string[]): string =>
  conditions.length === 1 ? conditions[0]! : conditions.map((condition) => `(${condition})`).join(' AND ');

/** A place for each that asks, as far as there are free ones: its own at first, where no other of them has it, else any. */
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

/** The right to one request to a receiver of this owner. It ends with its lease, whatever becomes of its holder. */
export interface Slot {
  owner: string;
  place: number;
  /** Epoch milliseconds. */
  leasedUntil: number;
  /** Those that were taken by the same write. */
  together: Together;
}

/** Slots that were taken by one write, and are freed by one where they are done about the same time. */
interface Together {
  /** How many are under way. */
  left: number;
  done: Slot[];
  /** The write that frees those that are done, and what has it begin. */
  freeing?: { written: Promise<void>; begin: () => void };
}

/** How long a slot waits at most to be freed with those that were taken with it. */
const FREED_WITHIN_MS = 1_000;

const beginTogether = (left: number): Together => ({ left, done: [] });

/** The item that has the slots of an owner. */
const slotRow = (owner: string) => ({ table: 'limits', key: { subject: `deliveries#${owner}` } }) as const;

/** Frees slots. It resolves when that is written: with the last of those taken with it, or without those that take longer. */
function createFreeing({ db, clock }: Pick<Effects, 'db' | 'clock'>): (slot: Slot) => Promise<void> {
  /** What the store cannot free now is free when its lease ends. */
  async function freeAll(slots: readonly [Slot, ...Slot[]]): Promise<void> {
    const [{ owner, leasedUntil }] = slots;
    const write = db.write({
      ...slotRow(owner),
      update: `REMOVE ${slots.map(({ place }) => `#slot${place}, #held${place}`).join(', ')}`,
      // Settles the race with whoever took one after the lease, which is the same for all.
      when: slots.map(({ place }) => `#slot${place} = :leasedUntil`).join(' AND '),
      values: { leasedUntil },
    });
    await write.catch(unlessUnavailable);
  }

  function freeingOf(together: Together, first: Slot): NonNullable<Together['freeing']> {
    together.done = [];
    const { promise, resolve: begin } = Promise.withResolvers<void>();
    const cancel = clock.timer(FREED_WITHIN_MS, begin);
    const written = promise.then(() => {
      cancel();
      together.freeing = undefined;
      return freeAll([first, ...together.done]);
    });
    return { written, begin };
  }

  return async (slot) => {
    const { together } = slot;
    together.left--;
    if (together.freeing) together.done.push(slot);
    else together.freeing = freeingOf(together, slot);
    if (together.left === 0) together.freeing.begin();
    await together.freeing.written;
  };
}
