import { expandCompatibilityForms } from '../text/fold.ts';
import type { Message } from './tokens.ts';

/**
 * Maximum number of characters that are read: about twelve thousand words. Reading blocks the event loop, and no
 * request can be answered or time out during it. The longest allowed conversation would take seconds.
 */
const MAX_CHARACTERS = 65_536;
/** Maximum number of characters that NFKC expands a single character into. */
const MAX_EXPANSION = 18;

/**
 * Keeps the newest characters of a conversation. As many older characters of the user's messages go to `older`, because
 * an ad must not follow a crisis at the beginning. Messages keep their index, which responses refer to.
 */
export function truncateConversation(messages: readonly Message[]): readonly Message[] {
  const length = messages.reduce((sum, { content }) => sum + content.length, 0);
  if (length * MAX_EXPANSION <= MAX_CHARACTERS) return messages;
  let remaining = MAX_CHARACTERS;
  let olderRemaining = MAX_CHARACTERS;
  return messages
    .toReversed()
    .map((message): Message => {
      const { role } = message;
      const { content, length, rest } = takeEnd(message.content, remaining);
      remaining -= length;
      if (content === message.content) return message;
      if (role !== 'user') return { role, content };
      const older = takeEnd(rest, olderRemaining);
      olderRemaining -= older.length;
      return { role, content, older: older.content };
    })
    .reverse();
}

/**
 * Splits off the end of a text, at most `maxLength` characters both as written and expanded. Returns it expanded only if it would otherwise
 * be too long. `length` is the longer of the two lengths.
 */
function takeEnd(text: string, maxLength: number): { content: string; length: number; rest: string } {
  const end = maxLength > 0 ? text.slice(-maxLength) : '';
  const rest = text.slice(0, text.length - end.length);
  const spelled = expandCompatibilityForms(end);
  if (spelled.length > maxLength) return { content: spelled.slice(-maxLength), length: maxLength, rest };
  return { content: end, length: Math.max(end.length, spelled.length), rest };
}
