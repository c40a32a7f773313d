import { queueWorker } from '../../shared/http/workers/queue-worker.ts';
import { createDeliver } from '../../shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '../../shared/webhooks/deliveries.ts';
import { createSend } from '../../shared/webhooks/send.ts';

/** Delivers one event to one receiver: once more after each failure, and to the dead letters when it is given up. */
export default queueWorker<DeliveryMessage>('events/deliver', 'deliveries', (effects) =>
  createDeliver(effects, createSend(effects)),
);
