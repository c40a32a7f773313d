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

/** Fields that a campaign needs to launch, by the path in the API. Target CPA only with its strategy. */
const REQUIRED: readonly string[] = ['name', 'creative.headline', 'creative.landingUrl', 'budget', 'targetCpa'];
/** Fields without a mark of their own: prefilled ones, and those of which one is required, whose group has the mark. */
const UNMARKED: readonly string[] = [
  ...['maxCpb', 'bidStrategy', 'frequencyCap', 'conversionWindowDays'],
  ...['targetAudience.keywords', 'targetAudience.demographics.interests'],
];

/** Whether the form marks the field as required or as optional. */
export const getNeed = (path: string): 'required' | 'optional' | undefined =>
  REQUIRED.includes(path) ? 'required' : UNMARKED.includes(path) ? undefined : 'optional';

/** Names of the bid strategies, and what they do. */
export const STRATEGIES: Readonly<Record<FormValues['bidStrategy'], readonly [name: string, does: string]>> = {
  auto: ['Automatic', 'Bids up to the maximum, by relevance and pacing.'],
  manual: ['Manual', 'Always bids the maximum.'],
  maximize_clicks: ['Maximize clicks', 'Bids more when a click is likely.'],
  target_cpa: ['Target CPA', 'Bids what the expected conversions are worth.'],
};

/** How the form shows a field of the creative. */
interface CreativeInput {
  label: string;
  hint?: string;
  placeholder?: string;
  isLong?: true;
}

/** The creative's fields in the order of the form. A new field does not compile until it is here. Only the API sets videos. */
export const CREATIVE_INPUTS: Record<Exclude<keyof Creative, 'videoUrl' | 'thumbnailUrl'>, CreativeInput> = {
  headline: { label: 'Headline', placeholder: 'Shoes that forgive long runs' },
  description: { label: 'Description', isLong: true },
  callToAction: { label: 'Call to action', placeholder: 'Find your pair' },
  landingUrl: {
    label: 'Landing page URL',
    hint: 'Where a click leads.',
    placeholder: 'https://shop.example/shoes',
  },
  sponsoredBy: {
    label: 'Sponsored by',
    hint: 'Shown next to “Sponsored”. Leave empty for the domain of the landing page.',
  },
  imageUrl: { label: 'Image URL', placeholder: 'https://…' },
};

const LABELS: Readonly<Record<string, string>> = {
  ...FIELD_LABELS,
  ...Object.fromEntries(Object.entries(CREATIVE_INPUTS).map(([name, { label }]) => [name, label])),
};

/** The label of the field at a path of the API, such as `creative.landingUrl`. */
export function getLabel(path: string): string {
  const name = path.split('.').at(-1) ?? path;
  return LABELS[name] ?? name;
}
