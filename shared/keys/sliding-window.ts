/**
 * An exact sliding window in one conditional write. The item contains the times of the last `WINDOW_SIZE` accepted requests
 * as a shift register, oldest first (`b0 … b14` for bids). The condition accepts a request only if the oldest time is at
 * least a second old; the same write shifts that time out and the new time in. So accepted requests n and n+`WINDOW_SIZE`
 * are at least a second apart, and any second contains at most `WINDOW_SIZE` of them, over all instances.
 */
export const WINDOW_SIZE = 15;
export const WINDOW_MS = 1000;

/** The register of an operation: `b` for bids, `a` for ads. */
export type Register = 'b' | 'a';

/** The registers in a key's item: `b0` … `b14`, `a0` … `a14`. */
export type Windows = { [Slot in `${Register}${number}`]: number };

const slot = (register: Register, index: number): string => `#${register}${index}`;
const slots = Array.from({ length: WINDOW_SIZE }, (_, index) => index);

/** Registers without any accepted request. */
export const emptyWindows: Windows = Object.fromEntries(
  (['b', 'a'] as const).flatMap((register) => slots.map((index) => [`${register}${index}`, 0])),
);

/** The assignments that shift `:now` in. */
export const shiftAssignments = (register: Register): string =>
  slots
    .map((index) => `${slot(register, index)} = ${index === WINDOW_SIZE - 1 ? ':now' : slot(register, index + 1)}`)
    .join(', ');

/** The condition that a request at `:now` is accepted; `:cutoff` is `:now` minus the window's length. */
export const roomCondition = (register: Register): string => `${slot(register, 0)} <= :cutoff`;

/** How many more requests the register accepts at `now`. */
export const countRemaining = (item: Windows, register: Register, now: number): number =>
  slots.filter((index) => item[`${register}${index}`]! <= now - WINDOW_MS).length;

/** When a full register accepts the next request, epoch milliseconds. */
export const getReopensAt = (item: Windows, register: Register): number => item[`${register}0`]! + WINDOW_MS;

/** The one-second window of exchange requests: places taken, and its end in epoch milliseconds. Absent until an exchange uses the key. */
export interface ExchangeSecond {
  exchangeCount?: number;
  exchangeEndsAt?: number;
}
