import type { Message } from '../../matching/index.ts';
import { redact } from '../../platform/values/redact.ts';
import type { LegacyContext } from '../bids/bid.ts';
import type { AdRequest } from './legacy-schema.ts';

/** Maximum characters of a conversation in events (api 5.6). */
const MAX_CHARACTERS = 2_000;

/** Fields of a user who has opted out. */
const OPTED_OUT = { conversation: '', userQuery: '', userId: '', sessionId: '', userAgent: '', ip: '' };

/**
 * The context of a legacy request for the events of its ads: redacted and cut (api 5.6), or only the placement after an opt-out.
 * @param ip already truncated
 */
export function toLegacyContext(
  { context, placement }: Pick<AdRequest, 'context' | 'placement'>,
  ip: string,
  optOut: boolean,
): LegacyContext {
  const { metadata } = context;
  const place = { placement: { type: placement?.type ?? '', position: placement?.position ?? '' } };
  if (optOut) return { ...OPTED_OUT, ...place };
  return {
    conversation: redact(context.conversation, MAX_CHARACTERS),
    userQuery: redact(context.userQuery ?? '', MAX_CHARACTERS),
    ...place,
    userId: metadata?.userId ?? '',
    sessionId: metadata?.sessionId ?? '',
    userAgent: metadata?.userAgent ?? '',
    ip,
  };
}

const SPEAKER = /^\s*(user|human|customer|you|assistant|ai|bot|chatbot|agent|system)\s*:\s*/i;
const IS_USER = /^(user|human|customer|you)$/i;

/**
 * Parses a legacy conversation, which is a single text. A line that starts with a speaker ("User: …", "Assistant: …") starts a message; a
 * text without speakers is one user message. The current query becomes the last message.
 */
export function parseConversation({ conversation, userQuery }: AdRequest['context']): Message[] {
  const messages: Message[] = [];
  for (const line of conversation.split('\n')) {
    const speaker = SPEAKER.exec(line);
    const last = messages.at(-1);
    if (speaker || !last) {
      const role = speaker && !IS_USER.test(speaker[1]!) ? 'assistant' : 'user';
      messages.push({ role, content: line.slice(speaker?.[0].length ?? 0) });
    } else {
      last.content += `\n${line}`;
    }
  }
  if (userQuery && userQuery !== messages.at(-1)?.content) messages.push({ role: 'user', content: userQuery });
  return messages;
}
