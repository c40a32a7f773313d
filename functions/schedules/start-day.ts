import { closeOldDays } from '../../shared/budgets/shards/close-shards.ts';
import { readChangesSince } from '../../shared/campaigns/changes.ts';
import { storeMissingVersion } from '../../shared/campaigns/creative-versions.ts';
import { storeLifecycle } from '../../shared/campaigns/lifecycle.ts';
import { createReReview } from '../../shared/campaigns/review-again.ts';
import { scheduleWorker } from '../../shared/http/workers/worker.ts';

/**
 * Daily upkeep of campaigns:
 * - stores status changes caused by time: the end of a day's pause, a passed end date. Reads already apply them.
 * - stores creative versions for campaigns saved before versions existed. Until then, bid records contain the ad's texts.
 * - reviews creatives again if the rules or weights changed, if they were never reviewed, or if the owner is no longer exempt.
 * - closes balances whose shards are still open from an earlier day, including those of deleted campaigns.
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
