import type { Input, Result } from './routes.ts';

/*
 * Names for what operations take and return, derived from the operations, so that they cannot drift from the service.
 */

/** A message of a conversation, as bids take it. */
export type ConversationMessage = Input<'POST /api/v1/ssp/bid'>['body']['messages'][number];
/** A bid: `bid` is a CPM in USD, and `bidId` is valid for five minutes. */
export type Bid = NonNullable<Result<'POST /api/v1/ssp/bid'>>;
/** The ad of a bid. */
export type Ad = Result<'GET /api/v1/ssp/ad/{bidId}'>;

/** What a campaign is created from. */
export type CampaignInput = Input<'POST /api/v1/campaigns'>['body'];
/** A campaign, as creating and updating return it. */
export type Campaign = Result<'PATCH /api/v1/campaigns/{id}'>;
/** A campaign in a list. */
export type CampaignSummary = Result<'GET /api/v1/campaigns'>[number];
/** What a campaign would do, without creating it. */
export type CampaignPreview = Result<'POST /api/v1/campaigns/preview'>;
/** A campaign's figures by UTC day, or with `by` also by country, publisher, topic, creative, or variant. */
export type CampaignReport = Result<'GET /api/v1/campaigns/{id}/report'>;

/** An API key as lists return it: its secret is masked. */
export type ApiKey = Result<'GET /api/v1/auth/api-keys'>[number];
/** A new or rotated API key. Only this response shows its secret. */
export type ApiKeyWithSecret = Result<'POST /api/v1/auth/api-keys'>;
/** A key's figures by UTC day, or with `by` also by country, advertiser domain, or variant. */
export type ApiKeyReport = Result<'GET /api/v1/auth/api-keys/{id}/report'>;

/** A webhook as lists return it. */
export type Webhook = Result<'GET /api/v1/webhooks'>[number];
/** A new webhook, or one with a rotated secret. Only this response shows its secret. */
export type WebhookWithSecret = Result<'POST /api/v1/webhooks'>;
/** One delivery of an event to a webhook. */
export type WebhookDelivery = Result<'GET /api/v1/webhooks/{id}/deliveries'>[number];

/** What a conversion is recorded from. */
export type ConversionInput = Input<'POST /api/v1/conversions'>['body'];
/** A recorded conversion. */
export type Conversion = Result<'POST /api/v1/conversions'>;
/** The spend of an advertiser, or the earnings of a publisher, in one month. */
export type Statement = Result<'GET /api/v1/statements'>;
