import * as z from 'zod';
import { countryCode } from '../../platform/values/value-schema.ts';
import { conversationReference } from '../conversations/conversation-schema.ts';
import { regs } from '../regs/regs-schema.ts';

const message = z.object(
  {
    role: z
      .enum(['user', 'assistant'], 'role must be user or assistant')
      .describe('Who speaks; leave system and tool messages out'),
    content: z
      .string('content must be a string')
      .max(32_768, 'content must have at most 32,768 characters')
      .describe('What was said, as plain text; may be empty'),
  },
  'a message must be an object with role and content',
);

/** A conversation that may be empty, where there is something else to read. */
export const anyMessages = z
  .array(message, 'messages must be a list of messages')
  .max(1_000, 'messages must contain at most 1,000 messages');

/** A conversation, as the other ways to bid take it. */
const messageList = anyMessages.min(1, 'messages must contain at least one message');

/** The body of a bid request (api 5.1). */
export const bidRequest = z.object({
  countryCode: countryCode('countryCode').describe("The reader's country, ISO 3166-1 alpha-2, in either case"),
  messages: messageList.describe('The conversation, oldest message first; the newest 65,536 characters are read'),
  conversation: conversationReference.nullish().describe('Which conversation it is, for limits of ads in it'),
  regs: regs.nullish().describe('What the law asks for'),
});
