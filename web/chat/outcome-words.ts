import { OUTCOMES, type Outcome } from '../../shared/values/outcomes.ts';
import { faultInWords } from '../words.ts';
import type { ExplainedCandidate as Candidate, Debug } from './bodies.ts';

const outcomeInWords = (outcome: Outcome): string => faultInWords(OUTCOMES[outcome].means);

/** The same of a candidate, with the field that it is about where the outcome alone does not say it. */
export function candidateInWords({ outcome, field }: Pick<Candidate, 'outcome' | 'field'>): string {
  const says = outcomeInWords(outcome);
  if (!field || (outcome !== 'incomplete' && outcome !== 'creative_review')) return says;
  const name = faultInWords(field.split('.').at(-1)!).toLowerCase();
  return says.replace(/\.$/, `: ${name}.`);
}

/** Why there is no bid: of the conversation, or of the campaign that came closest. */
export function noBidInWords({ reason, candidates }: Debug): string {
  if (!reason) return '';
  const closest = candidates.find(({ outcome }) => outcome === reason);
  const isAboutIt = closest && OUTCOMES[reason].whose !== 'conversation';
  return isAboutIt ? `${closest.name}: ${candidateInWords(closest)}` : outcomeInWords(reason);
}
