import type { Creative } from '../../shared/campaigns/creative.ts';
import type { FormValues } from './form-values.ts';

/**
 * Field labels of the form, close to the API's names, because API messages appear next to them. A new field causes a compile error until it
 * has a label. Only the API sets a campaign's description.
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
  sponsoredBy: { label: 'Sponsored by', hint: 'Shown to readers next to “Sponsored”.' },
  imageUrl: { label: 'Image URL (optional)', placeholder: 'https://…' },
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
