import { type Lexicon, type Placement, place, placedIn } from '../matching/index.ts';
import type { Campaign, Configuration } from './campaign.ts';

/** Where a campaign stands in what matching knows of the world: computed when it is written, so that loading it is quick. */
export const placementOf = ({ targetAudience, creative }: Configuration, lexicon: Lexicon): Placement =>
  place(
    {
      keywords: targetAudience.keywords,
      excludedKeywords: targetAudience.excludedKeywords,
      interests: targetAudience.demographics.interests,
      categories: targetAudience.categories,
      headline: creative.headline,
      description: creative.description,
      callToAction: creative.callToAction,
    },
    lexicon,
  );

type Placed = Pick<Campaign, 'placement' | 'targetAudience'>;

/** Whether a campaign belongs to a category of the IAB Content Taxonomy: by its own word, or by where it stands. */
export const isInCategory = ({ placement, targetAudience }: Placed, category: string, lexicon: Lexicon): boolean =>
  targetAudience.categories.some((own) => own.toLowerCase() === category.toLowerCase()) ||
  placedIn(placement, category, lexicon);

/** The category that a campaign is said to be of; empty where nothing is known of it. */
export function mainCategory({ placement, targetAudience }: Placed, lexicon: Lexicon): string {
  const path = lexicon.topics[placement.t[0] ?? -1] ?? '';
  return targetAudience.categories[0] ?? path.split(' > ').at(-1)!;
}
