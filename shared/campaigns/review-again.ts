import type { Effects } from '../platform/effects.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey } from './items.ts';
import { getReviewVersion, reviewUnlessExempt } from './review/review.ts';

/** Reviews in a run, at milliseconds each: a run ends well within its time, and the next goes on with the rest. */
const MOST_REVIEWS = 5_000;

/**
 * Reviews a creative that other rules or weights have reviewed, or none, or that was saved while its owner was exempt; and drops the
 * review of an owner who is exempt by now. Nobody has changed the campaign: `updatedAt` stays, and no event is sent.
 * @param most reviews that are made in all
 */
export function createReReview(
  { db, clock, config }: Pick<Effects, 'db' | 'clock' | 'config'>,
  most = MOST_REVIEWS,
): (campaign: Campaign) => Promise<void> {
  let left = most;
  return async ({ owner, id, creative, review: stored, reviewedBy, version }) => {
    const isExempt = config.creativeReviewExempt.includes(owner);
    if (isExempt ? stored === undefined : stored !== undefined && reviewedBy === getReviewVersion()) return;
    if (!isExempt && left-- <= 0) return;
    const now = reviewUnlessExempt(config, owner, creative);
    const isNews = !isSame(now.review, stored); // else bidding and its snapshots need not hear of it
    const sets = [
      ...(isNews ? ['#changedAt = :now', '#version = :next'] : []),
      ...(isExempt ? [] : ['#review = :review', '#reviewedBy = :reviewedBy']),
    ];
    await db.write({
      table: 'campaigns',
      key: campaignKey(owner, id),
      update: `SET ${sets.join(', ')}${isExempt ? ' REMOVE #review, #reviewedBy' : ''}`,
      when: '#version = :version', // settles the race with its user's own change, which reviews it
      values: { ...(!isExempt && now), ...(isNews && { now: clock.now(), next: version + 1 }), version },
    });
  };
}

const isSame = (a: Campaign['review'], b: Campaign['review']): boolean =>
  a && b ? a.field === b.field && a.passage === b.passage : a === b;
