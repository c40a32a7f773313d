import { describe, expect, it } from 'vitest';
import { getLexicon as load } from '../../../../shared/ads/catalog/lexicon.ts';
import { DemandIndex } from '../../../../shared/matching/inventory/demand-index.ts';
import { buildMatchingProfile } from '../../../../shared/matching/inventory/matching-profile.ts';
import { getCampaignFeatures, KeywordMatcher } from '../../../../shared/matching/ranking/keyword-matcher.ts';
import { QueryTerms } from '../../../../shared/matching/ranking/query-terms.ts';
import { computeLogOdds, scoreContext } from '../../../../shared/matching/ranking/relevance.ts';
import { TermPositions } from '../../../../shared/matching/ranking/term-positions.ts';
import { ArrayPool } from '../../../../shared/matching/reading/arrays.ts';
import { type ConversationReading, readConversation } from '../../../../shared/matching/reading/read-conversation.ts';
import { generateConversation, generateMarket } from '../../../../tools/bench/market.ts';

const lexicon = load();
const market = generateMarket(2_000);
const demand = new DemandIndex(lexicon);
for (const { id, audience, ceiling } of market.campaigns)
  demand.set(id, buildMatchingProfile(audience, lexicon), ceiling);
const readings = [60, 200, 1_200, 4_000].flatMap((length) =>
  Array.from({ length: 10 }, () => readConversation(generateConversation(market, length), lexicon)),
);

/** For every campaign that a search can find, its log-odds and the bound of the first list that contains it. */
function* found(reading: ConversationReading) {
  const pool = new ArrayPool();
  const positions = new TermPositions(demand.terms, reading, pool);
  const keywords = new KeywordMatcher(demand, reading, positions);
  const score = scoreContext(reading);
  const query = new QueryTerms(demand, reading, positions, score, pool);
  const seen = new Set<number>();
  for (let rank = 0; rank < query.count; rank++) {
    const postings = demand.postings(query.list(rank));
    const bound = computeLogOdds(query.boundFrom(rank), 1, reading, score);
    for (let position = 0; position < postings.length; position++) {
      const slot = postings.slotAt(position);
      if (seen.has(slot)) continue;
      seen.add(slot);
      yield { bound, odds: computeLogOdds(getCampaignFeatures(demand, slot, reading, keywords), 1, reading, score) };
    }
  }
  positions.release();
}

describe('The bound of a query term', () => {
  it('is at least the score of every campaign that no stronger term has found', () => {
    const all = readings.flatMap((reading) => [...found(reading)]);
    expect(all.length).toBeGreaterThan(10_000);
    expect(all.filter(({ odds, bound }) => odds > bound + 1e-6)).toEqual([]);
  });

  it('decreases from term to term, by more than one log-odd in total', () => {
    const falls = readings.map((reading) => {
      const bounds = [...found(reading)].map(({ bound }) => bound);
      expect(bounds).toEqual(bounds.toSorted((a, b) => b - a));
      return bounds[0]! - bounds.at(-1)!;
    });
    expect(Math.min(...falls.slice(-10))).toBeGreaterThan(1);
  });
});
