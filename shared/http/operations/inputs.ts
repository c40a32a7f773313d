import type { ZodType } from 'zod';
import { bidRequest } from '../../ads/bids/bid-schema.ts';
import { recordConversion, testConversion } from '../../ads/conversions/conversion-schema.ts';
import { adRequest, tracking } from '../../ads/legacy/legacy-schema.ts';
import { exchangeBidRequest, notice } from '../../ads/openrtb/openrtb-schema.ts';
import { previewCampaign } from '../../ads/previews/preview-schema.ts';
import { contextMatchRequest } from '../../ads/trusted-match/context-schema.ts';
import { statementQuery } from '../../budgets/monthly-statement.ts';
import { withReportQuery } from '../../budgets/report.ts';
import { campaignReportQuery, createCampaign, listCampaigns, updateCampaign } from '../../campaigns/campaign-schema.ts';
import { campaignsReportQuery } from '../../campaigns/campaigns-report.ts';
import { termsReportQuery } from '../../campaigns/terms-report.ts';
import { createApiKey, keyReportQuery, listKeys, rotateKey, updateApiKey } from '../../keys/key-schema.ts';
import { activityQuery } from '../../platform/activity-schema.ts';
import {
  createWebhook,
  getWebhook,
  redeliverFailedFrom,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '../../webhooks/webhook-schema.ts';
import type { EndpointName } from './endpoints.ts';

/** The inputs of an operation other than path and headers. */
export interface OperationInput {
  body?: ZodType;
  query?: ZodType;
}

/**
 * The input schemas of all operations. The OpenAPI document and the client's types are generated from them, and the compiler checks each
 * function against them. Each function passes its own schema, so no bundle loads the others.
 */
const inputs = {
  'ssp/bid': { body: bidRequest },
  'openrtb2/bid': { body: exchangeBidRequest },
  'openrtb2/notice': { query: notice },
  'trusted-match/context': { body: contextMatchRequest },
  'legacy/request': { body: adRequest },
  'legacy/click': { query: tracking },
  'legacy/impression': { query: tracking },
  'conversions/record': { body: recordConversion },
  'conversions/test': { body: testConversion },
  'api-keys/create': { body: createApiKey },
  'api-keys/list': { query: listKeys },
  'api-keys/get': { query: withReportQuery },
  'api-keys/update': { body: updateApiKey },
  'api-keys/rotate': { body: rotateKey },
  'api-keys/report': { query: keyReportQuery },
  'campaigns/create': { body: createCampaign },
  'campaigns/list': { query: listCampaigns },
  'campaigns/get': { query: withReportQuery },
  'campaigns/update': { body: updateCampaign },
  'campaigns/preview': { body: previewCampaign },
  'campaigns/report': { query: campaignReportQuery },
  'webhooks/create': { body: createWebhook },
  'webhooks/get': { query: getWebhook },
  'webhooks/update': { body: updateWebhook },
  'webhooks/test': { body: testWebhook },
  'webhooks/rotate-secret': { body: rotateWebhookSecret },
  'webhooks/redeliver-failed': { query: redeliverFailedFrom },
  'reports/campaigns': { query: campaignsReportQuery },
  'reports/terms': { query: termsReportQuery },
  'account/statements': { query: statementQuery },
  'account/activity': { query: activityQuery },
} as const satisfies { readonly [N in EndpointName]?: OperationInput };

export type Inputs = typeof inputs;

/** The input of an operation, typed wide for loops. */
const wide: { readonly [N in EndpointName]?: OperationInput } = inputs;
export const getInput = (name: EndpointName): OperationInput => wide[name] ?? {};
