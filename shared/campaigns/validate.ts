import type { Lexicon, MatchingProfile } from '../matching/index.ts';
import type { Micros } from '../platform/values/money.ts';
import type { Campaign, Configuration } from './campaign.ts';
import type { CampaignInput } from './campaign-schema.ts';
import { type FieldError, fieldErrors } from './field-rules.ts';
import { toMatchingProfile } from './matching-profile.ts';
import { merge } from './merge.ts';
import { findOverweight, sumWeights, weigh } from './weight.ts';

/** A valid configuration with its matching profile. */
interface Validated {
  profile: MatchingProfile;
  /** Memory in a bidding instance, and the memory counted for the previous configuration. */
  bytes: number;
  oldBytes: number;
  invalid?: undefined;
}

/** Checks a configuration and builds its matching profile. Lengths are checked first, because building takes time. */
export function validateConfiguration(
  lexicon: Lexicon,
  input: CampaignInput,
  after: Configuration,
  campaign?: Campaign,
): Validated | { profile?: undefined; invalid: FieldError[] } {
  const before = campaign && merge({}, campaign);
  const invalid = fieldErrors(input, after, before);
  if (invalid.length > 0) return { invalid };
  const profile = toMatchingProfile(after, lexicon);
  const weights = weigh(after, profile, lexicon);
  const oldWeights = before && campaign && weigh(before, campaign.profile, lexicon);
  const heavy = findOverweight(weights, oldWeights);
  if (heavy.length > 0) return { invalid: heavy };
  return {
    profile,
    bytes: sumWeights(weights),
    oldBytes: campaign?.memoryBytes ?? (oldWeights ? sumWeights(oldWeights) : 0),
  };
}

/** Result of creating or updating a campaign. */
export type SaveResult =
  | { outcome: 'saved'; campaign: Campaign }
  | { outcome: 'invalid'; errors: FieldError[] }
  /** The transaction failed because the caller's own writes showed that the request is a repetition. */
  | { outcome: 'repeated' }
  | { outcome: 'name_taken' }
  /** The budget is not the one that the client expected. */
  | { outcome: 'other_budget'; budget: Micros }
  | { outcome: 'too_many'; limit: number }
  /** The user's campaigns would exceed the memory limit per user. */
  | { outcome: 'too_heavy'; maxBytes: number }
  | { outcome: 'not_found' };
