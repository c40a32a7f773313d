import type { Message } from '../../matching/index.ts';
import sample from './sample.json' with { type: 'json' };

/** The sample's conversations by theme: what was said by turns, its first turn the user's. Written for this; nobody's own words. */
const CONVERSATIONS: Readonly<Record<string, readonly (readonly string[])[]>> = sample;

/** The conversations that reach is told by. */
export const getSampleConversations = (): Message[][] =>
  Object.values(CONVERSATIONS)
    .flat()
    .map((turns) => turns.map((content, turn) => ({ role: turn % 2 === 0 ? 'user' : 'assistant', content })));
