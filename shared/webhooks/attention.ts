import type { Webhook } from './webhook.ts';

/** The webhooks whose deliveries fail: the last one used up its attempts, or five days of failures disabled the webhook. */
export const findFailingWebhooks = (webhooks: readonly Webhook[]) =>
  webhooks.flatMap(({ id, url, status, failingSince, lastError }) => {
    const isDisabled = status === 'disabled' && failingSince !== undefined;
    if (status !== 'failed' && !isDisabled) return [];
    const what = isDisabled
      ? 'Deliveries failed for five days, so the webhook is disabled. Activate it once the receiver works.'
      : 'The last delivery failed after all its attempts.';
    return [
      {
        kind: 'webhook_failing' as const,
        id,
        name: new URL(url).host,
        code: status,
        message: lastError ? `${what} Last error: ${lastError}` : what,
      },
    ];
  });
