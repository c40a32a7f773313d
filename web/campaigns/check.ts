import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { fieldErrors } from '../../shared/campaigns/field-rules.ts';
import { merge } from '../../shared/campaigns/merge.ts';
import { parseAmount } from '../amount.ts';
import { type Faults, toFaults, toFormWords } from '../errors.ts';
import type { CampaignBody, NewCampaign } from './bodies.ts';
import { type FormValues, toCampaignBody } from './form-values.ts';
import { getLabel } from './labels.ts';

const ADDRESS = 'Enter a web address such as https://shop.example/shoes, of at most 2,048 characters.';

/** What to enter, for fields whose API message has the words of a developer. */
const EXPECTED: Readonly<Record<string, string>> = {
  'creative.landingUrl': ADDRESS,
  'creative.imageUrl': ADDRESS,
  'targetAudience.demographics.ageRange': 'Enter two ages, the lower one first, such as 18-35.',
  conversionWindowDays: 'Enter a whole number from 1 to 90.',
  'frequencyCap.impressions': 'Enter a whole number from 1 to 1,000.',
  endDate: 'The end date must not be before the start date.',
};

/** An error of the service's schema and rules, in the words of the form. */
const explainFault = (path: string, message: string): string => EXPECTED[path] ?? toFormWords(message, getLabel(path));

const AMOUNTS = ['budget', 'dailyBudget', 'maxCpb', 'targetCpa'] as const;

/** Validates the form. @param before the edited campaign */
export function check(values: FormValues, before?: CampaignBody): Faults {
  const unread = AMOUNTS.flatMap((field) => {
    const amount = parseAmount(values[field]);
    return amount.kind === 'fault' ? [[field, amount.says]] : [];
  });
  const faults = validateBody(toCampaignBody(values, before));
  const explained = Object.entries(faults).map(([path, message]) => [path, explainFault(path, message)]);
  return { ...Object.fromEntries(explained), ...Object.fromEntries(unread) };
}

/** Validates the body with the service's own schema and rules. */
function validateBody(body: NewCampaign): Faults {
  const result = createCampaign.safeParse(body);
  if (result.success) return toFaults(fieldErrors(result.data, merge(result.data)));
  return toFaults(result.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
}
