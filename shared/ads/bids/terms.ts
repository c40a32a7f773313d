import type { Campaign } from '../../campaigns/campaign.ts';
import type { MatchedTerm } from '../../matching/index.ts';
import type { Issued, RecordedTerms } from './bid.ts';

/** Bytes of terms in a record, so that it stays within 1 KB. */
const MAX_TERM_BYTES = 150;

/** What the record of a new bid keeps of what matched: phrases as texts, keywords as numbers, because the catalog has no texts. */
export function toTerms(matched: readonly MatchedTerm[]): Pick<Issued, 'terms' | 'keywords'> {
  const keywords = matched.flatMap((one) => (one.kind === 'keyword' ? one.keyword : []));
  const phrases = matched.flatMap((one) => (one.kind === 'keyword' ? [] : one.term));
  return { terms: cutTerms({ phrases }), ...(keywords.length > 0 && { keywords }) };
}

/**
 * The terms of a bid that is served, whose campaign the charge reads anyway: its keywords now have their texts, unless the campaign was
 * changed since the auction and numbers them differently. Terms of the previous version's records are dropped: they were cut from the
 * conversation.
 */
export function toServedTerms(
  { terms, keywords = [], campaignVersion }: Pick<Issued, 'terms' | 'keywords' | 'campaignVersion'>,
  { version, targetAudience }: Pick<Campaign, 'version' | 'targetAudience'>,
): RecordedTerms {
  if (Array.isArray(terms)) return {};
  if (campaignVersion !== version) return terms;
  return cutTerms({ ...terms, keywords: keywords.flatMap((number) => targetAudience.keywords[number] ?? []) });
}

/** The first terms that fit, keywords before phrases. */
function cutTerms({ keywords = [], phrases = [] }: RecordedTerms): RecordedTerms {
  let left = MAX_TERM_BYTES;
  const fits = (term: string): boolean => {
    left -= Buffer.byteLength(term);
    return left >= 0;
  };
  const kept = { keywords: keywords.filter(fits), phrases: phrases.filter(fits) };
  return {
    ...(kept.keywords.length > 0 && { keywords: kept.keywords }),
    ...(kept.phrases.length > 0 && { phrases: kept.phrases }),
  };
}
