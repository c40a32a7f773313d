import { createHash } from 'node:crypto';
import { base62, bytesToInteger, toId } from '../../platform/values/ids.ts';
import type { EventType } from './types.ts';

/**
 * Derives an event's id only from the stored fact, so a fact that is processed twice has the same id. The id begins with the time of the
 * fact, so ids sort by time.
 */
export function createEventId(type: EventType, subject: string, at: number): string {
  const hash = createHash('sha256').update(`${type} ${subject} ${at}`).digest().subarray(0, 10);
  return toId('event', `${base62(BigInt(at), 8)}${base62(bytesToInteger(hash), 14)}`);
}
