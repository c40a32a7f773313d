import type { Endpoint } from '../rows.ts';
import { MANAGEMENT } from '../rows.ts';

const WEBHOOKS = '/api/v1/webhooks';

/** Omits `secret`, and `status` on create: callers may mean to set them, and must learn that they were ignored. */
const WEBHOOK_READ_ONLY = ['id', 'createdAt', 'updatedAt', 'lastDeliveryAt', 'lastError', 'lastDelivery'];

/** Webhooks and their deliveries. */
export const webhookEndpoints = {
  'webhooks/create': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: WEBHOOKS,
    readOnly: WEBHOOK_READ_ONLY,
    idempotent: true,
    tables: { webhooks: ['put', 'update', 'get'], activity: ['put'] },
    summary: 'Register a webhook; its secret is shown once',
  },
  'webhooks/list': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: WEBHOOKS,
    tables: { webhooks: ['query'] },
    summary: 'List webhooks',
  },
  'webhooks/get': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${WEBHOOKS}/{id}`,
    tables: { webhooks: ['get'], deliveries: ['query'] },
    summary: 'Get a webhook',
  },
  'webhooks/update': {
    ...MANAGEMENT,
    methods: ['PATCH'],
    path: `${WEBHOOKS}/{id}`,
    readOnly: [...WEBHOOK_READ_ONLY, 'deliveries'],
    tables: { webhooks: ['get', 'update'], activity: ['put'] },
    summary: 'Change a webhook or enable it again',
  },
  'webhooks/delete': {
    ...MANAGEMENT,
    methods: ['DELETE'],
    path: `${WEBHOOKS}/{id}`,
    tables: { webhooks: ['get', 'remove', 'update'], activity: ['put'] },
    summary: 'Delete a webhook',
  },
  'webhooks/test': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${WEBHOOKS}/{id}/test`,
    deadlineMs: 13_000, // includes up to ten seconds for the receiver
    tables: { webhooks: ['get'], deliveries: ['put'] },
    summary: 'Send a sample event to a webhook',
  },
  'webhooks/deliveries': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${WEBHOOKS}/{id}/deliveries`,
    tables: { webhooks: ['get'], deliveries: ['query'] },
    summary: 'List the last deliveries of a webhook',
  },
  'webhooks/delivery': {
    ...MANAGEMENT,
    methods: ['GET'],
    path: `${WEBHOOKS}/{id}/deliveries/{deliveryId}`,
    tables: { webhooks: ['get'], deliveries: ['get'] },
    summary: 'Get a delivery with its payload and the responses',
  },
  'webhooks/redeliver-failed': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${WEBHOOKS}/{id}/redeliver-failed`,
    tables: { webhooks: ['get'], deliveries: ['query', 'update'] },
    summary: 'Send up to 100 failed deliveries again',
  },
  'webhooks/redeliver': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${WEBHOOKS}/{id}/deliveries/{deliveryId}/redeliver`,
    deadlineMs: 13_000, // a test is sent before the response, like the first time
    tables: { webhooks: ['get'], deliveries: ['update', 'get', 'put'] },
    summary: 'Send an event again',
  },
  'webhooks/rotate-secret': {
    ...MANAGEMENT,
    methods: ['POST'],
    path: `${WEBHOOKS}/{id}/rotate-secret`,
    idempotent: true,
    tables: { webhooks: ['get', 'update'], activity: ['put'] },
    summary: 'Rotate the secret of a webhook; the old one also signs for 24 hours',
  },
} as const satisfies Record<string, Endpoint>;
