export { type CallOptions, type Client, type ClientOptions, createClient } from './client.ts';
export { AdsError, type ErrorCode } from './error.ts';
export type { EventOf, WebhookEvent } from './events.ts';
export type { WebhookEventType } from './operations.ts';
export type { CsvRoute, Input, ListRoute, Result, Route } from './routes.ts';
export { type VerifyOptions, verifyWebhook, WebhookError, type WebhookHeaders } from './webhook.ts';
