import { createHash } from 'node:crypto';
import { base62, bytesToInteger } from './base62.ts';
import { MINUTE_MS } from './clock.ts';

/**
 * How far a row has come in each shard of the streams that it counts: an attribute for each shard, whose value is the sequence number of
 * the last record that was added. Sequence numbers have up to 40 digits and order within their shard alone.
 */
export type PositionName = `at_${string}`;

/** 40 decimal digits in base 62, padded so that texts compare as the numbers do. */
const DIGITS = 23;
/** A stream forgets records after a day; a shard takes records for four hours at most, and its positions are kept for 48 more. */
const KEPT_HOURS = 52;

/** @param shard the shard and its stream */
export const positionName = (shard: string): PositionName =>
  `at_${base62(bytesToInteger(createHash('sha256').update(shard).digest().subarray(0, 8)), 11)}`;

/** A sequence number as it compares with positions. */
export const sequenceText = (sequence: string): string => base62(BigInt(sequence), DIGITS);

/** A position as it is stored: the sequence number, and the hour in which it was written, by which it ends. */
export const positionText = (sequence: string, now: number): string =>
  `${sequenceText(sequence)}@${hourOf(now).toString(36)}`;

/** Whether a row that holds this position has the record already. */
export const isAtOrBelow = (sequence: string, position: string): boolean =>
  sequenceText(sequence) <= position.slice(0, DIGITS);

/** The names of positions that no record can be at or below any more. */
export const endedPositions = (row: object, now: number): PositionName[] =>
  Object.entries(row).flatMap(([name, value]) =>
    isPositionName(name) && hourOf(now) - Number.parseInt(String(value).slice(DIGITS + 1), 36) > KEPT_HOURS
      ? [name]
      : [],
  );

const isPositionName = (name: string): name is PositionName => name.startsWith('at_');
const hourOf = (now: number): number => Math.floor(now / (60 * MINUTE_MS));
