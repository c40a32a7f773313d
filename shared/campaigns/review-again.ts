import { isDeepStrictEqual } from 'node:util';
import type { Effects } from '../platform/effects.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey } from './items.ts';
import { reviewFor } from './review.ts';

/**
 * Stores what today's rules say of a campaign's creative, where that is not what was found when it was saved: before there was a review, by
 * other rules, or while the operator allowed its owner something else. Nobody has changed the campaign: `updatedAt` stays, and no event is sent.
 */
export async function storeReview(
  { db, clock, config }: Pick<Effects, 'db' | 'clock' | 'config'>,
  { owner, id, creative, review: stored, version }: Campaign,
): Promise<void> {
  const review = reviewFor(config, owner, creative);
  if (isDeepStrictEqual(review, stored)) return;
  await db.write({
    table: 'campaigns',
    key: campaignKey(owner, id),
    update: 'SET #review = :review, #changedAt = :now, #version = :next',
    when: '#version = :version', // settles the race with its user's own change, which reviews it anyway
    values: { review, now: clock.now(), next: version + 1, version },
  });
}
