import * as z from 'zod';
import { isBlank } from '../../platform/values/characters.ts';
import { text, unicode, variantLabel } from '../../platform/values/value-schema.ts';
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

/** The body of a legacy ad request (api 6.1). `context` is first, because the error names the first invalid field. */
export const adRequest = z.object(
  {
    context: z
      .object(
        {
          conversation: unicode({ error: ({ input }) => (input == null ? REQUIRED : 'conversation must be a string') })
            .min(1, REQUIRED)
            .refine((conversation) => !isBlank(conversation), REQUIRED)
            .max(131_072, 'conversation must have at most 131,072 characters')
            .describe('The conversation as one text. Lines may begin with `User:` or `Assistant:`'),
          userQuery: text('userQuery', 32_768)
            .nullish()
            .describe("The user's current query, if `conversation` does not end with it"),
          metadata: z
            .object(
              {
                userAgent: text('userAgent', 512)
                  .nullish()
                  .describe("User agent of the user's browser. Included in events"),
                sessionId: text('sessionId', 128)
                  .nullish()
                  .describe("The publisher's ID of the session. Included in events"),
                userId: text('userId', 128).nullish().describe("The publisher's ID of the user. Included in events"),
              },
              object('metadata'),
            )
            .meta({ id: 'LegacyMetadata' })
            .nullish()
            .describe('User data that is included in events'),
        },
        { error: ({ input }) => (input == null ? REQUIRED : object('context')) },
      )
      .meta({ id: 'LegacyContext' })
      .describe('Context that the ad should match'),
    placement: z
      .object(
        {
          type: oneOf('placement type', ['inline', 'sidebar', 'overlay'])
            .nullish()
            .describe('Where the ad appears on the page. Included in events'),
          position: oneOf('placement position', ['before_response', 'after_response', 'middle'])
            .nullish()
            .describe('Where the ad appears in the conversation. Included in events'),
          dimensions: z
            .object(
              {
                width: side('width').nullish().describe('Width in pixels'),
                height: side('height').nullish().describe('Height in pixels'),
              },
              object('dimensions'),
            )
            .meta({ id: 'LegacyDimensions' })
            .nullish()
            .describe('Size of the ad slot. Does not affect which ads are selected'),
        },
        object('placement'),
      )
      .meta({ id: 'LegacyPlacement' })
      .nullish()
      .describe('Where the ad will appear'),
    conversation: conversationReference
      .nullish()
      .describe('Identifies the conversation, to limit how many ads it shows'),
    variant: variantLabel('variant'),
    regs: regs.nullish().describe('Privacy signals required by law'),
    preferences: z
      .object(
        {
          adFormat: oneOf('adFormat', AD_TYPES)
            .nullish()
            .describe('Ad format; default `text`. Campaigns without the media for the format are excluded'),
          maxAds: z
            .number('maxAds must be a whole number from 1 to 5')
            .int('maxAds must be a whole number from 1 to 5')
            .min(1, 'maxAds must be a whole number from 1 to 5')
            .max(5, 'maxAds must be a whole number from 1 to 5')
            .nullish()
            .describe('Maximum number of ads; default 1'),
          categories: names('categories').nullish().describe('Categories of the IAB Content Taxonomy to prefer'),
          excludeCategories: names('excludeCategories')
            .nullish()
            .describe('Categories of the IAB Content Taxonomy to exclude'),
        },
        object('preferences'),
      )
      .meta({ id: 'LegacyPreferences' })
      .nullish()
      .describe('Preferences for the ads'),
  },
  REQUIRED,
);

export type AdRequest = z.output<typeof adRequest>;

const wanting = z.object({ preferences: z.object({ maxAds: z.int().min(1).max(5) }) });

/** The number of ads that a body requests, read before the body is validated. */
export const countRequestedAds = (json: unknown): number => wanting.safeParse(json).data?.preferences.maxAds ?? 1;

/**
 * The query of a tracking operation (api 6.2). Invalid values are ignored, not rejected: the click or impression has already
 * happened, and the request will not be sent again.
 */
export const tracking = z.object({
  userId: text('userId', 128)
    .optional()
    .catch(undefined)
    .describe("The publisher's ID of the user. Included in events"),
  sessionId: text('sessionId', 128)
    .optional()
    .catch(undefined)
    .describe("The publisher's ID of the session. Included in events"),
  timestamp: z.iso
    .datetime({ offset: true, local: true })
    .optional()
    .catch(undefined)
    .describe('Time of the event. The service uses the time of the request instead'),
  api_key: z.string().optional().catch(undefined),
});
