import type { FormValues } from './form-values.ts';

/**
 * The labels of the form's fields, close to the names in the API, because its messages are shown next to them. A new field does not
 * compile until it has a label here. Only the API sets a campaign's description.
 */
export const FIELD_LABELS = {
  name: 'Campaign name',
  keywords: 'Keywords',
  excludedKeywords: 'Excluded keywords',
  countries: 'Countries',
  interests: 'Interests',
  languages: 'Languages',
  categories: 'Categories',
  ageRange: 'Age range',
  budget: 'Total budget (USD)',
  dailyBudget: 'Daily budget (USD)',
  maxCpb: 'Maximum bid (USD)',
  bidStrategy: 'Bid strategy',
  targetCpa: 'Target CPA (USD)',
  startDate: 'Start date (UTC)',
  endDate: 'End date (UTC)',
} satisfies Record<Exclude<keyof FormValues, 'creative' | 'description'>, string>;
/** Only the API sets videos. */
export const CREATIVE_LABELS = {
  headline: 'Headline',
  description: 'Description',
  callToAction: 'Call to action',
  landingUrl: 'Landing page URL',
  sponsoredBy: 'Sponsored by',
  imageUrl: 'Image URL (optional)',
} satisfies Record<Exclude<keyof FormValues['creative'], 'videoUrl' | 'thumbnailUrl'>, string>;

const LABELS: Readonly<Record<string, string>> = { ...FIELD_LABELS, ...CREATIVE_LABELS };

/** The label of the field at a path of the API, such as `creative.landingUrl`. */
export function labelOf(path: string): string {
  const name = path.split('.').at(-1) ?? path;
  return LABELS[name] ?? name;
}
