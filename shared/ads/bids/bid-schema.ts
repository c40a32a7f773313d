import * as z from 'zod';
import { countryCode, variantLabel } from '../../platform/values/value-schema.ts';
import { conversationReference } from '../conversations/conversation-schema.ts';
import { regs } from '../regs/regs-schema.ts';

const message = z
  .object(
    {
      role: z
        .enum(['user', 'assistant'], 'role must be user or assistant')
        .describe('Author of the message. Leave out system and tool messages'),
      content: z
        .string('content must be a string')
        .max(32_768, 'content must have at most 32,768 characters')
        .describe('Plain text of the message; may be empty'),
    },
    'a message must be an object with role and content',
  )
  .meta({ id: 'ConversationMessage' });

/** A conversation that may be empty: the request can also describe its context in another way. */
export const anyMessages = z
  .array(message, 'messages must be a list of messages')
  .max(1_000, 'messages must contain at most 1,000 messages');

const messageList = anyMessages.min(1, 'messages must contain at least one message');

/** The body of a bid request (api 5.1). */
export const bidRequest = z.object({
  countryCode: countryCode('countryCode').describe("The user's country: ISO 3166-1 alpha-2, upper or lower case"),
  messages: messageList.describe('The conversation, oldest message first. Only the newest 65,536 characters are read'),
  conversation: conversationReference.nullish().describe('Identifies the conversation, for limits on its ads'),
  variant: variantLabel('variant'),
  regs: regs.nullish().describe('Privacy signals of the user'),
});
