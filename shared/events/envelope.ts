import { createHash } from 'node:crypto';
import { base62, bytesToInteger } from '../platform/base62.ts';
import { isoTime } from '../platform/clock.ts';
import { idOf } from '../values/ids.ts';
import type { EventData } from './data.ts';
import type { EventType } from './types.ts';

/** What a receiver gets (api 8.4). */
export interface Envelope {
  id: string;
  type: EventType;
  created: string;
  data: Record<string, unknown>;
  api_version: 'v1';
}

/**
 * An event's id derives from the stored fact alone, so whatever is processed twice yields the same id; its first part is the
 * time of the fact, so ids sort by it.
 */
export function eventId(type: EventType, subject: string, at: number): string {
  const hash = createHash('sha256').update(`${type} ${subject} ${at}`).digest().subarray(0, 10);
  return idOf('event', `${base62(BigInt(at), 8)}${base62(bytesToInteger(hash), 14)}`);
}

/** @param subject what the fact is about, distinct for every fact of a type; @param at its time, epoch milliseconds */
export const envelope = <T extends EventType>(type: T, subject: string, at: number, data: EventData[T]): Envelope => ({
  id: eventId(type, subject, at),
  type,
  created: isoTime(at),
  data,
  api_version: 'v1',
});
