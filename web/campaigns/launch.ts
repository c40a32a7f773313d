import { DEFAULTS } from '../../shared/campaigns/campaign.ts';
import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { findServingReasons } from '../../shared/campaigns/eligibility.ts';
import { findMissingFields } from '../../shared/campaigns/missing-fields.ts';
import { createSpendStats } from '../../shared/campaigns/spend-stats.ts';
import { fromUsd, type Micros } from '../../shared/platform/values/money.ts';
import { parseAmount } from '../amount.ts';
import { type Faults, toFaults } from '../errors.ts';
import type { CampaignBody } from './bodies.ts';
import { check } from './check.ts';
import { campaignChanges, type FormValues, toCampaignBody, toFormValues } from './form-values.ts';

const ENDED = 'The end date has passed. Choose a later one.';
const NO_TARGET_CPA = 'Set the value of a conversion, or choose another bid strategy.';

/**
 * Validates the form, and finds what would keep the campaign from serving once it is active, by the rules of `serving`. A later start date
 * is a choice, and only the service knows the result of the review. @param before the edited campaign
 */
export function checkLaunch(values: FormValues, before?: CampaignBody, now = Date.now()): Faults {
  const { bidStrategy, creative, keywords, interests } = values;
  const faults = check(values, before);
  const toMicros = (field: 'budget' | 'dailyBudget' | 'maxCpb' | 'targetCpa'): Micros | null => {
    const amount = parseAmount(values[field]);
    return amount.kind === 'usd' && !(field in faults) ? fromUsd(amount.usd) : null;
  };
  const reasons = findServingReasons(
    {
      status: 'active',
      pausedReason: null,
      pausedDay: null,
      startDate: null,
      endDate: createCampaign.shape.endDate.safeParse(toCampaignBody(values, before).endDate).data ?? null,
      budget: toMicros('budget') ?? DEFAULTS.budget,
      dailyBudget: toMicros('dailyBudget'),
      maxCpb: toMicros('maxCpb') ?? DEFAULTS.maxCpb,
      bidStrategy,
      targetCpa: toMicros('targetCpa'),
      lacks: findMissingFields({ keywords, demographics: { interests } }, creative),
    },
    { ...createSpendStats(''), spent: fromUsd(before?.spentBudget ?? 0) },
    now,
  );
  return {
    ...(bidStrategy === 'target_cpa' && values.targetCpa.trim() === '' && { targetCpa: NO_TARGET_CPA }),
    ...toFaults(
      reasons.map(({ code, field, message }) => ({ path: field, message: code === 'ended' ? ENDED : message })),
    ),
    ...faults,
  };
}

/** Validates changes of a campaign. Those of an active one must not stop it; what it already lacks may stay. */
export function checkChanges(values: FormValues, before: CampaignBody): Faults {
  const faults = check(values, before);
  if (Object.keys(faults).length === 0 && before.status !== 'active') {
    const { status } = campaignChanges(before, toCampaignBody(values, before), Date.now());
    return status === 'active' ? checkLaunch(values, before) : faults;
  }
  if (before.status !== 'active') return faults;
  const known = checkLaunch(toFormValues(before), before);
  const added = Object.entries(checkLaunch(values, before)).filter(([path, fault]) => fault !== known[path]);
  return { ...Object.fromEntries(added), ...faults };
}
