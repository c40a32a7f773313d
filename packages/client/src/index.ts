export { type CallOptions, type Client, type ClientOptions, createClient } from './client.ts';
export { AdsError, type ErrorCode } from './error.ts';
export type { EventOf, WebhookEvent, WebhookEventType } from './events.ts';
export type { CsvRoute, Input, ListRoute, Result, Route } from './routes.ts';
export { type VerifyOptions, verifyWebhook, WebhookError, type WebhookHeaders } from './webhook.ts';
