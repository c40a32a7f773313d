import { campaignStore } from '../../shared/campaigns/store.ts';
import { scheduleWorker } from '../../shared/workers/schedule.ts';

/**
 * Writes down what time has done to campaigns: a day's pause that has ended, an end date that has passed. Every reader knows it
 * already; this makes it a stored fact.
 */
export default scheduleWorker('schedules/start-day', (effects) => {
  const campaigns = campaignStore(effects);

  return async () => {
    for await (const change of campaigns.changedSince(0)) {
      if (change.kind === 'campaign') await campaigns.settle(change.campaign);
    }
  };
});
