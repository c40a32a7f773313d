import { closeOldDays } from '../../shared/budgets/shards/close-shards.ts';
import { readChangesSince } from '../../shared/campaigns/changes.ts';
import { storeMissingVersion } from '../../shared/campaigns/creative-versions.ts';
import { storeLifecycle } from '../../shared/campaigns/lifecycle.ts';
import { createReReview } from '../../shared/campaigns/review-again.ts';
import { scheduleWorker } from '../../shared/http/workers/worker.ts';

/**
 * Writes down what time has done to campaigns: a day's pause that has ended, an end date that has passed. Every reader knows it
 * already; this makes it a stored fact. And stores the versions of creatives that were saved before there were any: until then ads
 * have their texts in their records. And reviews those that other rules or weights have reviewed, or none, or whose owner is exempt no longer.
 * Balances that were left open in shards on a day that is over are closed, also those of campaigns deleted since.
 */
export default scheduleWorker('schedules/start-day', (effects) => {
  return async () => {
    const campaignIds: string[] = [];
    const reviewAgain = createReReview(effects);
    for await (const change of readChangesSince(effects, 0)) {
      if (change.kind === 'deleted') campaignIds.push(change.id);
      if (change.kind !== 'campaign') continue;
      campaignIds.push(change.campaign.id);
      await storeLifecycle(effects, change.campaign);
      await storeMissingVersion(effects, change.campaign);
      await reviewAgain(change.campaign);
    }
    if (effects.config.budgetShards) await closeOldDays(effects, campaignIds);
  };
});
