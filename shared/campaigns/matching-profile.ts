import { buildMatchingProfile, type Lexicon, type MatchingProfile } from '../matching/index.ts';
import type { Configuration } from './campaign.ts';

/** How matching finds a campaign by its terms and topics: computed when it is written, so that loading it is quick. */
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
