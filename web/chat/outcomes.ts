import { OUTCOMES } from '../../shared/platform/values/outcomes.ts';
import { labelOf } from '../campaigns/labels.ts';
import type { ExplainedCandidate as Candidate, Debug } from './bodies.ts';

/** What an outcome means for a candidate, with the field where something is missing or has to change. */
export function explainCandidate({ outcome, field }: Pick<Candidate, 'outcome' | 'field'>): string {
  const { means } = OUTCOMES[outcome];
  const needsField = outcome === 'incomplete' || outcome === 'creative_review';
  return needsField && field ? `${means} Field: ${labelOf(field)}.` : means;
}

/** Why there is no bid: because of the conversation, or of the campaign that came closest. */
export function explainNoBid({ reason, candidates }: Debug): string {
  if (!reason) return '';
  const closest = candidates.find(({ outcome }) => outcome === reason);
  const isAboutIt = closest && OUTCOMES[reason].whose !== 'conversation';
  return isAboutIt ? `${closest.name}: ${explainCandidate(closest)}` : OUTCOMES[reason].means;
}
