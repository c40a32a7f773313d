import * as z from 'zod';
import { unicode } from '../../platform/values/value-schema.ts';

const ID = 'conversation id must be a string of 1 to 128 characters';
const TURN = 'turn must be a whole number from 0 to 100,000';

/** What every way to bid takes of a conversation beside its messages. */
export const conversationFields = {
  id: unicode(ID)
    .min(1, ID)
    .max(128, ID)
    .nullish()
    .describe('Names the conversation, so that ads in it can be counted; kept as a keyed hash for 24 hours'),
  turn: z
    .int(TURN)
    .min(0, TURN)
    .max(100_000, TURN)
    .nullish()
    .describe('User turns so far; the messages of the user are counted where it is not told'),
};

export const conversationReference = z.object(conversationFields, 'conversation must be an object');

/** The id that a part of a body names its conversation by, before anything else of it is known to be right. */
export function getConversationId(json: unknown): string | undefined {
  const id = getMember(getMember(json, 'conversation'), 'id');
  return typeof id === 'string' && id !== '' && id.length <= 128 ? id : undefined;
}

export const getMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
