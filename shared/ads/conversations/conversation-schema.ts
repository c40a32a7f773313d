import * as z from 'zod';
import { unicode } from '../../platform/values/value-schema.ts';

const ID = 'conversation id must be a string of 1 to 128 characters';
const TURN = 'turn must be a whole number from 0 to 100,000';

/** Fields that identify a conversation, the same in every bidding API. */
export const conversationFields = {
  id: unicode(ID)
    .min(1, ID)
    .max(128, ID)
    .nullish()
    .describe('ID of the conversation, used to count its ads. Stored as a keyed hash for 24 hours'),
  turn: z
    .int(TURN)
    .min(0, TURN)
    .max(100_000, TURN)
    .nullish()
    .describe('Number of user turns so far. Default: the number of user messages'),
};

export const conversationReference = z
  .object(conversationFields, 'conversation must be an object')
  .meta({ id: 'Conversation' });

/** Reads the conversation id from a body that is not validated yet; undefined if there is none or it is invalid. */
export function getConversationId(json: unknown): string | undefined {
  const id = getMember(getMember(json, 'conversation'), 'id');
  return typeof id === 'string' && id !== '' && id.length <= 128 ? id : undefined;
}

export const getMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
