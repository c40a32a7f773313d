import * as z from 'zod';
import { countryCode } from '../values/schema.ts';

const message = z.object(
  {
    role: z.enum(['user', 'assistant'], 'role must be user or assistant'),
    content: z.string('content must be a text').max(32_768, 'content must have at most 32768 characters'),
  },
  'a message must be an object with role and content',
);

/** The body of a bid request (api 5.1). */
export const bidRequest = z.object({
  countryCode: countryCode('countryCode'),
  messages: z
    .array(message, 'messages must be a list of messages')
    .min(1, 'messages must hold at least one message')
    .max(1_000, 'messages must hold at most 1000 messages'),
});
