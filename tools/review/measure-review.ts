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

/** A missed attack, or a harmless creative that was rejected. */
export interface Mistake extends ReviewedCreative {
  /** The objection, if any. */
  found: string | undefined;
}

const ALL = 'all';

/** The objection to a creative when a campaign is created, whether it is rejected or kept from serving; undefined without objection. */
function findObjection(creative: Creative): string | undefined {
  const parsed = createCampaign.safeParse({ name: 'measured', creative });
  if (!parsed.success) return `refused: ${parsed.error.issues.map(({ message }) => message).join('; ')}`;
  const campaign = merge(parsed.data);
  const [error] = fieldErrors(parsed.data, campaign, undefined);
  if (error) return `refused: ${error.path}: ${error.message}`;
  const { review } = reviewUnlessExempt({ creativeReviewExempt: [] }, 'advertiser', campaign.creative);
  return review ? `${review.field}: ${review.passage}` : undefined;
}

/** Counts detected attacks and false alarms by language and in total, and lists every mistake. */
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
