import { fromCampaignItem, isCampaign } from '../../shared/campaigns/items.ts';
import { createSuggest } from '../../shared/campaigns/suggest.ts';
import { streamWorker } from '../../shared/http/workers/stream-worker.ts';

/** Suggests phrases for each saved campaign if a judge is configured (api 3.5). */
export default streamWorker('events/suggest-phrases', (effects) => {
  const { judge } = effects;
  const suggest = judge && createSuggest({ ...effects, judge });

  return {
    changes: {
      /** Unchanged texts cost no request, because the source texts are stored with the phrases. */
      async campaigns({ now }) {
        if (suggest && now && isCampaign(now)) await suggest(fromCampaignItem(now));
      },
    },
  };
});
