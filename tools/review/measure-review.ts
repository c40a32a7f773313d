import { hiddenInLines } from '../../shared/campaigns/hidden.ts';
import { reviewFor } from '../../shared/review/review.ts';
import type { Creative } from '../../shared/values/creative.ts';
import type { ReviewedText } from './texts.ts';

interface ReviewFigures {
  language: string;
  attacks: number;
  found: number;
  harmless: number;
  mistaken: number;
}

const ALL = 'all';

/** A creative of one text and a landing page, as an advertiser without pictures writes it. */
const creativeOf = (description: string, landingUrl: string): Creative => ({
  headline: '',
  description,
  callToAction: '',
  landingUrl,
  imageUrl: '',
  videoUrl: '',
  thumbnailUrl: '',
  sponsoredBy: '',
});

/** Whether it is refused when it is submitted, or kept from serving. */
const isFound = (text: string, landingUrl: string): boolean =>
  hiddenInLines(text) !== undefined ||
  reviewFor({ creativeReviewExempt: [] }, 'advertiser', creativeOf(text, landingUrl)).review !== null;

/**
 * By language and over all: attacks and how many are found, harmless texts and how many are taken for attacks.
 * @param landingUrl where the ads lead: their writer may name its address
 */
export function measureReview(
  texts: readonly ReviewedText[],
  landingUrl = 'https://www.shop.example/',
): ReviewFigures[] {
  const figures = new Map<string, ReviewFigures>();
  for (const { language, text, isAttack } of texts) {
    const has = isFound(text, landingUrl) ? 1 : 0;
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
  return [...Object.values(byLanguage), ...(all ? [all] : [])];
}
