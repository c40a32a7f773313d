import * as z from 'zod';
import { updateCampaign } from '../../campaigns/campaign-schema.ts';
import { text } from '../../platform/values/value-schema.ts';
import { bidRequest } from '../bids/bid-schema.ts';

const { suggestedPhrases: _, pausedReason: __, expectedBudget: ___, ...settable } = updateCampaign.shape;
const { messages, countryCode } = bidRequest.shape;

/** The body of a preview (api 3.6). */
export const previewCampaign = z.object({
  campaignId: text('campaignId', 100).optional().describe('A campaign of the user'),
  campaign: z
    .object(settable, 'campaign must be an object')
    .optional()
    .describe('What a campaign would say; laid over the saved one where campaignId names one'),
  messages: messages.optional().describe('The conversation; without one the answer tells the reach alone'),
  countryCode: countryCode.optional().describe("The reader's country; the campaign's first one unless told"),
});
