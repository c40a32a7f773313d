import type { Effects } from '../platform/effects.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey } from './items.ts';
import { reviewFor } from './review.ts';

/**
 * Reviews a creative that was saved before there was a review, or while its owner was exempt, and drops the review of an owner who is
 * exempt by now. Nobody has changed the campaign: `updatedAt` stays, and no event is sent. Those that were reviewed stay as they are:
 * a review takes milliseconds, too much for every campaign every hour.
 */
export async function storeMissingReview(
  { db, clock, config }: Pick<Effects, 'db' | 'clock' | 'config'>,
  { owner, id, creative, review: stored, version }: Campaign,
): Promise<void> {
  const isExempt = config.creativeReviewExempt.includes(owner);
  if (isExempt === (stored === undefined)) return;
  const review = reviewFor(config, owner, creative);
  await db.write({
    table: 'campaigns',
    key: campaignKey(owner, id),
    update: `SET #changedAt = :now, #version = :next${review === undefined ? ' REMOVE #review' : ', #review = :review'}`,
    when: '#version = :version', // settles the race with its user's own change, which reviews it
    values: { ...(review !== undefined && { review }), now: clock.now(), next: version + 1, version },
  });
}
