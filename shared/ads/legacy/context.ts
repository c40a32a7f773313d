import type { Message } from '../../matching/index.ts';
import { redact } from '../../platform/values/redact.ts';
import type { LegacyContext } from '../bids/bid.ts';
import type { AdRequest } from './legacy-schema.ts';

/** What is kept of a conversation for its events, in characters (api 5.6). */
const MOST = 2_000;

/** What is kept of a reader who has opted out. */
const NOBODY = { conversation: '', userQuery: '', userId: '', sessionId: '', userAgent: '', ip: '' };

/**
 * What a legacy request leaves behind for its ads' events: redacted and cut (api 5.6); after an opt-out the place alone. @param ip cut already
 */
export function toLegacyContext(
  { context, placement }: Pick<AdRequest, 'context' | 'placement'>,
  ip: string,
  optOut: boolean,
): LegacyContext {
  const { metadata } = context;
  const place = { placement: { type: placement?.type ?? '', position: placement?.position ?? '' } };
  if (optOut) return { ...NOBODY, ...place };
  return {
    conversation: redact(context.conversation, MOST),
    userQuery: redact(context.userQuery ?? '', MOST),
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
 * A legacy conversation is one text. Where its lines name their speaker ("User: …", "Assistant: …") they are messages; else all of
 * it is the user's. The current query is the user's last word.
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
