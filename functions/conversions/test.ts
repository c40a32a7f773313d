import { testConversion } from '../../shared/ads/conversions/conversion-schema.ts';
import { noteTest, presentTest } from '../../shared/ads/conversions/store.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Receives a test conversion (api 7): checks it like a real one, without a click, and notes the time for `conversionStatus`. */
export default (effects: Effects) =>
  createApp('conversions/test', effects).post(
    toHonoPath('conversions/test'),
    requireOwner(effects, endpoints['conversions/test']),
    ...jsonBody(endpoints['conversions/test'], testConversion),
    async (c) => {
      const test = c.req.valid('json');
      const campaign = await findCampaign(effects, c.var.owner, test.campaignId);
      if (!campaign) throw notFound('management', 'Campaign not found');
      const now = effects.clock.now();
      await effects.db.write(noteTest(campaign.id, now));
      return c.json(presentTest(test, now));
    },
  );
