import type { Effects } from '../platform/effects.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey } from './items.ts';
import { getReviewVersion, reviewUnlessExempt } from './review/review.ts';

/** Maximum reviews per run, so that it ends before its timeout; each takes a few milliseconds. The next run continues. */
const MAX_REVIEWS = 5_000;

/**
 * Creates a function that reviews a creative again if it was reviewed with other rules or weights, or not at all. Removes the review if the
 * owner is now exempt. The user has not changed the campaign, so `updatedAt` stays and no event is sent.
 * @param maxReviews for all campaigns together
 */
export function createReReview(
  { db, clock, config }: Pick<Effects, 'db' | 'clock' | 'config'>,
  maxReviews = MAX_REVIEWS,
): (campaign: Campaign) => Promise<void> {
  let left = maxReviews;
  return async ({ owner, id, creative, review: stored, reviewedBy, version }) => {
    const isExempt = config.creativeReviewExempt.includes(owner);
    if (isExempt ? stored === undefined : stored !== undefined && reviewedBy === getReviewVersion()) return;
    if (!isExempt && left-- <= 0) return;
    const now = reviewUnlessExempt(config, owner, creative);
    const isChanged = !isSame(now.review, stored); // if unchanged, bidding instances do not need to read the campaign again
    const sets = [
      ...(isChanged ? ['#changedAt = :now', '#version = :next'] : []),
      ...(isExempt ? [] : ['#review = :review', '#reviewedBy = :reviewedBy']),
    ];
    await db.write({
      table: 'campaigns',
      key: campaignKey(owner, id),
      update: `SET ${sets.join(', ')}${isExempt ? ' REMOVE #review, #reviewedBy' : ''}`,
      when: '#version = :version', // settles the race with an update by the user, which also reviews
      values: { ...(!isExempt && now), ...(isChanged && { now: clock.now(), next: version + 1 }), version },
    });
  };
}

const isSame = (a: Campaign['review'], b: Campaign['review']): boolean =>
  a && b ? a.field === b.field && a.passage === b.passage : a === b;
