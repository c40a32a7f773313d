import type { Effects } from '../platform/effects.ts';
import { unlessUnavailable } from '../platform/unavailable.ts';

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

export const beginTogether = (left: number): Together => ({ left, done: [] });

/** The item that has the slots of an owner. */
export const slotsOf = (owner: string) => ({ table: 'limits', key: { subject: `deliveries#${owner}` } }) as const;

/** Frees slots. It resolves when that is written: with the last of those taken with it, or without those that take longer. */
export function createFreeing({ db, clock }: Pick<Effects, 'db' | 'clock'>): (slot: Slot) => Promise<void> {
  /** What the store cannot free now is free when its lease ends. */
  async function freeAll(slots: readonly [Slot, ...Slot[]]): Promise<void> {
    const [{ owner, leasedUntil }] = slots;
    const write = db.write({
      ...slotsOf(owner),
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
