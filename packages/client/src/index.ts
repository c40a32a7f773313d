export { type CallOptions, type Client, type ClientOptions, createClient } from './client.ts';
export { AdsError, type ErrorCode } from './error.ts';
export type { EventOf, WebhookEvent } from './events.ts';
export type { Log, LogEntry } from './log.ts';
export type { WebhookEventType } from './operations.ts';
export type {
  Ad,
  ApiKey,
  ApiKeyReport,
  ApiKeyWithSecret,
  Bid,
  Campaign,
  CampaignInput,
  CampaignPreview,
  CampaignReport,
  CampaignSummary,
  ConversationMessage,
  Conversion,
  ConversionInput,
  Statement,
  Webhook,
  WebhookDelivery,
  WebhookWithSecret,
} from './resources.ts';
export type { CsvRoute, Input, ListRoute, Result, Route } from './routes.ts';
export { type VerifyOptions, verifyWebhook, WebhookError, type WebhookHeaders } from './webhook.ts';
