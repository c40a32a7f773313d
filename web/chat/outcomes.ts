import { OUTCOMES } from '../../shared/platform/values/outcomes.ts';
import { getLabel } from '../campaigns/labels.ts';
import type { ExplainedCandidate as Candidate, Debug } from './bodies.ts';

/** Explains an outcome, and names the field to fix if there is one. */
export function explainCandidate({ outcome, field }: Pick<Candidate, 'outcome' | 'field'>): string {
  const { means } = OUTCOMES[outcome];
  const needsField = outcome === 'incomplete' || outcome === 'creative_review';
  return needsField && field ? `${means} Field: ${getLabel(field)}.` : means;
}

/** Explains why there is no bid, by the conversation or by the closest campaign. */
export function explainNoBid({ reason, candidates }: Debug): string {
  if (!reason) return '';
  const closest = candidates.find(({ outcome }) => outcome === reason);
  const isAboutIt = closest && OUTCOMES[reason].whose !== 'conversation';
  return isAboutIt ? `${closest.name}: ${explainCandidate(closest)}` : OUTCOMES[reason].means;
}
