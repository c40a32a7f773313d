import type { Lexicon, MatchingProfile } from '../matching/index.ts';
import type { Micros } from '../platform/values/money.ts';
import type { Campaign, Configuration } from './campaign.ts';
import type { CampaignInput } from './campaign-schema.ts';
import { type FieldError, fieldErrors } from './field-rules.ts';
import { toMatchingProfile } from './matching-profile.ts';
import { merge } from './merge.ts';
import { findOverweight, sumWeights, weigh } from './weight.ts';

/** A configuration as matching sees it. */
interface Validated {
  profile: MatchingProfile;
  /** Bytes that it takes of a bidding instance's memory, and that the old one is counted with. */
  bytes: number;
  oldBytes: number;
  invalid?: undefined;
}

/** Where a configuration stands in matching, or what is wrong with it. Texts are bounded before they are read. */
export function validateConfiguration(
  lexicon: Lexicon,
  input: CampaignInput,
  after: Configuration,
  old?: Campaign,
): Validated | { profile?: undefined; invalid: FieldError[] } {
  const before = old && merge({}, old);
  const invalid = fieldErrors(input, after, before);
  if (invalid.length > 0) return { invalid };
  const profile = toMatchingProfile(after, lexicon);
  const weights = weigh(after, profile, lexicon);
  const oldWeights = before && old && weigh(before, old.profile, lexicon);
  const heavy = findOverweight(weights, oldWeights);
  if (heavy.length > 0) return { invalid: heavy };
  return {
    profile,
    bytes: sumWeights(weights),
    oldBytes: old?.memoryBytes ?? (oldWeights ? sumWeights(oldWeights) : 0),
  };
}

/** What came of creating or changing a campaign. */
export type SaveResult =
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
