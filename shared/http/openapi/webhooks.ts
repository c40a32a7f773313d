import { eventDescriptions } from '../../webhooks/events/event-response.ts';
import { createSampleEvent } from '../../webhooks/events/samples.ts';
import type { ToJsonSchema } from './schemas.ts';

/** The time of the sample events. It is fixed, so the document never changes by itself. */
const SAMPLED_AT = Date.UTC(2026, 10, 20, 9);

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const SIGNED = [
  header(
    'service-signature',
    '`sha256=` and the hexadecimal HMAC-SHA256 of the raw body, keyed with the secret. For 24 hours after a rotation, the header contains one signature for each valid secret, separated by commas',
  ),
  header('webhook-id', 'ID of the event (Standard Webhooks)'),
  header('webhook-timestamp', 'Unix time of the attempt in seconds (Standard Webhooks)'),
  header(
    'webhook-signature',
    '`v1,` and the base64 signature (Standard Webhooks); several signatures are separated by spaces',
  ),
];

/** The requests to webhooks: each event type with its payload. */
export const describeWebhooks = (toJsonSchema: ToJsonSchema) =>
  Object.fromEntries(
    eventDescriptions.map(({ type, meaning, body }) => [
      type,
      {
        post: {
          operationId: `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          tags: ['events'],
          summary: meaning,
          description:
            'Events can arrive more than once and in any order. Ignore an `id` that you have already processed.',
          security: [],
          parameters: SIGNED,
          requestBody: {
            required: true,
            description: meaning,
            content: {
              'application/json': {
                schema: toJsonSchema(body, 'output'),
                example: createSampleEvent(type, 'sample', SAMPLED_AT),
              },
            },
          },
          responses: {
            '2XX': { description: 'If sent within 10 seconds, the event is delivered' },
            '4XX': { description: 'The delivery is retried after 1, 4, 16, 64, and 256 seconds, and then fails' },
            '5XX': { description: 'The delivery is retried after 1, 4, 16, 64, and 256 seconds, and then fails' },
          },
        },
      },
    ]),
  );
