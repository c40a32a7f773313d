import type { Answering } from './responses.ts';

interface Description {
  /** What generated clients call it. */
  id: string;
  /** What its summary leaves open. */
  text: string;
}

/** How the OpenAPI document names and explains each operation. A table of its own, because no function that answers has a use for it. */
export const descriptions: Readonly<Record<Answering, Description>> = {
  'ssp/bid': {
    id: 'submitBid',
    text: 'Answers a CPM bid with its id, or `null` when no ad fits, which is no error. The bid lives 5 minutes; nothing is charged until its ad is asked for. With `X-Debug: true` it says why.',
  },
  'ssp/ad': {
    id: 'getAd',
    text: 'Ask when the ad is shown: the first retrieval is the impression and is charged. Asking again within the 5 minutes of the bid gives the same ad, charged once.',
  },
  'click/redirect': {
    id: 'followClick',
    text: "Redirects to the landing page with our `click_id` in its query, in place of any that it has. The first valid click of an impression counts; repeats, HEAD, prefetches and declared crawlers lead on and count nothing. An ad's link works for 90 days.",
  },
  'openrtb2/bid': {
    id: 'submitExchangeBid',
    text: 'Native ads for conversations and pages, in the words of OpenRTB 2.6; docs/openrtb.md has every field. No bid is a 204. Each impression counts towards the limit, at most 10 in a request.',
  },
  'openrtb2/notice': {
    id: 'takeNotice',
    text: 'Needs no key: its token is signed and holds as long as the bid, `exp` seconds. The one that the key is billed by charges the impression, once; the others are counted.',
  },
  'trusted-match/context': {
    id: 'matchContext',
    text: 'One offer with its ad for an `ai_assistant` property, or none; docs/trusted-match.md has every field. Experimental, as AdCP declares `trusted_match.core`: it changes with the protocol. Of errors a full window alone is a 200.',
  },
  'trusted-match/click': {
    id: 'followOfferClick',
    text: 'Leads on and counts as every click does; the first valid one charges the impression where no tracker has told of it within a day.',
  },
  'trusted-match/health': { id: 'getProviderHealth', text: 'Where routers of Trusted Match look before they ask.' },
  'legacy/request': {
    id: 'requestLegacyAds',
    text: 'One to five ads for a conversation, no campaign twice. Having none is a 503. New integrations use the SSP operations.',
  },
  'legacy/click': {
    id: 'trackLegacyClick',
    text: 'Counts a click and answers the landing page as JSON, instead of following `content.landingUrl`. A repeat answers with the same click.',
  },
  'legacy/impression': {
    id: 'trackLegacyImpression',
    text: 'Counts and charges the first impression of an ad within 24 hours of its request. A repeat answers with the same impression.',
  },
  'conversions/record': {
    id: 'recordConversion',
    text: "For the campaign's owner. With a `conversionId` of one's own it may be sent again as often as needed: the first is a 201, every repeat a 200 with the first record. Costs nothing.",
  },
  'api-keys/create': {
    id: 'createApiKey',
    text: 'The answer is the only one that ever holds the whole key: the service keeps a fingerprint alone.',
  },
  'api-keys/list': {
    id: 'listApiKeys',
    text: 'The keys of the user, oldest first; with `days` what came of each on so many days, in one request for all of them.',
  },
  'api-keys/update': {
    id: 'updateApiKey',
    text: 'Fields that are left out stay, lists are replaced whole, null sets a field back to its default. Settings reach every bid within 10 seconds, name and floor at once. A whole key may be sent back.',
  },
  'api-keys/delete': { id: 'deleteApiKey', text: 'Whoever uses it then gets a 401.' },
  'api-keys/toggle': {
    id: 'toggleApiKey',
    text: 'Flips `isActive`. Every use of a key that is switched off is a 401.',
  },
  'api-keys/rotate': {
    id: 'rotateApiKey',
    text: 'The answer is the only one with the new secret. Id, limits, settings, bids, and report belong to the key, whichever secret is used. Every replaced secret works for 24 hours of its own, at most five at a time: a further rotation is a 409. With `revokeOld` all of them stop at once. A repeat with the same `Idempotency-Key` rotates once and shows the key masked.',
  },
  'api-keys/report': {
    id: 'getApiKeyReport',
    text: 'One row for each UTC day, days without anything included: requests, bids, impressions, clicks and earnings, exact, and no-bids by reason, approximate. `Accept: text/csv` gets the same as CSV.',
  },
  'campaigns/create': {
    id: 'createCampaign',
    text: 'Only `name` is required. A campaign is a `draft` unless `status` says otherwise, and a draft never serves; `serving` in the answer says what it still lacks.',
  },
  'campaigns/list': {
    id: 'listCampaigns',
    text: 'A page of summaries; the header `x-total-count` has the number of all that match.',
  },
  'campaigns/get': {
    id: 'getCampaign',
    text: 'The whole campaign, with its performance and whether it may serve now.',
  },
  'campaigns/update': {
    id: 'updateCampaign',
    text: '`creative`, `targetAudience` and `demographics` may be partial, lists are replaced whole, null sets an optional field back to its default. A whole campaign may be sent back: read-only fields are passed over. `status: "active"` comes back as `completed` after `endDate`, and as `paused` when a budget is spent.',
  },
  'campaigns/preview': {
    id: 'previewCampaign',
    text: 'A saved campaign, a draft or a body, and a conversation: whether it would match, by which words, at what price of its own, and what stands in the way; of other campaigns how many, and nothing more. Stores and spends nothing.',
  },
  'campaigns/report': {
    id: 'getCampaignReport',
    text: 'One row for each UTC day, days without anything included. `Accept: text/csv` gets the same as CSV.',
  },
  'campaigns/delete': { id: 'deleteCampaign', text: 'It stops bidding within a second, and its name is free again.' },
  'webhooks/create': {
    id: 'createWebhook',
    text: 'The answer holds the secret that deliveries are signed with; later ones do not. A user has at most 20 webhooks.',
  },
  'webhooks/list': { id: 'listWebhooks', text: 'The webhooks of the user in the order of their creation.' },
  'webhooks/get': { id: 'getWebhook', text: 'One webhook, without its secret.' },
  'webhooks/update': {
    id: 'updateWebhook',
    text: 'Fields that are left out stay. `status: "active"` revives one that is disabled.',
  },
  'webhooks/delete': { id: 'deleteWebhook', text: 'Nothing more is delivered to it.' },
  'webhooks/test': {
    id: 'testWebhook',
    text: 'Posts one signed sample event and says what came of it; it is not tried again.',
  },
  'webhooks/deliveries': {
    id: 'listDeliveries',
    text: 'The last hundred events of a webhook with every attempt to deliver them, newest first.',
  },
  'webhooks/delivery': {
    id: 'getDelivery',
    text: 'What was posted, and the first kilobyte of what the receiver answered to attempts that failed.',
  },
  'webhooks/redeliver-failed': {
    id: 'redeliverFailed',
    text: 'The newest hundred failed deliveries go on their way again, each with its own id. `next`, sent as `before`, goes on from there, until it is null: so all that are kept are reached.',
  },
  'webhooks/redeliver': {
    id: 'redeliverEvent',
    text: 'Puts the same event on its way again, with the same id.',
  },
  'webhooks/rotate-secret': {
    id: 'rotateWebhookSecret',
    text: 'The answer is the only one with the new secret. Every replaced secret signs along for 24 hours of its own, at most five at a time: a further rotation is a 409. With `revokeOld` all of them stop at once. A repeat with the same `Idempotency-Key` rotates once and shows no secret.',
  },
  openapi: { id: 'getOpenApiDocument', text: 'This document.' },
  health: { id: 'getHealth', text: 'Asks nothing else: it says that the service answers, not that its store does.' },
};
