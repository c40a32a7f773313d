import type { Message } from '../../matching/index.ts';
import sample from './sample.json' with { type: 'json' };

/** Sample conversations by theme, as alternating turns, user first. Written for this purpose; not from real users. */
const CONVERSATIONS: Readonly<Record<string, readonly (readonly string[])[]>> = sample;

/** The conversations used to measure reach. */
export const getSampleConversations = (): Message[][] =>
  Object.values(CONVERSATIONS)
    .flat()
    .map((turns) => turns.map((content, turn) => ({ role: turn % 2 === 0 ? 'user' : 'assistant', content })));

const OTHER_LANGUAGES = 'Other languages';

/** The texts of the conversations in English. */
export const getEnglishTexts = (): string[] =>
  Object.entries(CONVERSATIONS).flatMap(([theme, conversations]) =>
    theme === OTHER_LANGUAGES ? [] : conversations.flat(),
  );
