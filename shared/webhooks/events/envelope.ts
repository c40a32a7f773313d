import { isoTime } from '../../platform/clock.ts';
import type { EventData } from './data.ts';
import { createEventId } from './event-id.ts';
import type { EventType } from './types.ts';

/** What a receiver gets (api 8.4). */
export interface Envelope {
  id: string;
  type: EventType;
  created: string;
  data: Record<string, unknown>;
  api_version: 'v1';
}

/** Serializes an event with sorted names. The store does not keep their order, and every attempt must post the same bytes. */
export const serializeEvent = (event: Envelope): string => JSON.stringify(sortNames(event));

const sortNames = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sortNames)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort()
            .map(([name, part]) => [name, sortNames(part)]),
        )
      : value;

/** @param subject identifies the fact among all facts of the type @param at time of the fact, epoch milliseconds */
export const createEnvelope = <T extends EventType>(
  type: T,
  subject: string,
  at: number,
  data: EventData[T],
): Envelope => ({
  id: createEventId(type, subject, at),
  type,
  created: isoTime(at),
  data,
  api_version: 'v1',
});
