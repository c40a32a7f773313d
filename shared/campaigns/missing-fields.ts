import { isBlank } from '../platform/values/characters.ts';
import type { Configuration } from './campaign.ts';

/** A field that a campaign needs to serve. */
export type MissingField = 'creative.landingUrl' | 'creative.headline' | 'targetAudience.keywords';

interface Matched {
  keywords: readonly string[];
  demographics: { interests: readonly string[] };
}

/** The fields that a campaign still needs to serve. The desk's form also uses this function, so it must run in browsers. */
export const findMissingFields = (
  { keywords, demographics }: Matched,
  { landingUrl, headline }: Pick<Configuration['creative'], 'landingUrl' | 'headline'>,
): MissingField[] => [
  ...(landingUrl ? [] : ['creative.landingUrl' as const]),
  ...(isBlank(headline) ? ['creative.headline' as const] : []),
  ...(keywords.length + demographics.interests.length > 0 ? [] : ['targetAudience.keywords' as const]),
];
