import { isNoBidReason, type NoBidReason } from '../../platform/values/outcomes.ts';
import type { Auction } from './auction.ts';

/**
 * Why an auction without a winner had none: what kept the campaign that fits best from bidding; where none fits well enough, what the
 * conversation lacks. A judge that is against all that may bid is the reason whatever may not: it has not judged those, and how well they fit
 * is another measure.
 */
export function getNoBidReason({ noBid, candidates }: Pick<Auction, 'noBid' | 'candidates'>): NoBidReason {
  if (noBid === 'sensitive_context' || noBid === 'no_user_message' || noBid === 'catalog_stale' || noBid === 'judge')
    return noBid;
  const reasons = candidates.map(({ outcome }) => outcome).filter(isNoBidReason);
  const refusal = reasons.find((reason) => reason !== 'below_threshold');
  if (refusal) return refusal;
  if (noBid === 'no_commercial_context') return noBid;
  return candidates.length > 0 ? 'below_threshold' : 'no_match';
}
