import type { Micros } from '../platform/values/money.ts';
import type { Campaign } from './campaign.ts';
import type { FieldError } from './rules.ts';

/** What came of creating or changing a campaign. */
export type Saved =
  | { outcome: 'saved'; campaign: Campaign }
  | { outcome: 'invalid'; faults: FieldError[] }
  /** What was to be written alongside was refused. */
  | { outcome: 'repeated' }
  | { outcome: 'name_taken' }
  /** It is not the one that was expected. */
  | { outcome: 'other_budget'; budget: Micros }
  | { outcome: 'too_many'; most: number }
  /** Together with the user's other campaigns it would take more memory of a bidding instance than a user may. */
  | { outcome: 'too_heavy'; mostBytes: number }
  | { outcome: 'not_found' };
