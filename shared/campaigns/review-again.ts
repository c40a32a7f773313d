import type { Effects } from '../platform/effects.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey } from './items.ts';
import { reviewFor } from './review.ts';

/**
 * Reviews a creative that was saved before there was a review. Nobody has changed the campaign: `updatedAt` stays, and no event is sent. Those that
 * were reviewed stay as they are: a review takes milliseconds, too much for every campaign every hour.
 */
export async function storeMissingReview(
  { db, clock, config }: Pick<Effects, 'db' | 'clock' | 'config'>,
  { owner, id, creative, review: stored, version }: Campaign,
): Promise<void> {
  if (stored !== undefined) return;
  const review = reviewFor(config, owner, creative);
  await db.write({
    table: 'campaigns',
    key: campaignKey(owner, id),
    update: 'SET #review = :review, #changedAt = :now, #version = :next',
    when: '#version = :version', // settles the race with its user's own change, which reviews it
    values: { review, now: clock.now(), next: version + 1, version },
  });
}
