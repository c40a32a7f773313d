import { createHash } from 'node:crypto';
import { base62, bytesToInteger, idOf } from '../../platform/values/ids.ts';
import type { EventType } from './types.ts';

/**
 * An event's id derives from the stored fact alone, so whatever is processed twice yields the same id; its first part is the
 * time of the fact, so ids sort by it.
 */
export function createEventId(type: EventType, subject: string, at: number): string {
  const hash = createHash('sha256').update(`${type} ${subject} ${at}`).digest().subarray(0, 10);
  return idOf('event', `${base62(BigInt(at), 8)}${base62(bytesToInteger(hash), 14)}`);
}
