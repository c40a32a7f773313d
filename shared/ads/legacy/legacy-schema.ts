import * as z from 'zod';
import { isBlank } from '../../platform/values/blank.ts';
import { text, unicode } from '../../platform/values/value-schema.ts';
import { conversationReference } from '../conversations/conversation-schema.ts';
import { regs } from '../regs/regs-schema.ts';

const REQUIRED = 'Context conversation is required';
export const AD_TYPES = ['text', 'image', 'video'] as const;
export type AdType = (typeof AD_TYPES)[number];

const oneOf = <const T extends readonly string[]>(name: string, values: T) =>
  z.enum(values, `${name} must be one of ${values.join(', ')}`);
const object = (name: string) => `${name} must be an object`;
const side = (name: string) => z.number(`${name} must be a number`).min(0, `${name} must be at least 0`);
const names = (name: string) => {
  const message = `${name} must be a list of at most 50 entries of 1 to 100 characters each`;
  return z.array(z.string(message).min(1, message).max(100, message), message).max(50, message);
};

/** The body of a legacy ad request (api 6.1). The conversation comes first: its fault is the one that is named. */
export const adRequest = z.object(
  {
    context: z
      .object(
        {
          conversation: unicode({ error: ({ input }) => (input == null ? REQUIRED : 'conversation must be a string') })
            .min(1, REQUIRED)
            .refine((conversation) => !isBlank(conversation), REQUIRED)
            .max(131_072, 'conversation must have at most 131,072 characters')
            .describe('The conversation as one text; lines may begin with `User:` or `Assistant:`'),
          userQuery: text('userQuery', 32_768)
            .nullish()
            .describe("The reader's current query, if `conversation` does not end with it"),
          metadata: z
            .object(
              {
                userAgent: text('userAgent', 512).nullish().describe("The reader's browser; passed on in the events"),
                sessionId: text('sessionId', 128)
                  .nullish()
                  .describe("The publisher's name for the session; passed on in the events"),
                userId: text('userId', 128)
                  .nullish()
                  .describe("The publisher's name for the reader; passed on in the events"),
              },
              object('metadata'),
            )
            .nullish()
            .describe('What the events shall tell of the reader'),
        },
        { error: ({ input }) => (input == null ? REQUIRED : object('context')) },
      )
      .describe('What the ad shall fit'),
    placement: z
      .object(
        {
          type: oneOf('placement type', ['inline', 'sidebar', 'overlay'])
            .nullish()
            .describe('Where on the page; passed on in the events'),
          position: oneOf('placement position', ['before_response', 'after_response', 'middle'])
            .nullish()
            .describe('Where in the conversation; passed on in the events'),
          dimensions: z
            .object(
              {
                width: side('width').nullish().describe('Pixels'),
                height: side('height').nullish().describe('Pixels'),
              },
              object('dimensions'),
            )
            .nullish()
            .describe('Size of the place; does not influence the choice'),
        },
        object('placement'),
      )
      .nullish()
      .describe('Where the ad is to be shown'),
    conversation: conversationReference.nullish().describe('Which conversation it is, for limits of ads in it'),
    regs: regs.nullish().describe('What the law asks for'),
    preferences: z
      .object(
        {
          adFormat: oneOf('adFormat', AD_TYPES)
            .nullish()
            .describe('`text` unless told; campaigns without what the format needs stay out'),
          maxAds: z
            .number('maxAds must be a whole number from 1 to 5')
            .int('maxAds must be a whole number from 1 to 5')
            .min(1, 'maxAds must be a whole number from 1 to 5')
            .max(5, 'maxAds must be a whole number from 1 to 5')
            .nullish()
            .describe('How many ads at most; 1 unless told'),
          categories: names('categories')
            .nullish()
            .describe('Topics of the IAB Content Taxonomy; their campaigns come first'),
          excludeCategories: names('excludeCategories')
            .nullish()
            .describe('Topics of the IAB Content Taxonomy; their campaigns stay out'),
        },
        object('preferences'),
      )
      .nullish()
      .describe('Which ads are wanted'),
  },
  REQUIRED,
);

export type AdRequest = z.output<typeof adRequest>;

const wanting = z.object({ preferences: z.object({ maxAds: z.int().min(1).max(5) }) });

/** How many ads a body asks for, whatever else is in it. */
export const adsIn = (json: unknown): number => wanting.safeParse(json).data?.preferences.maxAds ?? 1;

/**
 * The query of a tracking operation (api 6.2). What cannot be read is left out instead of refused: the reader has clicked, or seen
 * the ad, and nobody sends the request again.
 */
export const tracking = z.object({
  userId: text('userId', 128)
    .optional()
    .catch(undefined)
    .describe("The publisher's name for the reader; passed on in the events"),
  sessionId: text('sessionId', 128)
    .optional()
    .catch(undefined)
    .describe("The publisher's name for the session; passed on in the events"),
  timestamp: z.iso
    .datetime({ offset: true, local: true })
    .optional()
    .catch(undefined)
    .describe('When it happened; the time of the request is what counts'),
  api_key: z.string().optional().catch(undefined),
});
