import { buildMatchingProfile, type Lexicon, type MatchingProfile } from '../matching/index.ts';
import type { Configuration } from './campaign.ts';

/** Builds the terms and topics used to match a campaign. Computed at write time, so that loading the catalog is fast. */
export const toMatchingProfile = (
  { targetAudience, creative }: Pick<Configuration, 'targetAudience' | 'creative'>,
  lexicon: Lexicon,
): MatchingProfile =>
  buildMatchingProfile(
    {
      keywords: targetAudience.keywords,
      excludedKeywords: targetAudience.excludedKeywords,
      interests: targetAudience.demographics.interests,
      categories: targetAudience.categories,
      headline: creative.headline,
      description: creative.description,
      callToAction: creative.callToAction,
      languages: targetAudience.languages ?? [],
    },
    lexicon,
  );
