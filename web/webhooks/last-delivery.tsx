import { Time } from '../parts/time.tsx';
import type { WebhookBody } from './data.ts';

interface LastDeliveryProps {
  webhook: Pick<WebhookBody, 'status' | 'lastDelivery' | 'lastDeliveryAt' | 'lastError'>;
  /** Whether it is inside a focusable element or next to one, as in `Time`. */
  isInside?: boolean;
}

/** How the last delivery ended, next to the status of the webhook. */
export function LastDelivery({
  webhook: { status: state, lastDelivery, lastDeliveryAt, lastError },
  isInside = false,
}: LastDeliveryProps) {
  if (lastDeliveryAt === null) return <small class="last-delivery">No events sent yet</small>;
  const ago = <Time at={lastDeliveryAt} isRelative isInside={isInside} />;
  // Records of the previous version lack `lastDelivery`, and turning a webhook on clears `lastError`.
  const { status, statusCode, error } = lastDelivery ?? { status: 'failed', statusCode: null, error: lastError };
  if (error === null)
    return (
      <small class="last-delivery">
        {status === 'delivered' ? 'Delivered' : 'Last sent'} {ago}
      </small>
    );
  return (
    <small class="last-delivery fault">
      Last delivery failed {ago}: {statusCode ?? error}
      {status === 'pending' && state !== 'disabled' && ', retrying'}
    </small>
  );
}
