/**
 * An exact sliding window in one conditional write. The item holds the times of the last `SIZE` accepted requests as a
 * shift register, oldest first (`b0 … b14` for bids). A request is accepted on condition that the oldest is at least a
 * second old, and the same write shifts it out and the new time in. Write n and write n+SIZE are therefore at least a
 * second apart, so each of the SIZE interleaved rows of writes has at most one in any second: never more than SIZE
 * together, in whatever order and through whichever instances they come.
 */
export const WINDOW_SIZE = 15;
export const WINDOW_MS = 1000;

/** The register of an operation: `b` for bids, `a` for ads. */
export type Register = 'b' | 'a';

/** The registers in a key's item: `b0` … `b14`, `a0` … `a14`. */
export type Windows = { [Slot in `${Register}${number}`]: number };

const slot = (register: Register, index: number): string => `#${register}${index}`;
const slots = Array.from({ length: WINDOW_SIZE }, (_, index) => index);

/** The attributes of registers that have accepted nothing yet. */
export const emptyWindows: Windows = Object.fromEntries(
  (['b', 'a'] as const).flatMap((register) => slots.map((index) => [`${register}${index}`, 0])),
);

/** The assignments that shift `:now` in. */
export const shiftAssignments = (register: Register): string =>
  slots
    .map((index) => `${slot(register, index)} = ${index === WINDOW_SIZE - 1 ? ':now' : slot(register, index + 1)}`)
    .join(', ');

/** The condition under which `:now` may enter; `:cutoff` is now less the window's length. */
export const roomCondition = (register: Register): string => `${slot(register, 0)} <= :cutoff`;

/** How many more requests the register takes at `now`. */
export const countRemaining = (item: Windows, register: Register, now: number): number =>
  slots.filter((index) => item[`${register}${index}`]! <= now - WINDOW_MS).length;

/** When the register of a refused request takes the next one, in epoch milliseconds. */
export const getReopensAt = (item: Windows, register: Register): number => item[`${register}0`]! + WINDOW_MS;

/** The second of exchanges: how many places are taken, and when it ends, in epoch milliseconds. Keys that no exchange has used lack them. */
export interface ExchangeSecond {
  exchangeCount?: number;
  exchangeEndsAt?: number;
}
