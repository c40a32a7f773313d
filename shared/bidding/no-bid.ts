import type { NoBidReason } from '../metrics.ts';
import type { Auction, Candidate } from './auction.ts';

/** Outcomes that speak of the conversation, not of the campaign. */
const UNFIT = ['below_threshold', 'excluded_keyword'] as const;
const isUnfit = (outcome: Candidate['outcome']) => UNFIT.some((unfit) => unfit === outcome);

/** Why an auction without a winner had none: what kept the best campaign that fits from bidding, or why none fits. */
export function whyNoBid({ silence, candidates }: Pick<Auction, 'silence' | 'candidates'>): NoBidReason {
  const refused = candidates.find(({ outcome }) => !isUnfit(outcome));
  if (refused) return refused.outcome as NoBidReason;
  if (silence && silence !== 'below_threshold') return silence;
  return (candidates[0]?.outcome ?? 'no_match') as NoBidReason;
}
