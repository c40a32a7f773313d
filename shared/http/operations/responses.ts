import * as z from 'zod';
import { bidResponse } from '../../ads/auction/auction-response.ts';
import { adResponse } from '../../ads/bids/bid-response.ts';
import { conversionResponse, testConversionResponse } from '../../ads/conversions/conversion-response.ts';
import { legacyAdsResponse, legacyClickResponse, legacyImpressionResponse } from '../../ads/legacy/legacy-response.ts';
import { exchangeBidResponse } from '../../ads/openrtb/openrtb-response.ts';
import { previewResponse } from '../../ads/previews/preview-response.ts';
import { contextMatchResponse } from '../../ads/trusted-match/context-response.ts';
import { campaignBreakdownResponse, reportDayResponse } from '../../budgets/report-response.ts';
import { statementResponse } from '../../budgets/statement-response.ts';
import { accountFigures, campaignResponse, listedCampaignResponse } from '../../campaigns/campaign-response.ts';
import { campaignsReportRow } from '../../campaigns/campaigns-report.ts';
import { termsReportRow } from '../../campaigns/terms-report.ts';
import {
  apiKeyResponse,
  keyBreakdownResponse,
  keyDayResponse,
  keyFigures,
  listedKeyResponse,
} from '../../keys/key-response.ts';
import { activityResponse } from '../../platform/activity-schema.ts';
import { countValue, messageResponse } from '../../platform/values/response-schema.ts';
import { getKeys, toRecord } from '../../platform/values/typed.ts';
import {
  deliveryResponse,
  redeliveredResponse,
  testResponse,
  webhookResponse,
  webhookWithSecretResponse,
  wholeDeliveryResponse,
} from '../../webhooks/webhook-response.ts';
import type { EndpointName } from './endpoints.ts';

/** The success response of an operation, and the errors specific to it. */
type OperationResponses = Success & {
  /** Status of the same body if the request was a repeat. */
  repeated?: 200;
  /** Another media type that Accept may ask for. */
  alternative?: 'text/csv';
  /** Schema with descriptions for request fields that the response lacks. */
  describedBy?: z.ZodType;
  /** Messages of its 404s, and of its 409s. */
  notFound?: readonly string[];
  conflict?: readonly string[];
  /** Response headers in addition to the common ones. */
  headers?: readonly ('x-total-count' | 'x-debug-info' | 'x-no-bid-reason' | 'x-openrtb-version' | 'link')[];
  /** Description of the 204 without a result. */
  none?: string;
  /** Description of the HTML page that a browser gets: for every GET, and for requests that accept HTML. */
  page?: string;
  /** Whether having no ad is a 503. */
  unfilled?: true;
};

/** A response with a body has a schema, and status 200 by default. A redirect or 204 has no body. */
type Success = { status?: 200 | 201; body: z.ZodType } | { status: 204 | 302; body?: undefined };

/** All operations except the last one in the table, which only refuses. */
export type Answering = Exclude<EndpointName, 'unmatched'>;

const readiness = z.object({ status: z.literal('ok').describe('Always ok') }).meta({ id: 'Health' });

const report = <D extends z.ZodType>(day: D) =>
  z.array(day).optional().describe('The daily report of the requested period; absent without `report=true`');
const keyWithReport = apiKeyResponse.extend({ report: report(keyDayResponse) }).meta({ id: 'ApiKeyWithReport' });
const campaignWithReport = campaignResponse
  .extend({ report: report(reportDayResponse) })
  .meta({ id: 'CampaignWithReport' });
const webhookWithDeliveries = webhookResponse
  .extend({
    deliveries: z
      .array(deliveryResponse)
      .optional()
      .describe('The last 100 deliveries and 20 tests, newest first; absent without `deliveries=true`'),
  })
  .meta({ id: 'WebhookWithDeliveries' });

const ATTENTION_KINDS = ['not_serving', 'budget_nearly_spent', 'webhook_failing'] as const;
const inPeriods = <F extends z.ZodType>(id: string, figures: F) =>
  z
    .object({
      today: figures.describe('The current UTC day'),
      last30Days: figures.describe('The last 30 UTC days, including today'),
      previous30Days: figures.describe('The 30 UTC days before those'),
    })
    .meta({ id });
const homeResponse = z
  .object({
    counts: z
      .object({
        campaigns: countValue.describe('How many campaigns'),
        keys: countValue.describe('How many API keys'),
        webhooks: countValue.describe('How many webhooks'),
      })
      .meta({ id: 'HomeCounts' })
      .describe('How many the user has now, whatever their state'),
    campaigns: inPeriods('AccountFiguresByPeriod', accountFigures).describe('All campaigns together'),
    keys: inPeriods('KeyFiguresByPeriod', keyFigures).describe('All live API keys together'),
    attention: z
      .array(
        z
          .object({
            kind: z
              .enum(ATTENTION_KINDS)
              .describe(
                '`not_serving`: a campaign that should serve does not. `budget_nearly_spent`: at least 90% is spent, or less than a day is left. ' +
                  '`webhook_failing`: deliveries fail',
              ),
            id: z.string().describe('ID of the campaign or webhook'),
            name: z.string().describe('Name of the campaign, or host of the webhook'),
            code: z.string().describe('Reason code of `serving`, or status of the webhook'),
            message: z.string().describe('What is wrong, and how to fix it'),
          })
          .meta({ id: 'AttentionItem' }),
      )
      .describe('Up to 20 of each kind; recently changed campaigns first'),
    attentionCounts: z
      .object(toRecord(ATTENTION_KINDS, (kind) => countValue.describe(`How many are \`${kind}\``)))
      .meta({ id: 'AttentionCounts' })
      .describe('How many need attention, by kind'),
    activity: activityResponse.shape.entries.describe('The latest 10 entries of the activity, newest first'),
  })
  .meta({ id: 'Home' });

const KEY = { notFound: ['API key not found'] };
const CAMPAIGN = { notFound: ['Campaign not found'] };
const WEBHOOK = { notFound: ['Webhook not found'] };
const TOO_MANY_SECRETS = {
  conflict: ['Five replaced secrets are still valid; wait for one to expire, or revoke them all with revokeOld'],
};
const NAME_TAKEN = 'Campaign with this name already exists';
const SWITCHED_OFF = { conflict: ['The webhook is disabled; activate it first'] };

/**
 * The responses of all operations. With the inputs, the source of the OpenAPI document and the client's types. A separate table, because
 * functions do not need it and would load it at every start.
 */
export const responses = {
  'ssp/bid': { body: bidResponse.nullable(), headers: ['x-debug-info', 'x-no-bid-reason'] },
  'ssp/ad': { body: adResponse, notFound: ['Bid not found or expired', 'Campaign not found'] },
  'click/redirect': { status: 302, notFound: ['Ad not found'] },
  'feedback/record': { status: 204, page: 'A form, or after a POST a confirmation', notFound: ['Ad not found'] },
  'viewable/record': { status: 204, notFound: ['Ad not found'] },
  'openrtb2/bid': {
    body: exchangeBidResponse,
    none: 'No bid for any impression, or the deadline passed',
    headers: ['x-openrtb-version', 'x-debug-info'],
  },
  'openrtb2/notice': { status: 204, notFound: ['Notice not found or expired'] },
  'trusted-match/context': { body: contextMatchResponse() },
  'trusted-match/click': { status: 302, notFound: ['Ad not found'] },
  'trusted-match/health': { body: readiness },
  'legacy/request': { body: legacyAdsResponse, unfilled: true },
  'legacy/click': { body: legacyClickResponse, notFound: ['Ad not found'] },
  'legacy/impression': { body: legacyImpressionResponse, notFound: ['Ad not found'] },
  'conversions/record': { status: 201, repeated: 200, body: conversionResponse, notFound: ['Click not found'] },
  'conversions/test': { body: testConversionResponse, ...CAMPAIGN },
  'api-keys/create': { status: 201, body: apiKeyResponse },
  'api-keys/list': { body: z.array(listedKeyResponse) },
  'api-keys/get': { body: keyWithReport, ...KEY },
  'api-keys/update': { body: apiKeyResponse, ...KEY },
  'api-keys/delete': { body: messageResponse, ...KEY },
  'api-keys/toggle': { body: apiKeyResponse, ...KEY },
  'api-keys/rotate': { body: apiKeyResponse, ...KEY, ...TOO_MANY_SECRETS },
  'api-keys/report': {
    body: z.union([z.array(keyDayResponse), z.array(keyBreakdownResponse)]),
    alternative: 'text/csv',
    ...KEY,
  },
  'campaigns/create': { status: 201, body: campaignResponse, conflict: [NAME_TAKEN] },
  'campaigns/list': { body: z.array(listedCampaignResponse), headers: ['x-total-count'] },
  'campaigns/get': { body: campaignWithReport, ...CAMPAIGN },
  'campaigns/update': {
    body: campaignResponse,
    ...CAMPAIGN,
    conflict: [NAME_TAKEN, 'The budget has changed since it was read'],
  },
  'campaigns/preview': { body: previewResponse, describedBy: z.object({ campaign: campaignResponse }), ...CAMPAIGN },
  'campaigns/report': {
    body: z.union([z.array(reportDayResponse), z.array(campaignBreakdownResponse)]),
    alternative: 'text/csv',
    ...CAMPAIGN,
  },
  'campaigns/delete': { body: messageResponse, ...CAMPAIGN },
  'webhooks/create': { status: 201, body: webhookWithSecretResponse },
  'webhooks/list': { body: z.array(webhookResponse) },
  'webhooks/get': { body: webhookWithDeliveries, ...WEBHOOK },
  'webhooks/update': { body: webhookResponse, ...WEBHOOK },
  'webhooks/delete': { body: messageResponse, ...WEBHOOK },
  'webhooks/test': { body: testResponse, ...WEBHOOK },
  'webhooks/deliveries': { body: z.array(deliveryResponse), ...WEBHOOK },
  'webhooks/delivery': { body: wholeDeliveryResponse, notFound: ['Webhook not found', 'Delivery not found'] },
  'webhooks/redeliver-failed': { body: redeliveredResponse, ...WEBHOOK, ...SWITCHED_OFF },
  'webhooks/redeliver': {
    body: deliveryResponse,
    notFound: ['Webhook not found', 'Delivery not found'],
    ...SWITCHED_OFF,
  },
  'webhooks/rotate-secret': { body: webhookWithSecretResponse, ...WEBHOOK, ...TOO_MANY_SECRETS },
  'reports/campaigns': {
    body: z.array(campaignsReportRow),
    alternative: 'text/csv',
    headers: ['x-total-count'],
  },
  'reports/terms': { body: z.array(termsReportRow), alternative: 'text/csv', ...CAMPAIGN },
  'account/home': { body: homeResponse },
  'account/statements': { body: statementResponse, alternative: 'text/csv', headers: ['link'] },
  'account/activity': { body: activityResponse },
  openapi: { body: z.looseObject({ openapi: z.string().describe('3.1.0') }).meta({ id: 'OpenApiDocument' }) },
  health: { body: readiness },
} as const satisfies Readonly<Record<Answering, OperationResponses>>;

export const answering = getKeys(responses);

/** The responses of an operation, typed wide for loops. */
export const getResponses = (name: Answering): OperationResponses => responses[name];
