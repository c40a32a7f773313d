import { fromUsd } from '../platform/values/money.ts';
import { type Configuration, DEFAULTS, EMPTY_TARGET_AUDIENCE } from './campaign.ts';
import type { CampaignInput } from './campaign-schema.ts';
import { EMPTY_CREATIVE } from './creative.ts';

/**
 * Merges field by field: absent keeps the current value, null resets it to the default, and an array replaces the whole array. Iterates over
 * the fields of `defaults`, because campaigns stored before a field existed lack it.
 */
function overlay<T extends object>(
  current: T | undefined,
  input: Partial<Record<keyof T, unknown>> | null | undefined,
  defaults: T,
): T {
  if (input === null) return defaults;
  const entries = Object.keys(defaults).map((field) => {
    const name = field as keyof T;
    return [name, input?.[name] === undefined ? (current?.[name] ?? defaults[name]) : (input[name] ?? defaults[name])];
  });
  return Object.fromEntries(entries) as T;
}

/** Merges a validated body into a configuration, or into the defaults for a new campaign (api 3.1). */
export function merge(input: CampaignInput, base?: Configuration): Configuration {
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
      { name: base?.name ?? '', ...DEFAULTS },
    ),
    creative: overlay(base?.creative, creative, EMPTY_CREATIVE),
    targetAudience: {
      ...overlay(base?.targetAudience, targetAudience, EMPTY_TARGET_AUDIENCE),
      demographics: overlay(
        base?.targetAudience?.demographics,
        targetAudience === null ? null : targetAudience?.demographics,
        EMPTY_TARGET_AUDIENCE.demographics,
      ),
    },
  };
}
