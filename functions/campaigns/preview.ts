import { findCampaign } from '../../shared/campaigns/find.ts';
import { presentServing } from '../../shared/campaigns/serving.ts';
import { noSpendStats, spendStatsOf } from '../../shared/campaigns/spend-stats.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { invalid, notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { ledgerStore } from '../../shared/ledgers/store.ts';
import { draftOf } from '../../shared/previews/draft.ts';
import { createPreview } from '../../shared/previews/preview.ts';
import { createReach } from '../../shared/previews/reach.ts';
import { previewCampaign } from '../../shared/previews/schema.ts';

/** One of the process, as the lexicon is: it remembers what campaigns reach. */
let reachOf: ReturnType<typeof createReach> | undefined;

/** What a campaign, saved or not, would make of a conversation, and what its keywords reach (api 3.6). Stores and spends nothing. */
export default endpoint('campaigns/preview', (effects) => {
  const world = lexicon();
  const ledgers = ledgerStore(effects);
  const preview = createPreview(effects, world);
  reachOf ??= createReach(world);
  const reach = reachOf;

  return {
    body: previewCampaign,

    async act({ owner, body: { campaignId, campaign: input, messages, countryCode } }) {
      const now = effects.clock.now();
      const saved = campaignId === undefined ? undefined : await findCampaign(effects, owner, campaignId);
      if (campaignId !== undefined && !saved) throw notFound('management', 'Campaign not found');
      const draft = draftOf(world, owner, input, saved, now);
      if (draft.outcome === 'invalid') {
        throw invalid(
          'management',
          draft.faults.map((fault) => ({ ...fault, path: `campaign.${fault.path}` })),
        );
      }
      const { campaign } = draft;
      const [performance] = saved ? await ledgers.performance([saved.id]) : [];
      const stats = performance ? spendStatsOf(performance) : noSpendStats(campaign.id);
      return ok({
        match: messages ? await preview(campaign, stats, messages, countryCode) : null,
        serving: presentServing(campaign, stats, now),
        reach: reach(campaign, campaign.profile),
      });
    },
  };
});
