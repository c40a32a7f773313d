import { isDeepStrictEqual } from 'node:util';
import { fromUsd, micros } from '../money.ts';
import type { Campaign, Configuration, Creative, TargetAudience } from './campaign.ts';
import type { CampaignInput } from './schema.ts';

export const NO_CREATIVE: Creative = {
  headline: '',
  description: '',
  callToAction: '',
  landingUrl: '',
  imageUrl: '',
  videoUrl: '',
  thumbnailUrl: '',
  sponsoredBy: '',
};
export const ANYBODY: TargetAudience = {
  keywords: [],
  demographics: { ageRange: null, interests: [] },
  countries: [],
  excludedKeywords: [],
  categories: [],
};
const DEFAULTS: Omit<Configuration, 'name'> = {
  description: '',
  budget: micros(0),
  dailyBudget: null,
  targetAudience: ANYBODY,
  creative: NO_CREATIVE,
  bidStrategy: 'auto',
  maxCpb: fromUsd(1),
  targetCpa: null,
  status: 'draft',
  startDate: null,
  endDate: null,
};

/** Field by field: absent keeps the current value, null resets it to the default, arrays are replaced whole. */
function overlay<T extends object>(
  current: T,
  given: Partial<Record<keyof T, unknown>> | null | undefined,
  defaults: T,
): T {
  if (given === null) return defaults;
  const entries = Object.keys(current).map((field) => {
    const value = given?.[field as keyof T];
    if (value === undefined) return [field, current[field as keyof T]];
    return [field, value ?? defaults[field as keyof T]];
  });
  return Object.fromEntries(entries) as T;
}

/** A validated body laid over a configuration; the defaults when the campaign is new (decisions, section 3). */
export function merge(input: CampaignInput, current?: Configuration): Configuration {
  const base = current ?? { ...DEFAULTS, name: '' };
  const { targetAudience, creative, budget, dailyBudget, maxCpb, targetCpa, ...plain } = input;
  const money = (amount: number | null | undefined) => (amount == null ? amount : fromUsd(amount));
  return {
    ...overlay<Configuration>(
      base,
      {
        ...plain,
        budget: money(budget),
        dailyBudget: money(dailyBudget),
        maxCpb: money(maxCpb),
        targetCpa: money(targetCpa),
      },
      { ...DEFAULTS, name: base.name },
    ),
    creative: overlay(base.creative, creative, NO_CREATIVE),
    targetAudience: {
      ...overlay(base.targetAudience, targetAudience, ANYBODY),
      demographics: overlay(
        base.targetAudience.demographics,
        targetAudience === null ? null : targetAudience?.demographics,
        ANYBODY.demographics,
      ),
    },
  };
}

/** The names of the fields in which two configurations differ. */
export const changedFields = (before: Configuration | Campaign, after: Configuration | Campaign): string[] =>
  (['name', ...Object.keys(DEFAULTS)] as (keyof Configuration)[]).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]), // the store keeps no order of members
  );
