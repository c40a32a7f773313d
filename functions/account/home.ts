import { findCampaignsInNeed } from '../../shared/campaigns/attention.ts';
import { findOwnedCampaigns } from '../../shared/campaigns/find.ts';
import { readCampaignFigures } from '../../shared/campaigns/overview.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { readKeyFigures } from '../../shared/keys/key-report.ts';
import { listActivity, presentActivity } from '../../shared/platform/activity.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { toRecord } from '../../shared/platform/values/typed.ts';
import { findFailingWebhooks } from '../../shared/webhooks/attention.ts';
import { listWebhooks } from '../../shared/webhooks/webhook-store.ts';

/** Entries of each kind that need attention, and of the latest activity. */
const MAX_PER_KIND = 20;
const MAX_ACTIVITY = 10;

/** What the start page shows of all campaigns, keys, and webhooks of a user. */
export default (effects: Effects) =>
  createApp('account/home', effects).get(
    toHonoPath('account/home'),
    requireOwner(effects, endpoints['account/home']),
    async (c) => {
      const { owner } = c.var;
      const readCampaigns = async () => {
        const campaigns = await findOwnedCampaigns(effects, owner);
        return { campaigns, figures: await readCampaignFigures(effects, owner, campaigns) };
      };
      const [{ campaigns, figures }, keys, webhooks, { entries }] = await Promise.all([
        readCampaigns(),
        readKeyFigures(effects, owner),
        listWebhooks(effects, owner),
        listActivity(effects, owner, { limit: MAX_ACTIVITY }),
      ]);
      const needs = [...findFailingWebhooks(webhooks), ...findCampaignsInNeed(campaigns, effects.clock.now())];
      const byKind = toRecord(['webhook_failing', 'not_serving', 'budget_nearly_spent'], (kind) =>
        needs.filter((need) => need.kind === kind),
      );
      return c.json({
        counts: {
          campaigns: campaigns.filter(({ campaign }) => campaign !== undefined).length,
          keys: keys.count,
          webhooks: webhooks.length,
        },
        campaigns: figures,
        keys: keys.figures,
        attention: Object.values(byKind).flatMap((some) => some.slice(0, MAX_PER_KIND)),
        attentionCounts: {
          not_serving: byKind.not_serving.length,
          budget_nearly_spent: byKind.budget_nearly_spent.length,
          webhook_failing: byKind.webhook_failing.length,
        },
        activity: entries.map(presentActivity),
      });
    },
  );
