import * as z from 'zod';
import { text, unicode } from '../values/schema.ts';

const REQUIRED = 'Context conversation is required';
export const AD_TYPES = ['text', 'image', 'video'] as const;
export type AdType = (typeof AD_TYPES)[number];

const oneOf = <const T extends readonly string[]>(name: string, values: T) =>
  z.enum(values, `${name} must be one of ${values.join(', ')}`);
const object = (name: string) => `${name} must be an object`;
const side = (name: string) => z.number(`${name} must be a number`).min(0, `${name} must be 0 or more`);
const names = (name: string) => {
  const message = `${name} must be a list of at most 50 texts of 1 to 100 characters`;
  return z.array(z.string(message).min(1, message).max(100, message), message).max(50, message);
};

/** The body of a legacy ad request (api 6.1). The conversation comes first: its fault is the one that is named. */
export const adRequest = z.object(
  {
    context: z.object(
      {
        conversation: unicode({ error: ({ input }) => (input == null ? REQUIRED : 'conversation must be a text') })
          .min(1, REQUIRED)
          .max(131_072, 'conversation must have at most 131072 characters'),
        userQuery: text('userQuery', 32_768).nullish(),
        metadata: z
          .object(
            {
              userAgent: text('userAgent', 512).nullish(),
              sessionId: text('sessionId', 128).nullish(),
              userId: text('userId', 128).nullish(),
            },
            object('metadata'),
          )
          .nullish(),
      },
      { error: ({ input }) => (input == null ? REQUIRED : object('context')) },
    ),
    placement: z
      .object(
        {
          type: oneOf('placement type', ['inline', 'sidebar', 'overlay']).nullish(),
          position: oneOf('placement position', ['before_response', 'after_response', 'middle']).nullish(),
          dimensions: z
            .object({ width: side('width').nullish(), height: side('height').nullish() }, object('dimensions'))
            .nullish(),
        },
        object('placement'),
      )
      .nullish(),
    preferences: z
      .object(
        {
          adFormat: oneOf('adFormat', AD_TYPES).nullish(),
          maxAds: z
            .number('maxAds must be a whole number from 1 to 5')
            .int('maxAds must be a whole number from 1 to 5')
            .min(1, 'maxAds must be a whole number from 1 to 5')
            .max(5, 'maxAds must be a whole number from 1 to 5')
            .nullish(),
          categories: names('categories').nullish(),
          excludeCategories: names('excludeCategories').nullish(),
        },
        object('preferences'),
      )
      .nullish(),
  },
  REQUIRED,
);

export type AdRequest = z.output<typeof adRequest>;

/** The query of a tracking operation (api 6.2). */
export const tracking = z.object({
  userId: text('userId', 128).optional(),
  sessionId: text('sessionId', 128).optional(),
  timestamp: z.iso.datetime({ offset: true, local: true, error: 'timestamp must be an ISO 8601 timestamp' }).optional(),
  api_key: z.string('api_key must be named once').optional(),
});
