import { fromCampaignItem, isCampaign } from '../../shared/campaigns/items.ts';
import { createSuggest } from '../../shared/campaigns/suggest.ts';
import { streamWorker } from '../../shared/http/workers/stream-worker.ts';

/** Suggests phrases for a campaign that was saved, where there is a judge to make them (api 3.5). */
export default streamWorker('events/suggest-phrases', (effects) => {
  const { judge } = effects;
  const suggest = judge && createSuggest({ ...effects, judge });

  return {
    changes: {
      /** Nothing is asked where texts are what they were: their phrases say what they were made for. */
      async campaigns({ now }) {
        if (suggest && now && isCampaign(now)) await suggest(fromCampaignItem(now));
      },
    },
  };
});
