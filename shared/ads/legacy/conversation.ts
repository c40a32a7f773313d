import type { Message } from '../../matching/index.ts';
import type { AdRequest } from './legacy-schema.ts';

const SPEAKER = /^\s*(user|human|customer|you|assistant|ai|bot|chatbot|agent|system)\s*:\s*/i;
const IS_USER = /^(user|human|customer|you)$/i;

/**
 * A legacy conversation is one text. Where its lines name their speaker ("User: …", "Assistant: …") they are messages; else all of
 * it is the user's. The current query is the user's last word.
 */
export function messagesOf({ conversation, userQuery }: AdRequest['context']): Message[] {
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
