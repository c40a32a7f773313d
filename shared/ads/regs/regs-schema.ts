import * as z from 'zod';
import { grouped } from '../../platform/values/value-schema.ts';

const flag = (name: string) => z.literal([0, 1], `${name} must be 0 or 1`);
const text = (name: string, maxLength: number) => {
  const message = `${name} must be a string of at most ${grouped(maxLength)} characters`;
  return z.string(message).max(maxLength, message);
};
/** Longer than any real string. The parser treats an unreadable string as an opt-out, so the schema does not need to reject long ones. */
export const MAX_STRING_CHARACTERS = 65_536;
const SID = 'gpp_sid must be a list of at most 50 whole numbers';

/** Privacy signals of a request, named as in OpenRTB. docs/privacy.md describes the effect of each. */
export const regsFields = {
  coppa: flag('coppa').nullish().describe('1: the user is a child (COPPA), so the request gets no ad'),
  gdpr: flag('gdpr')
    .nullish()
    .describe('1: GDPR applies. Without a `consent` string that allows ads, this is an opt-out'),
  gpp: text('gpp', MAX_STRING_CHARACTERS).nullish().describe('IAB Global Privacy Platform (GPP) string'),
  gpp_sid: z.array(z.int(SID), SID).max(50, SID).nullish().describe('IDs of the sections of `gpp` that apply'),
  us_privacy: text('us_privacy', MAX_STRING_CHARACTERS)
    .nullish()
    .describe('IAB US Privacy (CCPA) string, such as 1YNN'),
  gpc: z
    .union([z.literal([0, 1]), z.literal(['0', '1', ''])], 'gpc must be 0 or 1, as a number or a string')
    .nullish()
    .describe('1: Global Privacy Control is on, which is an opt-out'),
};

/** The privacy signals with the TCF consent string, which OpenRTB keeps in `user`. */
export const regs = z
  .object(
    {
      ...regsFields,
      consent: text('consent', MAX_STRING_CHARACTERS)
        .nullish()
        .describe('IAB Transparency and Consent Framework (TCF) string'),
    },
    'regs must be an object',
  )
  .meta({ id: 'Regs' });
