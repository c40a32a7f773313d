import type { Campaign } from './campaign.ts';
import type { FieldError } from './rules.ts';

/** What came of creating or changing a campaign. */
export type Saved =
  | { outcome: 'saved'; campaign: Campaign }
  | { outcome: 'invalid'; faults: FieldError[] }
  /** What was to be written alongside was refused. */
  | { outcome: 'repeated' }
  | { outcome: 'name_taken' }
  | { outcome: 'too_many'; most: number }
  | { outcome: 'not_found' };
