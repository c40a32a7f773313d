import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { buildDraft } from '../../shared/ads/previews/draft.ts';
import { createPreview } from '../../shared/ads/previews/preview.ts';
import { previewCampaign } from '../../shared/ads/previews/preview-schema.ts';
import { getReach } from '../../shared/ads/previews/reach.ts';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { presentServing } from '../../shared/campaigns/campaign-response.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { reviewUnlessExempt } from '../../shared/campaigns/review/review.ts';
import { createSpendStats, toSpendStats } from '../../shared/campaigns/spend-stats.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { invalid, notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Previews how a saved or draft campaign matches a conversation, and what its keywords reach (api 3.6). Stores and spends nothing. */
export default (effects: Effects) => {
  const ledgers = ledgerStore(effects);
  const preview = createPreview(effects, getLexicon());

  return createApp('campaigns/preview', effects).post(
    toHonoPath('campaigns/preview'),
    requireOwner(effects, endpoints['campaigns/preview']),
    ...jsonBody(endpoints['campaigns/preview'], previewCampaign),
    async (c) => {
      const { campaignId, campaign: input, messages, countryCode } = c.req.valid('json');
      const { owner } = c.var;
      const now = effects.clock.now();
      const saved = campaignId === undefined ? undefined : await findCampaign(effects, owner, campaignId);
      if (campaignId !== undefined && !saved) throw notFound('management', 'Campaign not found');
      const draft = buildDraft(getLexicon(), owner, input, saved, now);
      if (draft.outcome === 'invalid') {
        throw invalid(
          'management',
          draft.faults.map((fault) => ({ ...fault, path: `campaign.${fault.path}` })),
        );
      }
      // As saving it would: `serving` tells of a creative that does not pass.
      const reviewed = input && reviewUnlessExempt(effects.config, owner, draft.campaign.creative);
      const campaign = { ...draft.campaign, ...reviewed };
      const [performance] = saved ? await ledgers.performance([saved.id]) : [];
      const stats = performance ? toSpendStats(performance) : createSpendStats(campaign.id);
      return c.json({
        match: messages ? await preview(campaign, stats, messages, countryCode) : null,
        serving: presentServing(campaign, stats, now),
        reach: getReach(getLexicon())(campaign, campaign.profile),
      });
    },
  );
};
