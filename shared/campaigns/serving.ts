import type * as z from 'zod';
import { toBiddable } from './biddable.ts';
import type { Campaign } from './campaign.ts';
import type { servingResponse } from './campaign-response.ts';
import { servingReasons, servingWarnings } from './eligibility.ts';
import type { SpendStats } from './spend-stats.ts';

/** Whether a campaign may take part in auctions now, by the rules that they go by, and what its advertiser may want to change. */
export function presentServing(campaign: Campaign, stats: SpendStats, now: number): z.output<typeof servingResponse> {
  const biddable = toBiddable(campaign);
  const blocking = servingReasons(biddable, stats, now);
  return {
    eligible: blocking.length === 0,
    reasons: [
      ...blocking.map((reason) => ({ ...reason, blocking: true })),
      ...servingWarnings(biddable, stats).map((reason) => ({ ...reason, blocking: false })),
    ],
  };
}
