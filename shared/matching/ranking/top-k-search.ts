import type { DemandIndex } from '../inventory/demand-index.ts';
import { OTHER_LANGUAGE, SAME_LANGUAGE } from '../inventory/language-sets.ts';
import { findNearestTopics } from '../lexicon/vectors.ts';
import type { ConversationReading } from '../reading/read-conversation.ts';
import type { KeywordMatcher } from './keyword-matcher.ts';
import { getCampaignFeatures } from './keyword-matcher.ts';
import { MAX_LIKENESS, type QueryTerms } from './query-terms.ts';
import { computeLogOdds, scoreNeed, toRelevance } from './relevance.ts';
import { RELEVANCE_MODEL } from './relevance-model.ts';
import { type ScoredCampaign, TopK, type TopKLimits, toCloseness } from './top-k.ts';

/**
 * Maximum number of campaigns asked for bids in one match. Bounds the time when thousands have the same words and the
 * same price.
 */
const MAX_BIDDERS = 100;
/** Maximum number of bidders from one query term's posting list. */
const MAX_BIDDERS_PER_TERM = 60;
/**
 * Limits on campaigns below the threshold, separate from the bidder limits; otherwise campaigns with a high ceiling and a bad fit would hide
 * the one that fits. The limits are wide until a campaign bids, then narrower. A short conversation has few query terms, shared by many
 * campaigns, and leaves time to walk each list further. On generated markets of 10,000 and 100,000 campaigns, an exhaustive search finds a
 * bid for 2,151 of 2,400 conversations of 0.8 to 2.5 KB; this one finds 2,067, or 2,086 with 300 instead of 200.
 */
const LOSERS_WITHOUT_BID = { max: 2000, fewerPerTerm: 9, min: 200, minPerTerm: 60 };
const LOSERS = { max: 1000, fewerPerTerm: 6, min: 50, minPerTerm: 2 };

/** How many campaigns may lose in a search with this many query terms: in all, and in one term's list. */
function toMaxLosers({ max, fewerPerTerm, min, minPerTerm }: typeof LOSERS, terms: number) {
  const all = Math.max(min, max - fewerPerTerm * terms);
  return { all, perTerm: Math.max(minPerTerm, all / terms) };
}

/** Campaigns that the caller refuses (another country, no budget) make room for others, up to this number. */
const MAX_REFUSALS = 5000;
/**
 * Campaigns in other languages cannot bid. Some are scored anyway, to explain a result without bids; the others are
 * skipped, up to a limit.
 */
const MAX_OTHER_LANGUAGE = { scored: 20, passed: 5000 };
/**
 * Campaigns compared with the conversation by meaning, and scored whatever words they share with it. A market of at most `compared`
 * campaigns is compared whole; of a larger one, the groups of the topics that are nearest to the conversation.
 */
const NEAREST = { compared: 600, groups: 6, scored: 8 };
const BATCH_SIZE = 32;
/** Campaigns of a list that are prefetched together. */
const PREFETCH_SIZE = 8;

/** A campaign that may be relevant enough, before its bid is requested. */
interface PendingCandidate {
  slot: number;
  relevance: number;
  /** Upper bound of its bid x relevance. */
  maxScore: number;
  exclusions: number;
  closeness: number;
}

/** The conversation, the campaigns, and the source of their bids. */
interface SearchInput extends TopKLimits {
  demand: DemandIndex;
  reading: ConversationReading;
  keywords: KeywordMatcher;
  /** Log-odds the conversation adds to every campaign. */
  contextScore: number;
  bid(id: string, relevance: number): number;
}

/** Searches for the `limit` best campaigns. `match` must differ from that of every earlier search. */
export class TopKSearch {
  readonly #input: SearchInput;
  readonly #match: number;
  readonly #topK: TopK;
  #biddersLeft = MAX_BIDDERS;
  readonly #query: QueryTerms;
  /** Maximum number of losers before the first bid, and after it. */
  readonly #maxLosersWithoutBid: ReturnType<typeof toMaxLosers>;
  readonly #maxLosers: ReturnType<typeof toMaxLosers>;
  #lostCount = 0;
  /** See `DemandIndex.prefetch`. */
  #prefetchSink = 0;
  #refusalsLeft = MAX_REFUSALS;
  #otherLanguageToScore = MAX_OTHER_LANGUAGE.scored;
  #otherLanguageToSkip = MAX_OTHER_LANGUAGE.passed;
  /** How each set of languages compares with the conversation's language. */
  readonly #languageFits: Uint8Array;
  /** Log-odds known to lose; they stay losing because the threshold only rises. Avoids the exponential for most campaigns. */
  #losingLogOdds = Number.NEGATIVE_INFINITY;
  /** Bids are requested in batches, best first, so most campaigns are never asked. */
  readonly #batch: PendingCandidate[] = [];

  constructor(input: SearchInput, query: QueryTerms, match: number) {
    this.#input = input;
    this.#query = query;
    this.#maxLosersWithoutBid = toMaxLosers(LOSERS_WITHOUT_BID, query.count);
    this.#maxLosers = toMaxLosers(LOSERS, query.count);
    this.#match = match;
    this.#topK = new TopK(input);
    this.#languageFits = input.demand.languages.compareWith(input.reading.language);
  }

  /**
   * Walks the query terms by strength, and the campaigns of each by ceiling. An unseen campaign scores at most its
   * ceiling times the relevance that the remaining terms allow. Once that is not above the lowest of the top k, the
   * rest of the list is skipped. No term uses all bidders, which leaves room for a rare word's campaigns when many
   * share the topic.
   */
  run(): ScoredCampaign[] {
    for (
      let rank = 0;
      rank < this.#query.count && this.#biddersLeft > 0 && !this.#hasLostEnough(this.#lostCount);
      rank++
    )
      this.#searchList(rank);
    this.#scoreNearest();
    return this.#topK.candidates();
  }

  /** Whether no campaign bids, and only the threshold keeps this one from it: a publisher with the lowest one would ask for its bid. */
  isHeldBack({ slot, relevance, outcome }: ScoredCampaign): boolean {
    if (this.#topK.hasBids || outcome !== 'below_threshold' || relevance < RELEVANCE_MODEL.thresholds.open)
      return false;
    const { demand, reading, keywords } = this.#input;
    if (this.#languageFits[demand.languages.get(slot)] === OTHER_LANGUAGE) return false;
    return !keywords.hasExcludedKeyword(getCampaignFeatures(demand, slot, reading, keywords).exclusions);
  }

  #searchList(rank: number): void {
    const query = this.#query;
    const { demand, reading, contextScore } = this.#input;
    const bound = query.boundFrom(rank);
    const maxRelevance = toRelevance(computeLogOdds(bound, MAX_LIKENESS, reading, contextScore));
    const postings = demand.postings(query.list(rank));
    const leftAfter = Math.max(0, this.#biddersLeft - MAX_BIDDERS_PER_TERM);
    const lostBefore = this.#lostCount;
    let equalsStart = 0;
    let equalsEnd = 0;
    for (let position = 0; position < postings.length && !this.#hasLostEnough(lostBefore); position++) {
      if (position === equalsEnd) {
        equalsStart = position;
        equalsEnd = postings.findEndOfEqualCeilings(position, demand.slots);
      }
      if (this.#biddersLeft - this.#batch.length <= leftAfter) this.#askBids();
      if (this.#biddersLeft <= leftAfter) break;
      if (maxRelevance < this.#topK.threshold && this.#topK.isFull) break;
      if (position % PREFETCH_SIZE === 0)
        this.#prefetchSink += demand.prefetch(postings, position, position + PREFETCH_SIZE);
      const slot = postings.slotAt(this.#rotate(position, equalsStart, equalsEnd));
      const ceiling = demand.slots.ceiling(slot);
      if (ceiling * maxRelevance <= this.#topK.minScore) break;
      if (!demand.slots.markVisited(slot, this.#match)) continue;
      const fit = this.#languageFits[demand.languages.get(slot)]!;
      if (fit === OTHER_LANGUAGE && this.#otherLanguageToScore-- <= 0) {
        if (this.#otherLanguageToSkip-- > 0) continue;
        break;
      }
      this.#score(slot, ceiling, fit);
      if (this.#batch.length === BATCH_SIZE) this.#askBids();
    }
    this.#askBids();
  }

  /** Rotates campaigns of equal ceiling, from `start` up to `equalsEnd`, so each match begins with a different one. */
  #rotate(position: number, start: number, equalsEnd: number): number {
    if (equalsEnd - start === 1) return position;
    const rotated = position + ((this.#match >>> 0) % (equalsEnd - start));
    return rotated < equalsEnd ? rotated : rotated - equalsEnd + start;
  }

  /** Whether enough campaigns lost, in total or since the count was `lostBefore`. */
  #hasLostEnough(lostBefore: number): boolean {
    const { all, perTerm } = this.#topK.hasBids ? this.#maxLosers : this.#maxLosersWithoutBid;
    return this.#lostCount >= all || this.#lostCount - lostBefore >= perTerm;
  }

  /**
   * Scores the campaigns whose meaning is nearest to the conversation's, if the user wishes for something and no campaign that shares its
   * words fits.
   */
  #scoreNearest(): void {
    const { demand, reading, keywords } = this.#input;
    const topK = this.#topK;
    const fits = (likeness: number) => toRelevance(scoreNeed(likeness, reading)) >= RELEVANCE_MODEL.thresholds.open;
    // With `relativeThreshold` 0, campaigns are measured independently of each other.
    const best = this.#input.relativeThreshold === 0 ? 0 : topK.bestRelevance;
    if (best >= RELEVANCE_MODEL.thresholds.balanced || !fits(MAX_LIKENESS)) return;
    for (const { slot, likeness } of this.#findNearest()) {
      const fit = this.#languageFits[demand.languages.get(slot)]!;
      const relevance = toRelevance(scoreNeed(likeness, reading));
      if (!fits(likeness) || relevance <= best || !topK.take(slot, relevance)) continue;
      if (relevance < topK.threshold) topK.addBelowThreshold(slot, relevance);
      else {
        const { exclusions } = getCampaignFeatures(demand, slot, reading, keywords);
        const maxScore = demand.slots.ceiling(slot) * relevance;
        const closeness = toCloseness(fit === SAME_LANGUAGE, 0, likeness);
        this.#batch.push({ slot, relevance, maxScore, exclusions, closeness });
      }
    }
    this.#askBids();
  }

  /** The campaigns with the highest likeness, best first. */
  #findNearest(): { slot: number; likeness: number }[] {
    const { demand, reading, relativeThreshold, limit } = this.#input;
    const { lexicon } = demand;
    const isComparedWhole = demand.size <= NEAREST.compared;
    const groups = isComparedWhole ? lexicon.topics.keys() : findNearestTopics(reading.vector, NEAREST.groups, lexicon);
    const scored = relativeThreshold === 0 ? Math.max(limit, NEAREST.scored) : NEAREST.scored;
    const nearest: { slot: number; likeness: number }[] = [];
    // No group takes the comparisons of the others.
    const perGroup = isComparedWhole ? NEAREST.compared : NEAREST.compared / NEAREST.groups;
    for (const topic of groups) {
      const postings = demand.postings(demand.meaningList(topic));
      const compared = Math.min(postings.length, perGroup);
      for (let position = 0; position < compared; position++) {
        const slot = postings.slotAt(position);
        if (this.#languageFits[demand.languages.get(slot)] === OTHER_LANGUAGE) continue;
        const likeness = demand.vectors.likeness(slot, reading.vector);
        if (nearest.length === scored && likeness <= nearest.at(-1)!.likeness) continue;
        const place = nearest.findLastIndex((other) => other.likeness >= likeness) + 1;
        nearest.splice(place, 0, { slot, likeness });
        nearest.length = Math.min(nearest.length, scored);
      }
    }
    return nearest;
  }

  #score(slot: number, ceiling: number, fit: number): void {
    const { demand, reading, keywords, contextScore } = this.#input;
    const features = getCampaignFeatures(demand, slot, reading, keywords);
    const maxOdds = computeLogOdds(features, MAX_LIKENESS, reading, contextScore);
    // Most campaigns lose whatever their likeness, so their vectors need not be fetched.
    if (maxOdds <= this.#losingLogOdds && !this.#topK.hasRoomForLosers) {
      this.#lostCount++;
      return;
    }
    const likeness = demand.vectors.likeness(slot, reading.vector);
    const odds = computeLogOdds(features, likeness, reading, contextScore);
    const relevance = toRelevance(odds);
    if (fit === OTHER_LANGUAGE) this.#topK.addOtherLanguage(slot, relevance);
    else if (relevance < this.#topK.threshold) {
      this.#losingLogOdds = Math.max(this.#losingLogOdds, odds);
      this.#loseBelowThreshold(slot, relevance);
    } else
      this.#batch.push({
        slot,
        relevance,
        maxScore: ceiling * relevance,
        exclusions: features.exclusions,
        closeness: toCloseness(fit === SAME_LANGUAGE, features.keywords.latest, likeness),
      });
  }

  #loseBelowThreshold(slot: number, relevance: number): void {
    this.#lostCount++;
    this.#topK.addBelowThreshold(slot, relevance);
  }

  #askBids(): void {
    if (this.#batch.length === 0) return;
    const { demand, keywords, bid } = this.#input;
    const topK = this.#topK;
    for (const { slot, relevance, maxScore, exclusions, closeness } of this.#batch.sort(
      (a, b) => b.maxScore - a.maxScore,
    )) {
      if (maxScore <= topK.minScore) this.#lostCount++;
      else if (relevance < topK.threshold) this.#loseBelowThreshold(slot, relevance);
      else if (keywords.hasExcludedKeyword(exclusions)) {
        this.#lostCount++;
        topK.addLoser(slot, relevance, 'excluded_keyword');
      } else {
        const offer = Math.min(bid(demand.id(slot), relevance), demand.slots.ceiling(slot));
        const isBidder = topK.addBid(slot, relevance, offer, closeness);
        if (isBidder || this.#refusalsLeft-- <= 0) this.#biddersLeft--;
      }
    }
    this.#batch.length = 0;
  }
}
