import { spellOut } from '../text/fold.ts';
import type { Message } from './tokens.ts';

/**
 * Characters of a conversation that are read: some twelve thousand words. Reading is one turn of the event loop, in which no other
 * request is answered and no deadline can be kept; the longest conversation that may be sent would take seconds.
 */
const MOST_CHARACTERS = 65_536;
/** Characters that Unicode's normal form NFKC makes of one, at most. */
const LONGEST_SPELLING = 18;

/** A conversation of which only the newest characters are left. Every message keeps its place, since places are told in answers. */
export function newest(messages: readonly Message[]): readonly Message[] {
  const length = messages.reduce((sum, { content }) => sum + content.length, 0);
  if (length * LONGEST_SPELLING <= MOST_CHARACTERS) return messages;
  let left = MOST_CHARACTERS;
  return messages
    .toReversed()
    .map((message) => {
      const { content, length } = endOf(message.content, left);
      left -= length;
      return content === message.content ? message : { role: message.role, content };
    })
    .reverse();
}

/**
 * The end of a text that has at most so many characters, both as it is written and spelled out, and how many that are. It is spelled out
 * where it would be too long otherwise.
 */
function endOf(text: string, most: number): { content: string; length: number } {
  const end = most > 0 ? text.slice(-most) : '';
  const spelled = spellOut(end);
  if (spelled.length > most) return { content: spelled.slice(-most), length: most };
  return { content: end, length: Math.max(end.length, spelled.length) };
}
