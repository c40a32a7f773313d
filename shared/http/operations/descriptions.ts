import type { Answering } from './responses.ts';

interface Description {
  /** Name in generated clients. */
  id: string;
  /** Details that the summary omits. */
  text: string;
}

/** The name and description of each operation in the OpenAPI document. A separate table, so request handlers do not bundle it. */
export const descriptions: Readonly<Record<Answering, Description>> = {
  'ssp/bid': {
    id: 'submitBid',
    text: 'Returns a CPM bid and its ID, or `null` if no ad fits; a null body is not an error. A bid expires after 5 minutes. Nothing is charged until you retrieve its ad. Send `X-Debug: true` to see why a bid was or was not made.',
  },
  'ssp/ad': {
    id: 'getAd',
    text: 'Call this when you show the ad. The first retrieval counts as the impression and is charged. If you repeat the request within the 5-minute lifetime of the bid, you get the same ad and no second charge.',
  },
  'click/redirect': {
    id: 'followClick',
    text: 'Redirects to the landing page and sets `click_id` in its query, replacing any existing `click_id`. The first valid click of an impression counts. Repeated clicks, HEAD requests, prefetches, and declared crawlers are redirected but not counted. The link of an ad works for 90 days.',
  },
  'feedback/record': {
    id: 'reportNotRelevant',
    text: 'For readers: needs no API key, because the token is signed. The first report of an ad counts, on the day of its impression; a repeated one returns 204 and counts nothing. Stores nothing about the reader. The URL of an ad works for 90 days. A GET shows a form for clients without scripts and reports nothing.',
  },
  'viewable/record': {
    id: 'reportViewable',
    text: 'For the client that shows an ad: call it once half of the ad was visible for one second. Needs no API key and no body, because the token is signed. The first report of an ad counts as a viewable impression, on the day of its impression; a repeated one returns 204 and counts nothing. It charges nothing and stores nothing about the reader.',
  },
  'openrtb2/bid': {
    id: 'submitExchangeBid',
    text: 'Bids on native ads in conversations and pages, in the format of OpenRTB 2.6; docs/openrtb.md describes every field. Returns 204 if there is no bid. Each impression counts toward the rate limit. A request may have at most 10 impressions.',
  },
  'openrtb2/notice': {
    id: 'takeNotice',
    text: 'Needs no API key: the token is signed and stays valid as long as the bid, for `exp` seconds. The notice that the key is billed by charges the impression once. Other notices are only counted.',
  },
  'trusted-match/context': {
    id: 'matchContext',
    text: 'Returns one offer with its ad for an `ai_assistant` property, or no offer; docs/trusted-match.md describes every field. Experimental, because AdCP declares `trusted_match.core` experimental: this operation changes with the protocol. An exceeded rate limit is the only error with status 200.',
  },
  'trusted-match/click': {
    id: 'followOfferClick',
    text: 'Redirects to the landing page and counts like any other click. If no tracker reports the impression within a day, the first valid click charges it.',
  },
  'trusted-match/health': {
    id: 'getProviderHealth',
    text: 'Trusted Match routers check this before they send requests.',
  },
  'legacy/request': {
    id: 'requestLegacyAds',
    text: 'Returns one to five ads for a conversation, each from a different campaign. Returns 503 if there is no matching ad. New integrations should use the SSP operations.',
  },
  'legacy/click': {
    id: 'trackLegacyClick',
    text: 'Records a click and returns the landing page as JSON. Use it instead of following `content.landingUrl`. A repeated request returns the same click.',
  },
  'legacy/impression': {
    id: 'trackLegacyImpression',
    text: 'Records and charges the first impression of an ad within 24 hours of its request. A repeated request returns the same impression.',
  },
  'conversions/record': {
    id: 'recordConversion',
    text: 'Records a conversion for the owner of the campaign. Set your own `conversionId` to retry safely: the first request returns 201, and each repeated request returns 200 with the first record. A conversion after the `conversionWindowDays` of its campaign is stored with `counted: false`: it is not in any report, and sends no event. Recording conversions is free.',
  },
  'conversions/test': {
    id: 'testConversion',
    text: 'Checks a conversion like a real one, but needs no click. It counts nowhere and sends no event. The campaign shows its time as `conversionStatus.lastTestAt`.',
  },
  'api-keys/create': {
    id: 'createApiKey',
    text: 'This response is the only one that contains the whole key. The service stores only a fingerprint of it.',
  },
  'api-keys/list': {
    id: 'listApiKeys',
    text: 'Returns your API keys, oldest first. Set `days` to include the figures of every key for that number of days.',
  },
  'api-keys/get': {
    id: 'getApiKey',
    text: 'Returns an API key, masked. Set `report=true` to include the rows of its daily report.',
  },
  'api-keys/update': {
    id: 'updateApiKey',
    text: 'Omitted fields keep their values, lists are replaced as a whole, and null resets a field to its default. Settings apply to all bids within 10 seconds; the name and the floor apply immediately. You may send back a whole API key object.',
  },
  'api-keys/delete': { id: 'deleteApiKey', text: 'Deletes the key permanently. Requests that use it then get 401.' },
  'api-keys/toggle': {
    id: 'toggleApiKey',
    text: 'Flips `isActive`. Requests that use an inactive key get 401.',
  },
  'api-keys/rotate': {
    id: 'rotateApiKey',
    text: 'This response is the only one that contains the new secret. The ID, limits, settings, bids, and report belong to the key, whichever secret is used. Each replaced secret works for another 24 hours. At most five replaced secrets can be valid at a time; a further rotation gets 409. Set `revokeOld` to revoke all of them immediately. A repeated request with the same `Idempotency-Key` does not rotate again and returns the key masked.',
  },
  'api-keys/report': {
    id: 'getApiKeyReport',
    text: 'Returns one row per UTC day, including days without activity. Requests, bids, impressions, clicks, and earnings are exact; no-bids by reason are approximate. With `by`, returns one row per day and value instead, and these rows add up to the days. Send `Accept: text/csv` to get CSV.',
  },
  'campaigns/create': {
    id: 'createCampaign',
    text: 'Only `name` is required. A campaign is a `draft` unless you set `status`, and a draft never serves. `serving` in the response lists what the campaign still needs.',
  },
  'campaigns/list': {
    id: 'listCampaigns',
    text: 'Returns one page of campaign summaries. The `x-total-count` header contains the number of all matching campaigns.',
  },
  'campaigns/get': {
    id: 'getCampaign',
    text: 'Returns the campaign with its performance and whether it can serve now. Set `report=true` to include the rows of its daily report.',
  },
  'campaigns/update': {
    id: 'updateCampaign',
    text: '`creative`, `targetAudience`, and `demographics` may be partial, lists are replaced as a whole, and null resets an optional field to its default. You may send back a whole campaign object: read-only fields are ignored. If you set `status` to `active`, the campaign becomes `completed` after its `endDate`, or `paused` if a budget is spent.',
  },
  'campaigns/preview': {
    id: 'previewCampaign',
    text: 'Checks a saved campaign, a draft, or a request body against a conversation. Returns whether the campaign would match, the matching words, its own price, and what prevents it from serving. Of other campaigns it returns only their number. Stores nothing and spends nothing.',
  },
  'campaigns/report': {
    id: 'getCampaignReport',
    text: 'Returns one row per UTC day, including days without activity. With `by`, returns one row per day and value instead, such as each country: the 50 values with the most impressions, then `other` and `unattributed`. These rows add up to the days. Send `Accept: text/csv` to get CSV.',
  },
  'campaigns/delete': {
    id: 'deleteCampaign',
    text: 'Deletes the campaign permanently. It stops bidding within a second, and its name becomes available again.',
  },
  'reports/campaigns': {
    id: 'reportCampaigns',
    text: 'Returns one row per campaign with its figures in the period, by default the last 30 days, in the order of creation. Deleted campaigns are not included. `x-total-count` is the number of campaigns on all pages. Send `Accept: text/csv` to get CSV.',
  },
  'reports/terms': {
    id: 'reportTerms',
    text: 'Returns the keywords and lexicon phrases for which the campaign was shown in a month that is over, most impressions first. A term has a row only if at least 5 conversations with a `conversation.id` shared it, from at least 2 publishers other than you; the last row, `other`, adds up the rest. No row quotes a conversation or names a sensitive phrase. Conversations after an opt-out or with test keys are not counted. Send `Accept: text/csv` to get CSV.',
  },
  'account/home': {
    id: 'getHome',
    text: 'Returns the figures of today, of the last 30 days including today, and of the 30 days before, for all campaigns and for all API keys, including deleted ones. `attention` lists up to 20 campaigns and webhooks of each kind that need attention; `attentionCounts` counts all. Figures of today follow within seconds.',
  },
  'account/statements': {
    id: 'getStatement',
    text: "Returns a month of daily statements: the spend of your campaigns, or the earnings of your API keys. The sums equal the `account.billing` events and the keys' reports. Earnings cover the 1,000 keys used last and the 1,000 deleted last. Spend that is not billed yet comes from the campaigns' balances and is `preliminary`. Send `Accept: text/csv` to get CSV with one line per day and campaign or key. A response contains up to 4,000 campaigns or keys of all days together; if there are more, `next` and the `link` header continue it.",
  },
  'webhooks/create': {
    id: 'createWebhook',
    text: 'The response contains the signing secret; later responses do not. A user can have at most 20 webhooks.',
  },
  'webhooks/list': { id: 'listWebhooks', text: 'Returns your webhooks in the order of their creation.' },
  'webhooks/get': {
    id: 'getWebhook',
    text: 'Returns a webhook without its secret. Set `deliveries=true` to include its last deliveries.',
  },
  'webhooks/update': {
    id: 'updateWebhook',
    text: 'Omitted fields keep their values. Set `status` to `active` to enable a disabled webhook again.',
  },
  'webhooks/delete': { id: 'deleteWebhook', text: 'Deletes the webhook. No further events are delivered to it.' },
  'webhooks/test': {
    id: 'testWebhook',
    text: 'Sends one signed sample event and returns the result. A failed test is not retried. Tests are listed among the deliveries, and do not change the `status` of the webhook.',
  },
  'webhooks/deliveries': {
    id: 'listDeliveries',
    text: 'Returns the last 100 events of the webhook and its last 20 tests, newest first, with every delivery attempt.',
  },
  'webhooks/delivery': {
    id: 'getDelivery',
    text: "Returns the payload that was sent, and the first kilobyte of the receiver's response to each failed attempt and each test.",
  },
  'webhooks/redeliver-failed': {
    id: 'redeliverFailed',
    text: 'Sends the newest 100 failed deliveries again, each with the same event ID. To continue, send `next` as `before` until `next` is null.',
  },
  'webhooks/redeliver': {
    id: 'redeliverEvent',
    text: 'Sends the event again with the same event ID. A test is sent once more, as a test, before the response.',
  },
  'webhooks/rotate-secret': {
    id: 'rotateWebhookSecret',
    text: 'This response is the only one that contains the new secret. Deliveries are also signed with each replaced secret for another 24 hours. At most five replaced secrets can be valid at a time; a further rotation gets 409. Set `revokeOld` to revoke all of them immediately. A repeated request with the same `Idempotency-Key` does not rotate again and returns no secret.',
  },
  'account/activity': {
    id: 'listActivity',
    text: 'Returns the changes of the last 90 days, newest first, by you and by the service. No entry contains a secret, or more of the URL of a webhook than its host.',
  },
  openapi: { id: 'getOpenApiDocument', text: 'Returns this document.' },
  health: { id: 'getHealth', text: 'Reports that the service responds. Does not check the database.' },
};
