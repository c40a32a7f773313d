import * as z from 'zod';
import { updateCampaign } from '../../campaigns/campaign-schema.ts';
import { text } from '../../platform/values/value-schema.ts';
import { bidRequest } from '../bids/bid-schema.ts';

const { suggestedPhrases: _, pausedReason: __, expectedBudget: ___, ...settable } = updateCampaign.shape;
const { messages, countryCode } = bidRequest.shape;

/** The body of a preview (api 3.6). */
export const previewCampaign = z.object({
  campaignId: text('campaignId', 100).optional().describe('ID of a campaign that you own'),
  campaign: z
    .object(settable, 'campaign must be an object')
    .meta({ id: 'CampaignDraft' })
    .optional()
    .describe('Fields of the campaign. With campaignId, they override the saved fields'),
  messages: messages.optional().describe('The conversation. Without messages, the response contains only the reach'),
  countryCode: countryCode.optional().describe("The user's country. Default: the first country of the campaign"),
});
