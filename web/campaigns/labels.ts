import type { FormValues } from './form-values.ts';

/** What the form calls its fields: one more does not compile until it has a name here. A campaign's description is for users of the API. */
export const FIELD_LABELS = {
  name: 'Name of the campaign',
  keywords: 'Keywords',
  excludedKeywords: 'Never beside',
  countries: 'Countries',
  interests: 'Interests',
  languages: 'Languages',
  categories: 'Categories',
  ageRange: 'Ages',
  budget: 'Budget, USD',
  dailyBudget: 'A day, USD',
  maxCpb: 'Highest bid, USD',
  bidStrategy: 'Bidding',
  targetCpa: 'What a conversion is worth, USD',
  startDate: 'First day (UTC)',
  endDate: 'Last day (UTC)',
} satisfies Record<Exclude<keyof FormValues, 'creative' | 'description'>, string>;
/** Videos are set by the API alone. */
export const CREATIVE_LABELS = {
  headline: 'Headline',
  description: 'Description',
  callToAction: 'Call to action',
  landingUrl: 'Landing page',
  sponsoredBy: 'Advertiser',
  imageUrl: 'Image (optional)',
} satisfies Record<Exclude<keyof FormValues['creative'], 'videoUrl' | 'thumbnailUrl'>, string>;
