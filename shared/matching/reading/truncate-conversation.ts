import { expandCompatibilityForms } from '../text/fold.ts';
import type { Message } from './tokens.ts';

/**
 * Characters of a conversation that are read: some twelve thousand words. Reading is one turn of the event loop, in which no other
 * request is answered and no deadline can be kept; the longest conversation that may be sent would take seconds.
 */
const MAX_CHARACTERS = 65_536;
/** Characters that Unicode's normal form NFKC makes of one, at most. */
const MAX_EXPANSION = 18;

/**
 * A conversation of which only the newest characters are left, and before them as many of the user's own: nobody wants an ad later in a
 * conversation that began with a crisis. Every message keeps its place, since places are told in answers.
 */
export function truncateConversation(messages: readonly Message[]): readonly Message[] {
  const length = messages.reduce((sum, { content }) => sum + content.length, 0);
  if (length * MAX_EXPANSION <= MAX_CHARACTERS) return messages;
  let left = MAX_CHARACTERS;
  let olderLeft = MAX_CHARACTERS;
  return messages
    .toReversed()
    .map((message): Message => {
      const { role } = message;
      const { content, length, rest } = takeEnd(message.content, left);
      left -= length;
      if (content === message.content) return message;
      if (role !== 'user') return { role, content };
      const older = takeEnd(rest, olderLeft);
      olderLeft -= older.length;
      return { role, content, older: older.content };
    })
    .reverse();
}

/**
 * The end of a text that has at most so many characters, both as it is written and spelled out, how many that are, and the text before it.
 * It is spelled out where it would be too long otherwise.
 */
function takeEnd(text: string, most: number): { content: string; length: number; rest: string } {
  const end = most > 0 ? text.slice(-most) : '';
  const rest = text.slice(0, text.length - end.length);
  const spelled = expandCompatibilityForms(end);
  if (spelled.length > most) return { content: spelled.slice(-most), length: most, rest };
  return { content: end, length: Math.max(end.length, spelled.length), rest };
}
