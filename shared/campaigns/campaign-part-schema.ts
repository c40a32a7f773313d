import * as z from 'zod';
import { unicode } from '../platform/values/value-schema.ts';

/** Schemas of parts of a campaign that requests and responses share, so that clients can send back what they got. */

const CAP = 'impressions must be a whole number from 1 to 1,000';

export const frequencyCapSchema = () =>
  z
    .object(
      {
        impressions: z.int(CAP).min(1, CAP).max(1_000, CAP).describe('Maximum number of impressions'),
        per: z
          .enum(['conversation', 'day'], 'per must be one of conversation, day')
          .describe('`conversation`: in the whole conversation. `day`: in the conversation on one UTC day'),
      },
      'frequencyCap must be an object',
    )
    .meta({ id: 'FrequencyCap' });

const PHRASES =
  'suggestedPhrases must be a list of at most 150 objects, each with a text of 1 to 100 characters and a weight from 0 to 1';

export const suggestedPhrasesSchema = () => {
  const phrase = z
    .object(
      {
        text: unicode(PHRASES).trim().min(1, PHRASES).max(100, PHRASES).describe('The phrase'),
        weight: z
          .number(PHRASES)
          .min(0, PHRASES)
          .max(1, PHRASES)
          .describe('Probability that a person who uses this phrase wants what the ad offers'),
      },
      PHRASES,
    )
    .meta({ id: 'SuggestedPhrase' });
  return z.array(phrase, PHRASES).max(150, PHRASES);
};
