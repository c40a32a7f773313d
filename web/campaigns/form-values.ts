import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { EMPTY_CREATIVE } from '../../shared/campaigns/creative.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import { parseAmount } from '../amount.ts';
import { getChanges } from '../changes.ts';
import type { CampaignBody, CampaignChanges, NewCampaign } from './bodies.ts';

/** The limit per conversation. Keeps `impressions` while “No limit” is selected. */
interface TypedCap {
  per: 'none' | NonNullable<CampaignBody['frequencyCap']>['per'];
  impressions: string;
}

/** A campaign as typed: amounts and days are text, empty if unset. */
export interface FormValues {
  name: string;
  description: string;
  budget: string;
  dailyBudget: string;
  maxCpb: string;
  targetCpa: string;
  bidStrategy: CampaignBody['bidStrategy'];
  startDate: string;
  endDate: string;
  frequencyCap: TypedCap;
  conversionWindowDays: string;
  ageRange: string;
  keywords: string[];
  excludedKeywords: string[];
  interests: string[];
  categories: string[];
  countries: string[];
  languages: string[];
  excludedPublishers: string[];
  creative: CampaignBody['creative'];
}

export const EMPTY: FormValues = {
  name: '',
  description: '',
  budget: '',
  dailyBudget: '',
  maxCpb: '1',
  targetCpa: '',
  bidStrategy: 'auto',
  startDate: '',
  endDate: '',
  frequencyCap: { per: 'none', impressions: '1' },
  conversionWindowDays: '30',
  ageRange: '',
  keywords: [],
  excludedKeywords: [],
  interests: [],
  categories: [],
  countries: [],
  languages: [],
  excludedPublishers: [],
  creative: EMPTY_CREATIVE,
};

const typed = (amount: number | null): string => (amount === null ? '' : String(amount));
const toDay = (time: string | null): string => time?.slice(0, 10) ?? '';

/** Converts a campaign to form values. During a rollout, the previous version responds without the fields that have a default here. */
export function toFormValues(campaign: CampaignBody): FormValues {
  const { name, description, budget, dailyBudget, maxCpb, targetCpa, bidStrategy, creative } = campaign;
  const { excludedPublishers = EMPTY.excludedPublishers, conversionWindowDays = EMPTY.conversionWindowDays } = campaign;
  const { demographics, ...audience } = campaign.targetAudience;
  return {
    ...audience,
    name,
    description,
    bidStrategy,
    creative,
    excludedPublishers,
    conversionWindowDays: String(conversionWindowDays),
    budget: typed(budget),
    dailyBudget: typed(dailyBudget),
    maxCpb: typed(maxCpb),
    targetCpa: typed(targetCpa),
    startDate: toDay(campaign.startDate),
    endDate: toDay(campaign.endDate),
    frequencyCap: campaign.frequencyCap
      ? { per: campaign.frequencyCap.per, impressions: String(campaign.frequencyCap.impressions) }
      : EMPTY.frequencyCap,
    interests: demographics.interests,
    ageRange: demographics.ageRange ?? '',
  };
}

/** Form values for a copy. Removes past dates, which would end the copy before it starts. */
export function toCopy(original: CampaignBody, now: number): FormValues {
  const values = toFormValues(original);
  const ahead = (day: string) => (day < utcDay(now) ? '' : day);
  return {
    ...values,
    // A name cut inside an emoji would not be well-formed Unicode.
    name: `Copy of ${original.name}`.slice(0, 200).replace(/[\uD800-\uDBFF]$/, ''),
    startDate: ahead(values.startDate),
    endDate: ahead(values.endDate),
  };
}

/** Malformed text becomes NaN, which the schema rejects. */
function toUsd(text: string): number | null {
  const amount = parseAmount(text);
  return amount.kind === 'usd' ? amount.usd : amount.kind === 'none' ? null : Number.NaN;
}

/** Keeps the original time of day as long as the day does not change. */
const toTime = (day: string, before: string | null | undefined): string | null =>
  before && toDay(before) === day ? before : day || null;

/** Malformed text becomes NaN, which the schema rejects. */
const toWhole = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);

const toCap = ({ per, impressions }: TypedCap): NewCampaign['frequencyCap'] =>
  per === 'none' ? null : { impressions: toWhole(impressions), per };

/** A field without an input in the form. */
type NotTyped = 'status';
type Audience = NonNullable<NewCampaign['targetAudience']>;

/** Builds the request body. A new API field does not compile until it is handled here or listed in NotTyped. @param before the edited campaign */
export function toCampaignBody(values: FormValues, before?: CampaignBody): NewCampaign {
  const { keywords, excludedKeywords, interests, categories, countries, languages, ageRange, ...rest } = values;
  const { landingUrl, ...creative } = rest.creative;
  return {
    ...rest,
    budget: toUsd(rest.budget),
    dailyBudget: toUsd(rest.dailyBudget),
    maxCpb: toUsd(rest.maxCpb),
    targetCpa: toUsd(rest.targetCpa),
    startDate: toTime(rest.startDate, before?.startDate),
    endDate: toTime(rest.endDate, before?.endDate),
    frequencyCap: toCap(rest.frequencyCap),
    conversionWindowDays: toWhole(rest.conversionWindowDays),
    // Omit an empty landing page: a draft does not need one.
    creative: { ...creative, ...((landingUrl !== '' || before?.creative.landingUrl) && { landingUrl }) },
    targetAudience: {
      keywords,
      excludedKeywords,
      categories,
      countries,
      languages,
      demographics: { interests, ageRange: ageRange || null } satisfies Record<
        keyof NonNullable<Audience['demographics']>,
        unknown
      >,
    } satisfies Record<keyof Audience, unknown>,
  } satisfies Record<Exclude<keyof NewCampaign, NotTyped>, unknown>;
}

/**
 * Returns the changes to send for an edited campaign. Omits an unchanged daily budget, because a default one follows the budget.
 * Reactivates a campaign that completed at its end date if the date moves into the future: its page sends visitors here for that. Sends
 * the budget that the visitor saw, so that a concurrent change of the budget causes a conflict.
 */
export function campaignChanges(before: CampaignBody, body: NewCampaign, now: number): CampaignChanges {
  const changes = getChanges(toCampaignBody(toFormValues(before), before), body);
  const isPutOff = before.status === 'completed' && isOver(before.endDate, now) && !isOver(body.endDate, now);
  return {
    ...changes,
    // The API takes it as a whole.
    ...(changes.frequencyCap && { frequencyCap: body.frequencyCap }),
    ...(isPutOff && { status: 'active' }),
    ...(changes.budget !== undefined && { expectedBudget: before.budget }),
  };
}

/** Whether the end has passed, by the service's own schema. */
const isOver = (end: string | null | undefined, now: number): boolean =>
  end != null && Date.parse(createCampaign.shape.endDate.parse(end)!) < now;
