import type { Market } from '../inventory/demand.ts';
import type { Reading } from '../reading/reading.ts';
import { signals } from './campaign-features.ts';
import type { Keywords } from './keywords.ts';
import type { Reasons } from './query-terms.ts';
import { logOdds, relevance } from './relevance.ts';
import { Field, type Scored } from './top-k.ts';

/** Campaigns that may bid and are weighed in one match, at most: bounds the time when thousands say the same for the same price. */
const VISITS = 100;
/** And of those that share one reason. */
const SHARE = 60;
/**
 * Those that are not relevant enough do not count as visits, or dear ones that fit badly would hide the one that fits. They have
 * bounds of their own: wide ones while nobody bids, narrower ones beside a campaign that does. A conversation of few words has few
 * reasons, shared by many campaigns, and time to look deeper into each.
 */
const LOSERS_ALONE = { all: 2000, share: 300 };
const LOSERS = { all: 1000, share: 90 };
const LESS_PER_REASON = 6;
const LEAST_LOSERS = 50;
/** Those that the caller refuses (another country, no budget) make room for others, up to a bound too. */
const REFUSED = 5000;
const BATCH = 32;

/** A campaign that may be relevant enough, before the caller is asked for its bid. */
interface Weighed {
  slot: number;
  chance: number;
  /** The most that its bid x relevance can be. */
  most: number;
  exclusions: number;
}

/** One conversation, and what asks for bids in it. */
export interface Contest {
  market: Market;
  reading: Reading;
  keywords: Keywords;
  /** What the conversation as a whole adds to every campaign's log-odds. */
  mood: number;
  bid(id: string, relevance: number): number;
  limit: number;
}

/** The search for the `limit` best campaigns of a contest; `match` is a number that no search before had. */
export class Ranking {
  readonly #contest: Contest;
  readonly #match: number;
  readonly #field: Field;
  #visits = VISITS;
  #lost = 0;
  /** How many may lose beside a campaign that bids. */
  #losers = LOSERS.all;
  #refusals = REFUSED;
  /** Log-odds that are known to lose: the least relevance that may bid only grows. Spares working out a chance for most. */
  #losing = Number.NEGATIVE_INFINITY;
  /** The caller is asked in batches, best first, so that most of them need not be asked at all. */
  readonly #batch: Weighed[] = [];

  constructor(contest: Contest, match: number) {
    this.#contest = contest;
    this.#match = match;
    this.#field = new Field(contest.limit);
  }

  /**
   * Reasons are taken in order of strength and each one's campaigns in order of ceiling, so that a campaign not yet seen can at
   * best have its ceiling times the relevance that the remaining reasons give: once that is not above the last of the best, the
   * rest of the list need not be looked at. No reason takes all the visits: a rare word's campaigns are looked at however many
   * share the topic.
   */
  best(reasons: Reasons): Scored[] {
    this.#losers = Math.max(LEAST_LOSERS, LOSERS.all - LESS_PER_REASON * reasons.count);
    for (let rank = 0; rank < reasons.count && this.#visits > 0 && !this.#tired(this.#lost); rank++)
      this.#look(reasons, rank);
    return this.#field.candidates();
  }

  #look(reasons: Reasons, rank: number): void {
    const { market, reading, mood } = this.#contest;
    const { score, literal } = reasons.left(rank);
    const most = relevance(logOdds(score, literal, reading, mood));
    const postings = market.postings(reasons.list(rank));
    const enough = Math.max(0, this.#visits - SHARE);
    const lost = this.#lost;
    let equals = 0;
    let end = 0;
    for (let position = 0; position < postings.length && !this.#tired(lost); position++) {
      if (position === end) {
        equals = position;
        end = postings.endOfEquals(position, market.cards);
      }
      if (this.#visits - this.#batch.length <= enough) this.#settle();
      if (this.#visits <= enough) break;
      if (most < this.#field.least && this.#field.full) break;
      // Those of equal ceiling begin with another one each match, so that all of them have their turn.
      const turn = end - equals === 1 ? 0 : (this.#match >>> 0) % (end - equals);
      const slot = postings.at(position + turn < end ? position + turn : position + turn - end + equals);
      const ceiling = market.cards.ceiling(slot);
      if (ceiling * most <= this.#field.bar) break;
      if (!market.cards.visit(slot, this.#match)) continue;
      this.#weigh(slot, ceiling);
      if (this.#batch.length === BATCH) this.#settle();
    }
    this.#settle();
  }

  /** Whether enough have lost, in all or since `lost` had. */
  #tired(lost: number): boolean {
    if (!this.#field.bids) return this.#lost >= LOSERS_ALONE.all || this.#lost - lost >= LOSERS_ALONE.share;
    return this.#lost >= this.#losers || this.#lost - lost >= LOSERS.share;
  }

  #weigh(slot: number, ceiling: number): void {
    const { market, reading, keywords, mood } = this.#contest;
    const { score, literal, exclusions } = signals(market, slot, reading, keywords);
    const odds = logOdds(score, literal, reading, mood);
    if (odds <= this.#losing && !this.#field.explains) {
      this.#lost++;
      return;
    }
    const chance = relevance(odds);
    if (chance < this.#field.least) {
      this.#losing = Math.max(this.#losing, odds);
      this.#standBack(slot, chance);
    } else this.#batch.push({ slot, chance, most: ceiling * chance, exclusions });
  }

  #standBack(slot: number, chance: number): void {
    this.#lost++;
    this.#field.standBack(slot, chance);
  }

  #settle(): void {
    if (this.#batch.length === 0) return;
    const { market, keywords, bid } = this.#contest;
    const field = this.#field;
    for (const { slot, chance, most, exclusions } of this.#batch.sort((a, b) => b.most - a.most)) {
      if (most <= field.bar) this.#lost++;
      else if (chance < field.least) this.#standBack(slot, chance);
      else if (keywords.excluded(exclusions)) {
        this.#lost++;
        field.lose(slot, chance, 'excluded_keyword');
      } else if (
        field.bid(slot, chance, Math.min(bid(market.ids[slot]!, chance), market.cards.ceiling(slot))) ||
        this.#refusals-- <= 0
      )
        this.#visits--;
    }
    this.#batch.length = 0;
  }
}
