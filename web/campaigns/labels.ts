import type { Creative } from '../../shared/campaigns/creative.ts';
import type { FormValues } from './form-values.ts';

/**
 * Field labels of the form. A new field causes a compile error until it has a label. Only the API sets a campaign's description.
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
  frequencyCap: 'Limit per conversation',
  excludedPublishers: 'Excluded publishers',
  conversionWindowDays: 'Conversion window (days)',
} satisfies Record<Exclude<keyof FormValues, 'creative' | 'description'>, string>;

/** Names of the bid strategies, and what they do. */
export const STRATEGIES: Readonly<Record<FormValues['bidStrategy'], readonly [name: string, does: string]>> = {
  auto: ['Automatic', 'Bids up to the maximum, by relevance and pacing.'],
  manual: ['Manual', 'Always bids the maximum.'],
  maximize_clicks: ['Maximize clicks', 'Bids more when a click is likely.'],
  target_cpa: ['Target CPA', 'Bids what the expected conversions are worth.'],
};

/** The creative's fields in the order of the form. A new field does not compile until it is here. Only the API sets videos. */
export const CREATIVE_LABELS: Readonly<Record<Exclude<keyof Creative, 'videoUrl' | 'thumbnailUrl'>, string>> = {
  headline: 'Headline',
  description: 'Description',
  callToAction: 'Call to action',
  landingUrl: 'Landing page URL',
  sponsoredBy: 'Sponsored by',
  imageUrl: 'Image URL',
};

const LABELS: Readonly<Record<string, string>> = { ...FIELD_LABELS, ...CREATIVE_LABELS };

/** The label of the field at a path of the API, such as `creative.landingUrl`. */
export function getLabel(path: string): string {
  const name = path.split('.').at(-1) ?? path;
  return LABELS[name] ?? name;
}

/** A publisher whose name is not known, because it has not shown the campaign for long. */
export const nameUnknownPublisher = (id: string): string => `Publisher ${id}`;
