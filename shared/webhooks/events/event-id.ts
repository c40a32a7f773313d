import { derivedId } from '../../platform/ids.ts';
import type { EventType } from './types.ts';

/** The id of an event, which a fact that is processed twice has twice. Event ids sort by time. */
export const createEventId = (type: EventType, subject: string, at: number): string =>
  derivedId('event', `${type} ${subject}`, at);
