import { OUTCOMES, type Outcome } from '../../shared/values/outcomes.ts';
import { faultInWords } from '../words.ts';
import type { Debug } from './bodies.ts';

export const outcomeInWords = (outcome: Outcome): string => faultInWords(OUTCOMES[outcome].means);

/** Why there is no bid: of the conversation, or of the campaign that came closest. */
export function noBidInWords({ reason, candidates }: Debug): string {
  if (!reason) return '';
  const closest = candidates.find(({ outcome }) => outcome === reason);
  const isAboutIt = closest && OUTCOMES[reason].whose !== 'conversation';
  return isAboutIt ? `${closest.name}: ${outcomeInWords(reason)}` : outcomeInWords(reason);
}
