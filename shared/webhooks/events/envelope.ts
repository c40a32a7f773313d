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

/** An event as its receivers read it: its names in one order, which the store does not keep, so that every attempt posts the same bytes. */
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

/** @param subject what the fact is about, distinct for every fact of a type; @param at its time, epoch milliseconds */
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
