import type { Campaign } from '../../campaigns/campaign.ts';
import type { MatchedTerm } from '../../matching/index.ts';
import type { Issued, RecordedTerms } from './bid.ts';

/** Keeps a bid within 1 KB (one write unit). */
const MAX_TERM_BYTES = 150;

/** Matched terms for a new bid: phrases as texts, keywords as indexes, because the catalog has no keyword texts. */
export function toTerms(matched: readonly MatchedTerm[]): Pick<Issued, 'terms' | 'keywords'> {
  const keywords = matched.flatMap((term) => (term.kind === 'keyword' ? term.keyword : []));
  const phrases = matched.flatMap((match) => (match.kind === 'keyword' ? [] : match.term));
  return { terms: cutTerms({ phrases }), ...(keywords.length > 0 && { keywords }) };
}

/**
 * Adds the keyword texts to the terms of a served bid, unless the campaign changed since the auction: its keyword indexes may differ.
 * Drops the terms of older records, which were conversation text.
 */
export function toServedTerms(
  { terms, keywords = [], campaignVersion }: Pick<Issued, 'terms' | 'keywords' | 'campaignVersion'>,
  { version, targetAudience }: Pick<Campaign, 'version' | 'targetAudience'>,
): RecordedTerms {
  if (Array.isArray(terms)) return {};
  if (campaignVersion !== version) return terms;
  return cutTerms({ ...terms, keywords: keywords.flatMap((number) => targetAudience.keywords[number] ?? []) });
}

/** Truncates the terms to MAX_TERM_BYTES, keywords first. */
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
