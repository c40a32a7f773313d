import { AFFINITY_BANDS, getBandAffinity } from '../inventory/campaign-record.ts';
import type { DemandIndex } from '../inventory/demand-index.ts';
import { type ArrayPool, orderDescending } from '../reading/arrays.ts';
import type { ConversationReading } from '../reading/read-conversation.ts';
import { type CampaignSignals, computeLogOdds, NO_KEYWORD_FEATURES, scoreTopic } from './relevance.ts';
import type { TermPositions } from './term-positions.ts';

/** The assumed likeness of a campaign that is not read yet. */
export const MAX_LIKENESS = 1;

/** Flags for the keyword features that are 0 or 1. */
const REQUESTED = 1;
const LATEST = 2;
const UNKNOWN = 4;

/**
 * The conversation as a query: its topics, by affinity band, and its keyword terms. Each query term has a posting list and bounds on the
 * scores of its campaigns. Terms are ranked by the log-odds at these bounds, best first. Stored as columns, because a match has hundreds of
 * terms and uses few.
 */
export class QueryTerms {
  count = 0;
  readonly #lists: Int32Array;
  readonly #scores: Float64Array;
  readonly #latest: Float64Array;
  readonly #evidence: Float64Array;
  readonly #coverage: Float64Array;
  readonly #keywords: Float64Array;
  readonly #logOdds: Float64Array;
  /** By rank, the index of the query term, and the largest bounds at that rank or later. */
  readonly #order: Int32Array;
  readonly #maxScore: Float64Array;
  readonly #maxLatest: Float64Array;
  readonly #maxEvidence: Float64Array;
  readonly #maxCoverage: Float64Array;
  readonly #maxKeywords: Float64Array;
  /** By term, the possible flags of keywords that contain it; by rank, the union of these flags from that rank on. */
  readonly #flags: Uint8Array;
  readonly #anyFlags: Uint8Array;

  constructor(
    demand: DemandIndex,
    reading: ConversationReading,
    positions: TermPositions,
    contextScore: number,
    pool: ArrayPool,
  ) {
    const capacity = AFFINITY_BANDS * countNonZero(reading.evidence) + positions.count;
    this.#lists = pool.int32(capacity);
    this.#scores = pool.float64(capacity);
    this.#latest = pool.float64(capacity);
    this.#evidence = pool.float64(capacity);
    this.#coverage = pool.float64(capacity);
    this.#keywords = pool.float64(capacity);
    this.#logOdds = pool.float64(capacity);
    this.#flags = pool.uint8(capacity);
    this.#addTopics(demand, reading, contextScore);
    this.#addKeywordTerms(demand, reading, positions, contextScore);
    this.#order = orderDescending(this.#logOdds, this.count, pool);
    this.#maxScore = pool.float64(this.count);
    this.#maxLatest = pool.float64(this.count);
    this.#maxEvidence = pool.float64(this.count);
    this.#maxCoverage = pool.float64(this.count);
    this.#maxKeywords = pool.float64(this.count);
    this.#anyFlags = pool.uint8(this.count);
    this.#computeMaxima();
  }

  /** Stores the largest bounds from each rank on. */
  #computeMaxima(): void {
    let [score, latest, evidence, coverage, keywords, flags] = [0, 0, 0, 0, 0, 0];
    for (let rank = this.count - 1; rank >= 0; rank--) {
      const index = this.#order[rank]!;
      this.#maxScore[rank] = score = Math.max(score, this.#scores[index]!);
      this.#maxLatest[rank] = latest = Math.max(latest, this.#latest[index]!);
      this.#maxEvidence[rank] = evidence = Math.max(evidence, this.#evidence[index]!);
      this.#maxCoverage[rank] = coverage = Math.max(coverage, this.#coverage[index]!);
      this.#maxKeywords[rank] = keywords = Math.max(keywords, this.#keywords[index]!);
      this.#anyFlags[rank] = flags |= this.#flags[index]!;
    }
  }

  #addTopics(demand: DemandIndex, reading: ConversationReading, contextScore: number): void {
    const { evidence } = reading;
    for (let topic = 0; topic < evidence.length; topic++) {
      if (evidence[topic] === 0) continue;
      for (let band = 0; band < AFFINITY_BANDS; band++) {
        const list = demand.topicList(topic, band);
        if (demand.postingLists.size(list) === 0) continue;
        const score = scoreTopic(reading, topic, getBandAffinity(band));
        const latest = getBandAffinity(band) * (reading.latest.topics[topic] ?? 0);
        const index = this.count++;
        this.#lists[index] = list;
        this.#scores[index] = score;
        this.#latest[index] = latest;
        const grounds = { topicScore: score, latest, keywords: NO_KEYWORD_FEATURES };
        this.#logOdds[index] = computeLogOdds(grounds, MAX_LIKENESS, reading, contextScore);
      }
    }
  }

  #addKeywordTerms(
    demand: DemandIndex,
    reading: ConversationReading,
    positions: TermPositions,
    contextScore: number,
  ): void {
    const { postingLists } = demand;
    const bound = { ...NO_KEYWORD_FEATURES };
    const grounds = { topicScore: 0, latest: 0, keywords: bound };
    let [evidence, coverage, previousFlags, odds] = [-1, -1, -1, 0];
    for (let termSaid = 0; termSaid < positions.count; termSaid++) {
      const list = demand.termList(positions.term(termSaid));
      if (postingLists.size(list) === 0) continue;
      positions.boundFeatures(termSaid, postingLists.maxKeywordLength(list), bound);
      bound.evidence = positions.weight(termSaid) * postingLists.maxEvidence(list);
      const flags = bound.requested * REQUESTED + bound.latest * LATEST + bound.unknown * UNKNOWN;
      // Neighbors often have the same bounds, for example all words of one assistant message.
      if (bound.evidence !== evidence || bound.coverage !== coverage || flags !== previousFlags) {
        [evidence, coverage, previousFlags] = [bound.evidence, bound.coverage, flags];
        odds = computeLogOdds(grounds, MAX_LIKENESS, reading, contextScore);
      }
      const index = this.count++;
      this.#lists[index] = list;
      this.#evidence[index] = evidence;
      this.#coverage[index] = coverage;
      this.#keywords[index] = postingLists.maxKeywords(list);
      this.#flags[index] = flags;
      this.#logOdds[index] = odds;
    }
  }

  /** The posting list of the query term at a rank; rank 0 is the strongest. */
  list(rank: number): number {
    return this.#lists[this.#order[rank]!]!;
  }

  /** Upper bounds on the signals of any campaign in the lists from a rank on. */
  boundFrom(rank: number): CampaignSignals {
    const flags = this.#anyFlags[rank] ?? 0;
    return {
      topicScore: this.#maxScore[rank] ?? 0,
      latest: this.#maxLatest[rank] ?? 0,
      keywords: {
        // Each keyword of a campaign may be as strong as the strongest, and their evidence combines.
        evidence: 1 - (1 - (this.#maxEvidence[rank] ?? 0)) ** (this.#maxKeywords[rank] ?? 0),
        coverage: this.#maxCoverage[rank] ?? 0,
        requested: flags & REQUESTED ? 1 : 0,
        latest: flags & LATEST ? 1 : 0,
        unknown: flags & UNKNOWN ? 1 : 0,
      },
    };
  }
}

function countNonZero(numbers: Float32Array): number {
  let count = 0;
  for (let i = 0; i < numbers.length; i++) if (numbers[i] !== 0) count++;
  return count;
}
