import type { Lexicon, MatchingProfile } from '../matching/index.ts';
import type { Campaign, Configuration } from './campaign.ts';
import type { CampaignInput } from './campaign-schema.ts';
import { toMatchingProfile } from './matching-profile.ts';
import { merge } from './merge.ts';
import { type FieldError, fieldErrors } from './rules.ts';
import { bytesOf, overweight, weigh } from './weight.ts';

/** A configuration as matching sees it. */
interface Examined {
  profile: MatchingProfile;
  /** Bytes that it takes of a bidding instance's memory, and that the old one is counted with. */
  bytes: number;
  oldBytes: number;
  invalid?: undefined;
}

/** Where a configuration stands in matching, or what is wrong with it. Texts are bounded before they are read. */
export function examine(
  lexicon: Lexicon,
  input: CampaignInput,
  after: Configuration,
  old?: Campaign,
): Examined | { profile?: undefined; invalid: FieldError[] } {
  const before = old && merge({}, old);
  const invalid = fieldErrors(input, after, before);
  if (invalid.length > 0) return { invalid };
  const profile = toMatchingProfile(after, lexicon);
  const weights = weigh(after, profile, lexicon);
  const oldWeights = before && old && weigh(before, old.profile, lexicon);
  const heavy = overweight(weights, oldWeights);
  if (heavy.length > 0) return { invalid: heavy };
  return { profile, bytes: bytesOf(weights), oldBytes: old?.memoryBytes ?? (oldWeights ? bytesOf(oldWeights) : 0) };
}
