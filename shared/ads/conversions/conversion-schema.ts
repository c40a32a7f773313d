import * as z from 'zod';
import { isBlank } from '../../platform/values/characters.ts';
import { unicode } from '../../platform/values/value-schema.ts';

const name = (field: string, maxLength: number) => {
  const message = `${field} must be a string of 1 to ${maxLength} characters`;
  return unicode(message)
    .trim()
    .min(1, message)
    .refine((value) => !isBlank(value), message)
    .max(maxLength, message);
};

/** The body of a conversion (api 7). */
export const recordConversion = z.object({
  clickId: unicode({ error: ({ input }) => (input == null ? 'clickId is required' : 'clickId must be a string') }),
  conversionType: name('conversionType', 100),
  value: z
    .number('value must be a number')
    .min(0, 'value must be at least 0')
    .max(1_000_000_000, 'value must be at most 1,000,000,000')
    // Round away floating-point noise, which may have more digits than DynamoDB accepts.
    .transform((value) => Math.round(value * 1e6) / 1e6)
    .nullish(),
  currency: z
    .string('currency must be an ISO 4217 code such as USD')
    .regex(/^[A-Za-z]{3}$/, 'currency must be an ISO 4217 code such as USD')
    .transform((code) => code.toUpperCase())
    .nullish(),
  conversionId: name('conversionId', 128).nullish(),
});

/** The body of a test conversion: that of a real one, with a campaign instead of a click. */
export const testConversion = z.object({
  campaignId: z.string({
    error: ({ input }) => (input == null ? 'campaignId is required' : 'campaignId must be a string'),
  }),
  ...recordConversion.pick({ conversionType: true, value: true, currency: true }).shape,
});

export type ConversionInput = z.output<typeof recordConversion>;
