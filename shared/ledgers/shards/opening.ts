import type { Micros } from '../../values/money.ts';

/**
 * What a balance says of its shards. A budget is opened and closed again and again: while it is open, parts of it are granted to shards,
 * and those are charged instead of the balance. Each opening lies within one UTC day, that of the balance. What an earlier
 * version stored has none of this and is closed.
 */
export interface Opening {
  /** The number of the last opening; their numbers rise. */
  epoch?: number;
  /** Absent when no shard is open: then the balance is charged itself. */
  phase?: 'open' | 'closing';
  /** Among how many shards charges are spread, now or at the last opening. */
  width?: number;
  /** Not opened again before (epoch milliseconds). */
  heldUntil?: number;
  /** Micro-dollars granted to a shard in all since the opening. What remains of the budget is without them. */
  [granted: Granted]: Micros;
}

type Granted = `granted_${number}`;

export const grantedName = (shard: number): Granted => `granted_${shard}`;

const isGranted = (name: string): boolean => name.startsWith('granted_');

/** The shards that were granted something since the opening. */
export const grantedShards = (opening: Opening): number[] =>
  Object.keys(opening)
    .filter(isGranted)
    .map((name) => Number(name.slice('granted_'.length)));

export const grantedTo = (opening: Opening, shard: number): number => opening[grantedName(shard)] ?? 0;

/** What was granted to all of them. */
export const grantedInAll = (opening: Opening): number =>
  grantedShards(opening).reduce((sum, shard) => sum + grantedTo(opening, shard), 0);

/** The same with no shard open. */
export function withoutShards<T extends Opening>(opening: T): T {
  const { phase, ...rest } = opening;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !isGranted(name))) as T;
}
