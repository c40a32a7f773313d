import { type Term, toTerm } from '../../budgets/term-counts.ts';
import type { Campaign } from '../../campaigns/campaign.ts';
import type { MatchedTerm } from '../../matching/index.ts';
import { isReportableTopic } from '../../platform/values/sensitive-topics.ts';
import type { Issued, RecordedTerms, Served } from './bid.ts';

/** Keeps a bid within 1 KB (one write unit). */
const MAX_TERM_BYTES = 150;

/** Matched terms for a new bid: phrases as texts, keywords as indexes, because the catalog has no keyword texts. */
export function toTerms(matched: readonly MatchedTerm[]): Pick<Issued, 'terms' | 'keywords'> {
  const keywords = matched.flatMap((term) => (term.kind === 'keyword' ? term.keyword : []));
  const others = matched.flatMap((match) => (match.kind === 'keyword' ? [] : match));
  const phrases = others.map(({ term }) => term);
  const reportable = others.flatMap((match, at) =>
    match.kind === 'phrase' && match.topics.every(isReportableTopic) ? at : [],
  );
  return { terms: cutTerms({ phrases, reportable }), ...(keywords.length > 0 && { keywords }) };
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

/** The terms of a served bid that reports may name. */
export function listReportableTerms({ terms }: Pick<Served, 'terms'>): Term[] {
  if (Array.isArray(terms)) return [];
  const { keywords = [], phrases = [], reportable = [] } = terms;
  return [
    ...keywords.map((keyword) => toTerm('keyword', keyword)),
    ...reportable.flatMap((at) => phrases[at] ?? []).map((phrase) => toTerm('phrase', phrase)),
  ];
}

/** Truncates the terms to MAX_TERM_BYTES, keywords first. The first terms of a list are kept, so indexes stay valid. */
function cutTerms({ keywords = [], phrases = [], reportable = [] }: RecordedTerms): RecordedTerms {
  let left = MAX_TERM_BYTES;
  const fits = (term: string): boolean => {
    left -= Buffer.byteLength(term);
    return left >= 0;
  };
  const kept = { keywords: keywords.filter(fits), phrases: phrases.filter(fits) };
  const shown = reportable.filter((at) => at < kept.phrases.length);
  return {
    ...(kept.keywords.length > 0 && { keywords: kept.keywords }),
    ...(kept.phrases.length > 0 && { phrases: kept.phrases }),
    ...(shown.length > 0 && { reportable: shown }),
  };
}
