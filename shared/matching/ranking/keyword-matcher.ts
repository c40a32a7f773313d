import { getHeadOffset, getKeywordLength, getKeywordNumber, getKeywordSalience } from '../inventory/campaign-record.ts';
import type { DemandIndex } from '../inventory/demand-index.ts';
import type { ConversationReading } from '../reading/read-conversation.ts';
import type { KeywordFeatures } from './relevance.ts';
import { type CampaignSignals, scoreTopic } from './relevance.ts';
import { MAX_POSITIONS, MAX_WORDS_BETWEEN, type TermPositions } from './term-positions.ts';

/** Maximum evidence of a keyword that was said in part. */
const PARTIAL_WEIGHT = 0.4;

/**
 * A keyword in a campaign's record: the index of its first term, the index after its last, and the index of its rarest.
 */
interface Keyword {
  first: number;
  end: number;
  head: number;
}

/** Matches campaigns' keywords with a conversation. */
export class KeywordMatcher {
  readonly #demand: DemandIndex;
  readonly #reading: ConversationReading;
  readonly #positions: TermPositions;
  readonly #stepLimit: StepLimit;
  /** End index of the last matched campaign's keywords. */
  end = 0;
  /** The weight at the best position of a keyword, see `#findBestCenter`. */
  #bestWeight = 0;
  /** Reused for every campaign, since a match looks at hundreds. */
  readonly #features: KeywordFeatures = { evidence: 0, coverage: 0, requested: 0, latest: 0, unknown: 0 };
  readonly #keyword: Keyword = { first: 0, end: 0, head: 0 };

  constructor(demand: DemandIndex, reading: ConversationReading, positions: TermPositions) {
    this.#demand = demand;
    this.#reading = reading;
    this.#positions = positions;
    this.#stepLimit = new StepLimit(reading.tokens.length);
  }

  /**
   * Matches the keywords of a campaign, which begin at index `at` of the records. Calls `found` for each keyword that
   * was said in full, with the tokens of its words and its number in the campaign. The next call overwrites the result.
   */
  match(at: number, onKeyword?: (tokens: number[], keyword: number) => void): KeywordFeatures {
    const { records } = this.#demand;
    const positions = this.#positions;
    const features = this.#features;
    const keyword = this.#keyword;
    this.#stepLimit.beginCampaign();
    features.coverage = 0;
    features.requested = 0;
    features.latest = 0;
    features.unknown = 0;
    let absence = 1;
    let partial = 0;
    let start = at;
    for (let left = records.at(start++); left > 0; left--) {
      const header = records.at(start++);
      const length = getKeywordLength(header);
      keyword.first = start;
      keyword.head = start + getHeadOffset(header);
      start += length;
      keyword.end = start;
      // Most keywords end here: their rarest word was not said.
      if (positions.indexOf(records.at(keyword.head)) < 0) continue;
      const saidShare = length === 1 ? 1 : this.#computeSaidShare(keyword);
      const center = saidShare === 1 ? this.#findBestCenter(keyword) : -1;
      if (center < 0) {
        partial = Math.max(partial, this.#computePartialEvidence(keyword, saidShare));
        continue;
      }
      absence *= 1 - this.#bestWeight * getKeywordSalience(this.#demand, keyword.first, length);
      features.coverage = Math.max(features.coverage, this.#computeCoverage(center, keyword));
      positions.addMessageFeatures(center, features);
      onKeyword?.(this.#findTokens(center, keyword), getKeywordNumber(this.#demand, at, keyword.first));
    }
    this.end = start;
    features.evidence = Math.max(1 - absence, PARTIAL_WEIGHT * partial);
    return features;
  }

  /** Whether anyone said one of the campaign's excluded keywords at any time. */
  hasExcludedKeyword(at: number): boolean {
    const { records } = this.#demand;
    this.#stepLimit.beginCampaign();
    let start = at;
    for (let left = records.at(start++); left > 0; left--) {
      const end = start + 1 + records.at(start);
      if (this.#isSaidAnywhere(start + 1, end)) return true;
      start = end;
    }
    return false;
  }

  /** The share of a keyword's words that were said, weighted by rarity. */
  #computeSaidShare({ first, end }: Keyword): number {
    const { records, terms } = this.#demand;
    let all = 0;
    let saidRarity = 0;
    for (let index = first; index < end; index++) {
      const term = records.at(index);
      const rarity = terms.rarity(term);
      all += rarity;
      if (this.#positions.indexOf(term) >= 0) saidRarity += rarity;
    }
    return saidRarity / all;
  }

  /** The evidence of a keyword that was said in part: that of its rarest word at its highest weight. */
  #computePartialEvidence({ head }: Keyword, share: number): number {
    const term = this.#demand.records.at(head);
    return share * this.#demand.terms.rarity(term) * this.#positions.weight(this.#positions.indexOf(term));
  }

  /**
   * Whether all words of a keyword appear together, searching around the least frequent one. If the step limit is exhausted, returns true,
   * since all words were said: an advertiser with exclusions prefers a missed ad to an unwanted one.
   */
  #isSaidAnywhere(first: number, end: number): boolean {
    const { records } = this.#demand;
    const positions = this.#positions;
    let rarest = -1;
    const keyword: Keyword = { first, end, head: first };
    for (let index = first; index < end; index++) {
      const termSaid = positions.indexOf(records.at(index));
      if (termSaid < 0) return false;
      if (rarest >= 0 && positions.frequency(termSaid) >= positions.frequency(rarest)) continue;
      rarest = termSaid;
      keyword.head = index;
    }
    for (let center = positions.newest(rarest); center >= 0; center = positions.older(center)) {
      if (this.#stepLimit.isExhausted) return true;
      if (this.#computePhraseWeight(center, keyword) >= 0) return true;
    }
    return false;
  }

  /**
   * Finds where all words of a keyword appear together, in any order. Returns the token of its rarest word at the best recent place, or -1.
   */
  #findBestCenter(keyword: Keyword): number {
    const positions = this.#positions;
    let best = -1;
    let bestWeight = -1;
    let center = positions.newest(positions.indexOf(this.#demand.records.at(keyword.head)));
    for (let seen = 0; center >= 0 && seen < MAX_POSITIONS && !this.#stepLimit.isExhausted; seen++) {
      const weight = this.#computePhraseWeight(center, keyword);
      if (weight > bestWeight) {
        bestWeight = weight;
        best = center;
      }
      center = positions.older(center);
    }
    this.#bestWeight = bestWeight;
    return best;
  }

  /** The smallest weight of a keyword's words around `center`; -1 if a word is missing. */
  #computePhraseWeight(center: number, keyword: Keyword): number {
    const { tokenWeights } = this.#reading;
    const { first, end, head } = keyword;
    let least = tokenWeights[center] ?? 0;
    this.#stepLimit.take(1);
    for (let index = first; index < end; index++) {
      if (index === head) continue;
      const token = this.#findNearest(center, index, keyword);
      this.#stepLimit.take(token < 0 ? end - first : Math.abs(token - center));
      if (token < 0) return -1;
      least = Math.min(least, tokenWeights[token] ?? 0);
    }
    return least;
  }

  /** The tokens of a keyword's words around `center`, where all of them appear. */
  #findTokens(center: number, keyword: Keyword): number[] {
    const tokens: number[] = [];
    for (let index = keyword.first; index < keyword.end; index++) tokens.push(this.#findToken(index, center, keyword));
    return tokens;
  }

  /** The share of the message's content that the keyword's words cover. */
  #computeCoverage(center: number, keyword: Keyword): number {
    const { contentShares } = this.#reading;
    let coverage = 0;
    for (let index = keyword.first; index < keyword.end; index++)
      coverage += contentShares[this.#findToken(index, center, keyword)] ?? 0;
    return coverage;
  }

  #findToken(index: number, center: number, keyword: Keyword): number {
    return index === keyword.head ? center : this.#findNearest(center, index, keyword);
  }

  /** The token of the term at `index` of the records that is nearest to `center`, within the keyword's reach; or -1. */
  #findNearest(center: number, index: number, { first, end }: Keyword): number {
    return this.#positions.nearest(center, this.#demand.records.at(index), end - first + MAX_WORDS_BETWEEN);
  }
}

/** Steps that every match may take, and further steps per word of the conversation. */
const BASE_STEPS = 1_000_000;
const STEPS_PER_WORD = 100;
/** Maximum share of all steps for one campaign, so one advertiser's keywords cannot starve the others. */
const CAMPAIGN_SHARE = 1 / 50;

/**
 * Bounds the steps that a match takes to find keywords: an advertiser may have hundreds of keywords of fifty words, and
 * a caller may repeat all these words a thousand times. Ordinary keywords take a few hundred steps.
 */
class StepLimit {
  readonly #perCampaign: number;
  #left: number;
  /** Value of `#left` at which the current share is used up. */
  #end = 0;

  constructor(words: number) {
    this.#left = BASE_STEPS + STEPS_PER_WORD * words;
    this.#perCampaign = this.#left * CAMPAIGN_SHARE;
  }

  get isExhausted(): boolean {
    return this.#left <= this.#end;
  }

  beginCampaign(): void {
    this.#end = Math.max(0, this.#left - this.#perCampaign);
  }

  take(steps: number): void {
    this.#left -= steps;
  }
}

/** How well one campaign matches a conversation. */
interface CampaignFeatures extends CampaignSignals {
  /** Where the excluded keywords begin in the campaign's record. */
  exclusions: number;
}

export function getCampaignFeatures(
  { records, slots }: DemandIndex,
  slot: number,
  reading: ConversationReading,
  keywords: KeywordMatcher,
): CampaignFeatures {
  let at = slots.recordStart(slot) + 1;
  let best = 0;
  let latest = 0;
  for (let topics = records.at(at++); topics > 0; topics--, at += 2) {
    const topic = records.at(at);
    const affinity = records.at(at + 1) / 100;
    best = Math.max(best, scoreTopic(reading, topic, affinity));
    latest = Math.max(latest, affinity * (reading.latest.topics[topic] ?? 0));
  }
  return { topicScore: best, latest, keywords: keywords.match(at), exclusions: keywords.end };
}
