import type { Campaign } from '../../campaigns/campaign.ts';
import type { SaveResult } from '../../campaigns/validate.ts';
import type { Effects } from '../../platform/effects.ts';
import { toUsd } from '../../platform/values/money.ts';
import { findReceiverFault } from '../../webhooks/receiver-url.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { findWebhook } from '../../webhooks/webhook-store.ts';
import { conflict, invalid, notFound, unavailable } from '../errors.ts';

/** Returns the saved campaign. @throws ApiError 400, 404 or 409 if none was saved */
export function savedCampaign(saved: SaveResult): Campaign {
  switch (saved.outcome) {
    case 'saved':
      return saved.campaign;
    case 'invalid':
      throw invalid('management', saved.errors);
    case 'name_taken':
      throw conflict('Campaign with this name already exists');
    case 'other_budget':
      throw conflict('The budget has changed since it was read', [
        { path: 'expectedBudget', message: `The budget is ${toUsd(saved.budget)} USD now` },
      ]);
    case 'too_many':
      throw invalid('management', [{ path: '', message: `A user may have at most ${saved.limit} campaigns` }]);
    case 'too_heavy': {
      const message = `The campaigns of a user may take at most ${saved.maxBytes / 1024 ** 2} MiB of memory together; use fewer or shorter keywords, or delete campaigns`;
      throw invalid('management', [{ path: '', message }]);
    }
    case 'repeated':
      throw unavailable(); // only requests with an idempotency record can be repeats
    case 'not_found':
      throw notFound('management', 'Campaign not found');
  }
}

/** Rejects URLs to which deliveries are not allowed. @throws ApiError 400 */
export async function checkReceiver(
  url: string,
  { config, resolve }: Pick<Effects, 'config' | 'resolve'>,
): Promise<void> {
  const fault = await findReceiverFault(url, config.webhookAllowLocal, resolve);
  if (fault) throw invalid('management', [{ path: 'url', message: fault }]);
}

/** Finds a webhook that is not disabled. Deliveries to a disabled webhook are dropped unsent. @throws ApiError 404, 409 */
export async function listeningWebhook(effects: Pick<Effects, 'db'>, owner: string, id: string): Promise<Webhook> {
  const webhook = await findWebhook(effects, owner, id);
  if (!webhook) throw notFound('management', 'Webhook not found');
  if (webhook.status === 'disabled') throw conflict('The webhook is disabled; activate it first');
  return webhook;
}
