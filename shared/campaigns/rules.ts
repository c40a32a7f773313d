import type { Configuration } from './campaign.ts';
import type { CampaignInput } from './schema.ts';

export interface Fault {
  path: string;
  message: string;
}

/** The rules that hold between fields, and between a body and what it would change; the schema holds all others. */
export function faults(input: CampaignInput, after: Configuration, before?: Configuration): Fault[] {
  const found: Fault[] = [];
  // A client may send back a whole object whose address was never set; nobody may clear or create one with nothing.
  if (input.creative?.landingUrl === '' && (before?.creative.landingUrl ?? null) !== '') {
    found.push({ path: 'creative.landingUrl', message: 'landingUrl must be an absolute http or https URL' });
  }
  if (after.startDate && after.endDate && after.endDate < after.startDate) {
    found.push({ path: 'endDate', message: 'endDate must not be before startDate' });
  }
  return found;
}
