import { eventDescriptions } from '../../webhooks/events/event-response.ts';
import { createSampleEvent } from '../../webhooks/events/samples.ts';
import type { ToJsonSchema } from './schemas.ts';

/** When the samples happened: they are the same in every document. */
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
    '`sha256=` and the hexadecimal HMAC-SHA256 of the raw body, keyed with the secret; for 24 hours after each rotation the replaced secret signs too: one of them for every secret, separated by commas',
  ),
  header('webhook-id', 'The id of the event, as Standard Webhooks wants it'),
  header('webhook-timestamp', 'Seconds since 1970, as Standard Webhooks wants it'),
  header('webhook-signature', '`v1,` and the base64 signature of Standard Webhooks; several with blanks between'),
];

/** What is posted to webhooks: each type of event with its payload. */
export const describeWebhooks = (toJsonSchema: ToJsonSchema) =>
  Object.fromEntries(
    eventDescriptions.map(({ type, meaning, body }) => [
      type,
      {
        post: {
          operationId: `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          tags: ['events'],
          summary: meaning,
          description: 'Duplicates are possible and order is not kept: an `id` that came before is the same event.',
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
            '2XX': { description: 'Within 10 seconds: it is delivered' },
            '4XX': { description: 'It is tried again after 1, 4, 16, 64 and 256 seconds, then given up' },
            '5XX': { description: 'It is tried again after 1, 4, 16, 64 and 256 seconds, then given up' },
          },
        },
      },
    ]),
  );
