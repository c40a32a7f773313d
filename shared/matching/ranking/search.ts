import type { DemandIndex } from '../inventory/demand-index.ts';
import { OTHER, OTHER_BY_GUESS, SAME } from '../inventory/language-sets.ts';
import type { ConversationReading } from '../reading/reading.ts';
import { campaignFeatures } from './campaign-features.ts';
import type { KeywordMatcher } from './keywords.ts';
import { RELEVANCE_MODEL } from './model.ts';
import { MOST_LIKENESS, type QueryTerms } from './query-terms.ts';
import { logOdds, relevanceOf } from './relevance.ts';
import { closenessOf, type ScoredCampaign, TopK } from './top-k.ts';

/** Campaigns that are asked for bids in one match, at most: bounds the time when thousands have the same words and the same price. */
const MOST_BIDDERS = 100;
/** And of those in the posting list of one query term. */
const MOST_BIDDERS_PER_TERM = 60;
/**
 * Campaigns that are not relevant enough do not count as bidders, or those with high ceilings that fit badly would hide the one that
 * fits. They have bounds of their own: wide ones while nobody bids, narrower ones beside a campaign that does. A conversation of few
 * words has few query terms, shared by many campaigns, and time to look further down each list. On generated markets of 10,000 and
 * 100,000 an exhaustive search finds a bid for 2,151 of 2,400 conversations of 0.8 to 2.5 KB, this one for 2,067, and one of 300 instead
 * of 200 for 2,086.
 */
const LOSERS_WITHOUT_BID = { most: 2000, fewerPerTerm: 9, least: 200, leastPerTerm: 60 };
const LOSERS = { most: 1000, fewerPerTerm: 6, least: 50, leastPerTerm: 2 };

/** How many campaigns may lose in a search of so many query terms: in all, and in the list of one of them. */
function mostLosers({ most, fewerPerTerm, least, leastPerTerm }: typeof LOSERS, terms: number) {
  const all = Math.max(least, most - fewerPerTerm * terms);
  return { all, perTerm: Math.max(leastPerTerm, all / terms) };
}

/** Those that the caller refuses (another country, no budget) make room for others, up to a bound too. */
const MOST_REFUSALS = 5000;
/**
 * Campaigns in other languages than the conversation's cannot bid. Some are scored all the same, since they may be why nobody bids; the
 * others are passed over, in a time that is bounded too.
 */
const MOST_FOREIGN = { scored: 20, passed: 5000 };
const BATCH_SIZE = 32;
/** Campaigns of a list that are fetched from memory together. */
const FETCHED = 8;

/** A campaign that may be relevant enough, before the caller is asked for its bid. */
interface PendingCandidate {
  slot: number;
  relevance: number;
  /** The most that its bid x relevance can be. */
  mostScore: number;
  exclusions: number;
  closeness: number;
}

/** One conversation, the campaigns, and what gives their bids. */
interface SearchInput {
  demand: DemandIndex;
  reading: ConversationReading;
  keywords: KeywordMatcher;
  /** What the conversation as a whole adds to every campaign's log-odds. */
  contextScore: number;
  bid(id: string, relevance: number): number;
  limit: number;
  threshold: number | undefined;
}

/** The search for the `limit` best campaigns; `match` is a number that no search before had. */
export class TopKSearch {
  readonly #input: SearchInput;
  readonly #match: number;
  readonly #topK: TopK;
  #biddersLeft = MOST_BIDDERS;
  readonly #query: QueryTerms;
  /** How many may lose while nobody bids, and beside a campaign that does. */
  readonly #mostLosersWithoutBid: ReturnType<typeof mostLosers>;
  readonly #mostLosers: ReturnType<typeof mostLosers>;
  #lost = 0;
  /** See `DemandIndex.fetch`. */
  #fetched = 0;
  #refusalsLeft = MOST_REFUSALS;
  #foreignToScore = MOST_FOREIGN.scored;
  #foreignToPass = MOST_FOREIGN.passed;
  /** By set of languages, how it fits the conversation's. */
  readonly #fits: Uint8Array;
  /** Log-odds that are known to lose: the threshold only rises. Spares calibrating most of them. */
  #losingLogOdds = Number.NEGATIVE_INFINITY;
  /** The caller is asked in batches, best first, so that most campaigns need not be asked at all. */
  readonly #batch: PendingCandidate[] = [];

  constructor(input: SearchInput, query: QueryTerms, match: number) {
    this.#input = input;
    this.#query = query;
    this.#mostLosersWithoutBid = mostLosers(LOSERS_WITHOUT_BID, query.count);
    this.#mostLosers = mostLosers(LOSERS, query.count);
    this.#match = match;
    this.#topK = new TopK(input.limit, input.threshold);
    this.#fits = input.demand.languages.fits(input.reading.language);
  }

  /**
   * Query terms are taken in order of strength and each one's campaigns in order of ceiling, so that a campaign not yet seen can at
   * best have its ceiling times the relevance that the remaining terms give: once that is not above the last of the best, the rest of
   * the list need not be looked at. No term takes all the bidders: a rare word's campaigns are looked at however many share the topic.
   */
  run(): ScoredCampaign[] {
    for (let rank = 0; rank < this.#query.count && this.#biddersLeft > 0 && !this.#outOfSteps(this.#lost); rank++)
      this.#searchList(rank);
    return this.#topK.candidates();
  }

  #searchList(rank: number): void {
    const query = this.#query;
    const { demand, reading, contextScore } = this.#input;
    const bound = query.boundFrom(rank);
    const mostRelevance = relevanceOf(logOdds(bound, MOST_LIKENESS, reading, contextScore));
    const postings = demand.postings(query.list(rank));
    const leftAfter = Math.max(0, this.#biddersLeft - MOST_BIDDERS_PER_TERM);
    const lost = this.#lost;
    let equals = 0;
    let end = 0;
    for (let position = 0; position < postings.length && !this.#outOfSteps(lost); position++) {
      if (position === end) {
        equals = position;
        end = postings.endOfEqualCeilings(position, demand.slots);
      }
      if (this.#biddersLeft - this.#batch.length <= leftAfter) this.#askBids();
      if (this.#biddersLeft <= leftAfter) break;
      if (mostRelevance < this.#topK.threshold && this.#topK.isFull) break;
      if (position % FETCHED === 0) this.#fetched += demand.fetch(postings, position, position + FETCHED);
      const slot = postings.slotAt(this.#rotated(position, equals, end));
      const ceiling = demand.slots.ceiling(slot);
      if (ceiling * mostRelevance <= this.#topK.leastScore) break;
      if (!demand.slots.markVisited(slot, this.#match)) continue;
      const fit = this.#fits[demand.languages.of(slot)]!;
      if (fit === OTHER && this.#foreignToScore-- <= 0) {
        if (this.#foreignToPass-- > 0) continue;
        break;
      }
      this.#score(slot, ceiling, fit);
      if (this.#batch.length === BATCH_SIZE) this.#askBids();
    }
    this.#askBids();
  }

  /** Campaigns of equal ceiling, at the positions from `start` to before `end`, begin with another one each match. */
  #rotated(position: number, start: number, end: number): number {
    if (end - start === 1) return position;
    const rotated = position + ((this.#match >>> 0) % (end - start));
    return rotated < end ? rotated : rotated - end + start;
  }

  /** Whether enough have lost, in all or since `lost` had. */
  #outOfSteps(lost: number): boolean {
    const { all, perTerm } = this.#topK.hasBids ? this.#mostLosers : this.#mostLosersWithoutBid;
    return this.#lost >= all || this.#lost - lost >= perTerm;
  }

  #score(slot: number, ceiling: number, fit: number): void {
    const { demand, reading, keywords, contextScore } = this.#input;
    const features = campaignFeatures(demand, slot, reading, keywords);
    const atMost = logOdds(features, MOST_LIKENESS, reading, contextScore);
    // Most campaigns lose however like they are, and their vectors need not be fetched.
    if (atMost <= this.#losingLogOdds && !this.#topK.keepsLosers) {
      this.#lost++;
      return;
    }
    const likeness = demand.vectors.likeness(slot, reading.vector);
    const guessed = fit === OTHER_BY_GUESS ? RELEVANCE_MODEL.leniency.otherGuess : 0;
    const odds = guessed + logOdds(features, likeness, reading, contextScore);
    const relevance = relevanceOf(odds);
    if (fit === OTHER) this.#topK.addForeign(slot, relevance);
    else if (relevance < this.#topK.threshold) {
      this.#losingLogOdds = Math.max(this.#losingLogOdds, odds);
      this.#loseBelowThreshold(slot, relevance);
    } else
      this.#batch.push({
        slot,
        relevance,
        mostScore: ceiling * relevance,
        exclusions: features.exclusions,
        closeness: closenessOf(fit === SAME, features.keywords.latest, likeness),
      });
  }

  #loseBelowThreshold(slot: number, relevance: number): void {
    this.#lost++;
    this.#topK.addBelowThreshold(slot, relevance);
  }

  #askBids(): void {
    if (this.#batch.length === 0) return;
    const { demand, keywords, bid } = this.#input;
    const topK = this.#topK;
    for (const { slot, relevance, mostScore, exclusions, closeness } of this.#batch.sort(
      (a, b) => b.mostScore - a.mostScore,
    )) {
      if (mostScore <= topK.leastScore) this.#lost++;
      else if (relevance < topK.threshold) this.#loseBelowThreshold(slot, relevance);
      else if (keywords.excluded(exclusions)) {
        this.#lost++;
        topK.addLoser(slot, relevance, 'excluded_keyword');
      } else {
        const offered = Math.min(bid(demand.id(slot), relevance), demand.slots.ceiling(slot));
        const took = topK.addBid(slot, relevance, offered, closeness);
        if (took || this.#refusalsLeft-- <= 0) this.#biddersLeft--;
      }
    }
    this.#batch.length = 0;
  }
}
