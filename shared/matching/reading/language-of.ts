import { type DetectedLanguage, MOST_READ } from '../language/detector.ts';
import type { Lexicon } from '../lexicon/lexicon.ts';
import type { Message } from './tokens.ts';

const ENGLISH = 'en';

/** Whether it is surely another language than the lexicon's. */
export const isForeign = ({ code, isSure }: DetectedLanguage): boolean => isSure && code !== ENGLISH;

/**
 * The language that the user writes in, by the newest some hundred characters: what somebody said last comes first. Names of categories are
 * English whatever the page is written in.
 */
export function languageOf(messages: readonly Message[], { languageDetector }: Lexicon): DetectedLanguage {
  let text = '';
  for (let i = messages.length - 1; i >= 0 && text.length < MOST_READ; i--) {
    const { role, content, topics } = messages[i]!;
    if (role === 'user' && !topics) text += `${content.slice(0, MOST_READ)}\n`;
  }
  return languageDetector.detect(text);
}
