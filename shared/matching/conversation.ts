import { stems } from './words.ts';

export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** A conversation as matching sees it: where each stem stands, and how much each message weighs. */
export interface Conversation {
  positions: Map<string, { message: number; at: number }[]>;
  weights: number[];
}

/** A message's weight halves with every so many messages that follow it. */
const HALF_LIFE = 4;
/** What the assistant said counts for this much of what the user says. */
const ASSISTANT = 0.4;

export function readConversation(messages: readonly Message[]): Conversation {
  const positions: Conversation['positions'] = new Map();
  messages.forEach(({ content }, message) => {
    stems(content).forEach((stem, at) => {
      if (!stem) return;
      const places = positions.get(stem);
      if (places) places.push({ message, at });
      else positions.set(stem, [{ message, at }]);
    });
  });
  const weights = messages.map(
    ({ role }, index) => (role === 'user' ? 1 : ASSISTANT) * 0.5 ** ((messages.length - 1 - index) / HALF_LIFE),
  );
  return { positions, weights };
}
