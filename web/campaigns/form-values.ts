import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { EMPTY_CREATIVE } from '../../shared/campaigns/creative.ts';
import { fieldErrors } from '../../shared/campaigns/field-rules.ts';
import { merge } from '../../shared/campaigns/merge.ts';
import { amountOf } from '../amount.ts';
import { changesOf } from '../changes.ts';
import { type Faults, faultsOf } from '../errors.ts';
import { utcDate } from '../figures/range.ts';
import type { CampaignBody, CampaignChanges, NewCampaign } from './bodies.ts';

/** A campaign as it is typed: amounts and days as texts, empty where nothing is set. */
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
  ageRange: string;
  keywords: string[];
  excludedKeywords: string[];
  interests: string[];
  categories: string[];
  countries: string[];
  languages: string[];
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
  ageRange: '',
  keywords: [],
  excludedKeywords: [],
  interests: [],
  categories: [],
  countries: [],
  languages: [],
  creative: EMPTY_CREATIVE,
};

const typed = (amount: number | null): string => (amount === null ? '' : String(amount));
const dayOf = (time: string | null): string => time?.slice(0, 10) ?? '';

/** A campaign of the service as somebody would have typed it. */
export function valuesOf(campaign: CampaignBody): FormValues {
  const { name, description, budget, dailyBudget, maxCpb, targetCpa, bidStrategy, creative } = campaign;
  const { demographics, ...audience } = campaign.targetAudience;
  return {
    ...audience,
    name,
    description,
    bidStrategy,
    creative,
    budget: typed(budget),
    dailyBudget: typed(dailyBudget),
    maxCpb: typed(maxCpb),
    targetCpa: typed(targetCpa),
    startDate: dayOf(campaign.startDate),
    endDate: dayOf(campaign.endDate),
    interests: demographics.interests,
    ageRange: demographics.ageRange ?? '',
  };
}

/** What a copy of a campaign begins with: days that are over are left out, which would end it before it begins. */
export function copyOf(original: CampaignBody, now: number): FormValues {
  const values = valuesOf(original);
  const ahead = (day: string) => (day < utcDate(now) ? '' : day);
  return {
    ...values,
    name: `Copy of ${original.name}`.slice(0, 200),
    startDate: ahead(values.startDate),
    endDate: ahead(values.endDate),
  };
}

/** What is no amount stays a number that no schema takes. */
function usdOf(text: string): number | null {
  const amount = amountOf(text);
  return amount.kind === 'usd' ? amount.usd : amount.kind === 'none' ? null : Number.NaN;
}

const AMOUNTS = ['budget', 'dailyBudget', 'maxCpb', 'targetCpa'] as const;

/** A moment that a plain day would lose: it stays as it was while nobody changes the day. */
const momentOf = (day: string, before: string | null | undefined): string | null =>
  before && dayOf(before) === day ? before : day || null;

/** What no form has: it is set by the API, and by buttons of the campaign's page. */
type NotTyped = 'frequencyCap' | 'status';
type Audience = NonNullable<NewCampaign['targetAudience']>;

/** The body that says what was typed: a field more does not compile until it is here, or said to be none of the form's. @param before the campaign that is edited */
export function campaignBodyOf(values: FormValues, before?: CampaignBody): NewCampaign {
  const { keywords, excludedKeywords, interests, categories, countries, languages, ageRange, ...rest } = values;
  const { landingUrl, ...creative } = rest.creative;
  return {
    ...rest,
    budget: usdOf(rest.budget),
    dailyBudget: usdOf(rest.dailyBudget),
    maxCpb: usdOf(rest.maxCpb),
    targetCpa: usdOf(rest.targetCpa),
    startDate: momentOf(rest.startDate, before?.startDate),
    endDate: momentOf(rest.endDate, before?.endDate),
    // A landing page that is not set yet is left out: a draft may do without.
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
 * What is to be changed of a campaign for a form's body. A daily budget that nobody changed is not sent: one that follows the budget
 * goes on following it, one that was typed stays. A campaign that its end has completed runs again when that is put off: its page
 * leads here to have it serve. Nobody's budget is overwritten unseen.
 */
export function campaignChanges(before: CampaignBody, body: NewCampaign, now: number): CampaignChanges {
  const changes = changesOf(campaignBodyOf(valuesOf(before), before), body);
  const isPutOff = before.status === 'completed' && isOver(before.endDate, now) && !isOver(body.endDate, now);
  return {
    ...changes,
    ...(isPutOff && { status: 'active' }),
    ...(changes.budget !== undefined && { expectedBudget: before.budget }),
  };
}

/** Whether an end has passed, as the service reads it. */
const isOver = (end: string | null | undefined, now: number): boolean =>
  end != null && Date.parse(createCampaign.shape.endDate.parse(end)!) < now;

/** What is wrong with what was typed. @param before the campaign that is edited */
export function check(values: FormValues, before?: CampaignBody): Faults {
  const unread = AMOUNTS.flatMap((field) => {
    const amount = amountOf(values[field]);
    return amount.kind === 'fault' ? [[field, amount.says]] : [];
  });
  return { ...refusedOf(campaignBodyOf(values, before)), ...Object.fromEntries(unread) };
}

/** What the service would refuse of a body, by its own schema and rules. */
function refusedOf(body: NewCampaign): Faults {
  const result = createCampaign.safeParse(body);
  if (result.success) return faultsOf(fieldErrors(result.data, merge(result.data)));
  return faultsOf(result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
}
