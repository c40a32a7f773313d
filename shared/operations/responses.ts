import * as z from 'zod';
import { apiKeyAnswer } from '../api-keys/response.ts';
import { bidAnswer } from '../bidding/response.ts';
import { adAnswer } from '../bids/response.ts';
import { campaignAnswer, campaignSummaryAnswer } from '../campaigns/response.ts';
import { conversionAnswer } from '../conversions/response.ts';
import { reportDayAnswer } from '../ledgers/response.ts';
import { legacyAdsAnswer, legacyClickAnswer, legacyImpressionAnswer } from '../legacy/response.ts';
import { messageAnswer } from '../values/response-schema.ts';
import { deliveryAnswer, testAnswer, webhookAnswer, webhookWithSecretAnswer } from '../webhooks/response.ts';
import type { EndpointName } from './endpoints.ts';

/** What an operation answers when all is well. */
export interface Answers {
  /** 200 unless told. */
  status?: 200 | 201 | 302;
  /** With which the same body comes when the request was a repeat. */
  repeated?: 200;
  /** Absent where no body comes. */
  body?: z.ZodType;
  /** Another media type that Accept may ask for. */
  alternative?: 'text/csv';
  /** What a 404 says there is not, and a 409 is about. */
  notFound?: readonly string[];
  conflict?: string;
  /** Whether having no ad is a refusal: 503. */
  unfilled?: true;
}

const KEY = { notFound: ['API key not found'] };
const CAMPAIGN = { notFound: ['Campaign not found'] };
const WEBHOOK = { notFound: ['Webhook not found'] };
const NAME_TAKEN = 'Campaign with this name already exists';

/**
 * The answers of the table of operations: the OpenAPI document and the client's types are made from both. A table of its own,
 * because the functions that answer have no use for it and would load it at every start.
 */
export const answers = {
  'ssp/bid': { body: bidAnswer.nullable() },
  'ssp/ad': { body: adAnswer, notFound: ['Bid not found or expired', 'Campaign not found'] },
  'click/redirect': { status: 302, notFound: ['Ad not found'] },
  'legacy/request': { body: legacyAdsAnswer, unfilled: true },
  'legacy/click': { body: legacyClickAnswer, notFound: ['Ad not found'] },
  'legacy/impression': { body: legacyImpressionAnswer, notFound: ['Ad not found'] },
  'conversions/record': { status: 201, repeated: 200, body: conversionAnswer, notFound: ['Click not found'] },
  'api-keys/create': { status: 201, body: apiKeyAnswer },
  'api-keys/list': { body: z.array(apiKeyAnswer) },
  'api-keys/delete': { body: messageAnswer, ...KEY },
  'api-keys/toggle': { body: apiKeyAnswer, ...KEY },
  'campaigns/create': { status: 201, body: campaignAnswer, conflict: NAME_TAKEN },
  'campaigns/list': { body: z.array(campaignSummaryAnswer) },
  'campaigns/get': { body: campaignAnswer, ...CAMPAIGN },
  'campaigns/update': { body: campaignAnswer, ...CAMPAIGN, conflict: NAME_TAKEN },
  'campaigns/report': { body: z.array(reportDayAnswer), alternative: 'text/csv', ...CAMPAIGN },
  'campaigns/delete': { body: messageAnswer, ...CAMPAIGN },
  'webhooks/create': { status: 201, body: webhookWithSecretAnswer },
  'webhooks/list': { body: z.array(webhookAnswer) },
  'webhooks/get': { body: webhookAnswer, ...WEBHOOK },
  'webhooks/update': { body: webhookAnswer, ...WEBHOOK },
  'webhooks/delete': { body: messageAnswer, ...WEBHOOK },
  'webhooks/test': { body: testAnswer, ...WEBHOOK },
  'webhooks/deliveries': { body: z.array(deliveryAnswer), ...WEBHOOK },
  'webhooks/redeliver': { body: deliveryAnswer, notFound: ['Webhook not found', 'Delivery not found'] },
  'webhooks/rotate-secret': { body: webhookWithSecretAnswer, ...WEBHOOK },
  openapi: { body: z.looseObject({ openapi: z.string() }) },
  health: { body: z.object({ status: z.literal('ok') }) },
} as const satisfies { readonly [N in EndpointName]?: Answers };

/** The row of an operation as the wide type that loops want. */
export const answersOf = (name: EndpointName): Answers => (answers as { [N in EndpointName]?: Answers })[name] ?? {};
