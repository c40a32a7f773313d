import type { Effects } from '../platform/effects.ts';
import { findReceiverFault } from '../webhooks/receiver-url.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import { findWebhook } from '../webhooks/webhook-store.ts';
import { conflict, invalid, notFound } from './errors.ts';

/** Refuses addresses that nothing may be delivered to. @throws ApiError 400 */
export async function checkReceiver(
  url: string,
  { config, resolve }: Pick<Effects, 'config' | 'resolve'>,
): Promise<void> {
  const fault = await findReceiverFault(url, config.webhookAllowLocal, resolve);
  if (fault) throw invalid('management', [{ path: 'url', message: fault }]);
}

/** A webhook to which something may be delivered: what is sent to one that is disabled is given up unsent. @throws ApiError 404, 409 */
export async function listeningWebhook(effects: Pick<Effects, 'db'>, owner: string, id: string): Promise<Webhook> {
  const webhook = await findWebhook(effects, owner, id);
  if (!webhook) throw notFound('management', 'Webhook not found');
  if (webhook.status === 'disabled') throw conflict('The webhook is disabled; activate it first');
  return webhook;
}
