import type { Lexicon, MatchingProfile } from '../matching/index.ts';
import type { Campaign, Configuration } from './campaign.ts';
import { matchingProfileOf } from './matching-profile.ts';
import { merge } from './merge.ts';
import { type FieldError, fieldErrors } from './rules.ts';
import type { CampaignInput } from './schema.ts';
import { overweight, weigh } from './weight.ts';

/** Where a configuration stands in matching, or what is wrong with it. Texts are known to be bounded before they are looked into. */
export function examine(
  lexicon: Lexicon,
  input: CampaignInput,
  after: Configuration,
  old?: Campaign,
): { profile: MatchingProfile; invalid?: undefined } | { profile?: undefined; invalid: FieldError[] } {
  const before = old && merge({}, old);
  const invalid = fieldErrors(input, after, before);
  if (invalid.length > 0) return { invalid };
  const profile = matchingProfileOf(after, lexicon);
  const heavy = overweight(weigh(after, profile, lexicon), before && old && weigh(before, old.profile, lexicon));
  return heavy.length > 0 ? { invalid: heavy } : { profile };
}
