import { legacyAdResponse } from '../../ads/legacy/legacy-response.ts';
import { BID_STRATEGIES, STATUSES } from '../../campaigns/campaign.ts';
import { campaignResponse } from '../../campaigns/campaign-response.ts';
import { apiKeyResponse } from '../../keys/key-response.ts';
import { AD_STRICTNESS } from '../../platform/values/ad-strictness.ts';
import { campaignDimensions, keyDimensions } from '../../platform/values/dimensions.ts';
import { noBidReasons, outcomes } from '../../platform/values/outcomes.ts';
import { EVENT_TYPES } from '../../webhooks/events/types.ts';
import { deliveryResponse, webhookResponse } from '../../webhooks/webhook-response.ts';

/** The values that fields of several objects share. Without a name, generators create a type for each field. */
const ENUMS: Readonly<Record<string, readonly unknown[]>> = {
  AdFormat: legacyAdResponse.shape.type.options,
  AdStrictness: AD_STRICTNESS,
  AuctionType: apiKeyResponse.shape.auction.options,
  BidStrategy: BID_STRATEGIES,
  BillingNotice: apiKeyResponse.shape.billing.options,
  CampaignDimension: campaignDimensions,
  CampaignStatus: STATUSES,
  DeliveryStatus: deliveryResponse.shape.status.options,
  EventType: EVENT_TYPES,
  KeyDimension: keyDimensions,
  KeyMode: apiKeyResponse.shape.mode.options,
  NoBidReason: noBidReasons,
  Outcome: outcomes,
  PausedReason: campaignResponse.shape.pausedReason.unwrap().options,
  WebhookStatus: webhookResponse.shape.status.options,
};

const names = new Map(Object.entries(ENUMS).map(([name, values]) => [JSON.stringify(values), name]));

/** The name of a list of values; undefined if only one object has them. */
export const getEnumName = (values: readonly unknown[]): string | undefined => names.get(JSON.stringify(values));

/** The schemas of all named values. */
export const enumSchemas = Object.fromEntries(
  Object.entries(ENUMS).map(([name, values]) => [name, { type: 'string', enum: values }]),
);
