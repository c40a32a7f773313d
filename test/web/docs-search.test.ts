import MiniSearch from 'minisearch';
import { expect, it } from 'vitest';
import { renderDocuments } from '../../infra/site/documents.ts';
import { find } from '../../web/docs/find.ts';

const { options, index } = JSON.parse(String(new Map(await renderDocuments()).get('assets/search.json')));
const search = MiniSearch.loadJS(index, options);

/** Questions of people who have not read the documents, with the document that answers them. */
const QUESTIONS: readonly [query: string, document: string][] = [
  ['how to verify a webhook', 'events'],
  ['verify webhook signature', 'events'],
  ['retry failed events', 'events'],
  ['how do I get paid', 'concepts'],
  ['payout', 'concepts'],
  ['invoice', 'concepts'],
  ['how am I billed', 'concepts'],
  ['create an api key', 'publisher'],
  ['show an ad in my chatbot', 'publisher'],
  ['create a campaign', 'advertiser'],
  ['deploy to aws', 'operator'],
  ['429 too many requests', 'errors'],
  ['why do I get no ad', 'why-no-ad'],
  ['bid is null', 'why-no-ad'],
  ['openrtb', 'openrtb'],
  ['move from the old api', 'migration'],
  ['gdpr consent', 'privacy'],
  ['coppa children', 'privacy'],
  ['cloudflare worker', 'edge'],
  ['what is cpm', 'glossary'],
  ['record a conversion', 'conversions'],
  ['idempotency key', 'api'],
  ['rate limit', 'api'],
  ['test mode', 'publisher'],
  ['trusted match', 'trusted-match'],
];

it('finds the document that answers a question among the first three, for 23 of 25 questions', () => {
  const missed = QUESTIONS.filter(([query, document]) => {
    const documents = find(search, query).map(({ id }) => id.replace('/docs/', '').replace(/#.*/, ''));
    return !documents.slice(0, 3).includes(document);
  });
  expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(2);
});

it('highlights words of the subject, not of the question', () => {
  const terms = find(search, 'how to verify a webhook').flatMap((result) => result.terms);
  expect(terms).not.toContain('a');
  expect(terms).not.toContain('to');
});
