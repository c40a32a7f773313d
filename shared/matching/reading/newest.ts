import type { Message } from './tokens.ts';

/**
 * Characters of a conversation that are read: some twelve thousand words. Reading is one turn of the event loop, in which no other
 * request is answered and no deadline can be kept; the longest conversation that may be sent would take seconds.
 */
const MOST_CHARACTERS = 65_536;

/** A conversation of which only the newest characters are left. Every message keeps its place, since places are told in answers. */
export function newest(messages: readonly Message[]): readonly Message[] {
  let left = MOST_CHARACTERS;
  if (messages.reduce((sum, { content }) => sum + content.length, 0) <= left) return messages;
  return messages
    .toReversed()
    .map(({ role, content }) => {
      const kept = left > 0 ? content.slice(-left) : '';
      left -= kept.length;
      return { role, content: kept };
    })
    .reverse();
}
