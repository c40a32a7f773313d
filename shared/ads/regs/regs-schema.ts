import * as z from 'zod';
import { grouped } from '../../platform/values/value-schema.ts';

const flag = (name: string) => z.union([z.literal(0), z.literal(1)], `${name} must be 0 or 1`);
const text = (name: string, most: number) => {
  const message = `${name} must be a string of at most ${grouped(most)} characters`;
  return z.string(message).max(most, message);
};
/** What is longer than any real string is an opt-out that cannot be read, and no bad request. */
export const MAX_STRING_CHARACTERS = 65_536;
const SID = 'gpp_sid must be a list of at most 50 whole numbers';

/** What the law asks of a request, in the words of OpenRTB; docs/privacy.md says what each does. */
export const regsFields = {
  coppa: flag('coppa').nullish().describe('1: about a child, so there is no ad'),
  gdpr: flag('gdpr')
    .nullish()
    .describe('1: European law holds; without a `consent` that allows it, that is an opt-out'),
  gpp: text('gpp', MAX_STRING_CHARACTERS).nullish().describe('A string of the Global Privacy Platform'),
  gpp_sid: z.array(z.int(SID), SID).max(50, SID).nullish().describe('The sections of `gpp` that hold'),
  us_privacy: text('us_privacy', MAX_STRING_CHARACTERS)
    .nullish()
    .describe('A string of the CCPA framework, such as 1YNN'),
  gpc: z
    .literal([0, 1, '0', '1', ''], 'gpc must be 0 or 1, as a number or a string')
    .nullish()
    .describe('1: Global Privacy Control, an opt-out'),
};

/** The same, with the consent that OpenRTB has elsewhere. */
export const regs = z.object(
  {
    ...regsFields,
    consent: text('consent', MAX_STRING_CHARACTERS)
      .nullish()
      .describe('A string of the Transparency and Consent Framework'),
  },
  'regs must be an object',
);
