import { queueWorker } from '../../shared/http/workers/queue-worker.ts';
import { createDeliver } from '../../shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '../../shared/webhooks/deliveries.ts';
import { createSend } from '../../shared/webhooks/send.ts';

/** Delivers one event to one receiver. Retries after each failure; after the last attempt the message goes to the dead-letter queue. */
export default queueWorker<DeliveryMessage>('events/deliver', 'deliveries', (effects) =>
  createDeliver(effects, createSend(effects)),
);
