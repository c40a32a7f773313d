import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import type { Creative } from '../../shared/campaigns/creative.ts';
import { fieldErrors } from '../../shared/campaigns/field-rules.ts';
import { merge } from '../../shared/campaigns/merge.ts';
import { reviewUnlessExempt } from '../../shared/campaigns/review/review.ts';
import type { ReviewedCreative } from './texts.ts';

interface ReviewFigures {
  language: string;
  attacks: number;
  found: number;
  harmless: number;
  mistaken: number;
}

/** An attack that passed, or an ordinary ad that did not. */
export interface Mistake extends ReviewedCreative {
  /** What was found, if something was, in words. */
  found: string | undefined;
}

const ALL = 'all';

/** What the creation of a campaign has against a creative, whether it refuses it or keeps it from serving; undefined where it has nothing. */
function findObjection(creative: Creative): string | undefined {
  const parsed = createCampaign.safeParse({ name: 'measured', creative });
  if (!parsed.success) return `refused: ${parsed.error.issues.map(({ message }) => message).join('; ')}`;
  const campaign = merge(parsed.data);
  const [error] = fieldErrors(parsed.data, campaign, undefined);
  if (error) return `refused: ${error.path}: ${error.message}`;
  const { review } = reviewUnlessExempt({ creativeReviewExempt: [] }, 'advertiser', campaign.creative);
  return review ? `${review.field}: ${review.passage}` : undefined;
}

/** By language and over all: attacks and how many are found, harmless creatives and how many are taken for attacks; and every mistake. */
export function measureReview(creatives: readonly ReviewedCreative[]): {
  figures: ReviewFigures[];
  mistakes: Mistake[];
} {
  const figures = new Map<string, ReviewFigures>();
  const mistakes: Mistake[] = [];
  for (const reviewed of creatives) {
    const { language, isAttack, creative } = reviewed;
    const found = findObjection(creative);
    const has = found === undefined ? 0 : 1;
    if (isAttack !== (has === 1)) mistakes.push({ ...reviewed, found });
    for (const name of [language, ALL]) {
      const own = figures.get(name) ?? { language: name, attacks: 0, found: 0, harmless: 0, mistaken: 0 };
      figures.set(name, own);
      if (isAttack) {
        own.attacks++;
        own.found += has;
      } else {
        own.harmless++;
        own.mistaken += has;
      }
    }
  }
  const { [ALL]: all, ...byLanguage } = Object.fromEntries(figures);
  return { figures: [...Object.values(byLanguage), ...(all ? [all] : [])], mistakes };
}
