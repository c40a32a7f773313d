import { Field, type Scored } from './field.ts';
import type { Keywords } from './literal.ts';
import type { Market } from './market.ts';
import type { Reading } from './reading.ts';
import type { Reasons } from './reasons.ts';
import { logOdds, relevance } from './relevance.ts';
import { signals } from './signals.ts';

/** Campaigns weighed in one match, at most: bounds the time when thousands say the same for the same price. */
const VISITS = 100;
/** And of those that share one reason. */
const SHARE = 40;
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
  #refusals = REFUSED;
  /** Of no use, but what nobody keeps would not be fetched. */
  fetched = 0;
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
    for (let rank = 0; rank < reasons.count && this.#visits > 0; rank++) this.#look(reasons, rank);
    return this.#field.candidates();
  }

  #look(reasons: Reasons, rank: number): void {
    const { market, reading, mood } = this.#contest;
    const { score, literal } = reasons.left(rank);
    const most = relevance(logOdds(score, literal, reading, mood));
    const postings = market.postings(reasons.list(rank));
    const enough = this.#visits - SHARE;
    this.fetched = market.fetch(postings, Math.min(SHARE, this.#visits));
    for (let position = 0; position < postings.length && this.#visits > 0 && this.#visits > enough; position++) {
      if (most < this.#field.least && this.#field.full) break;
      const slot = postings.at(position);
      const ceiling = market.cards.ceiling(slot);
      if (ceiling * most <= this.#field.bar) break;
      if (!market.cards.visit(slot, this.#match)) continue;
      this.#visits--;
      this.#weigh(slot, ceiling);
      if (this.#batch.length === BATCH || this.#visits === 0 || this.#visits === enough) this.#settle();
    }
    this.#settle();
  }

  #weigh(slot: number, ceiling: number): void {
    const { market, reading, keywords, mood } = this.#contest;
    const { score, literal, exclusions } = signals(market, slot, reading, keywords);
    const chance = relevance(logOdds(score, literal, reading, mood));
    if (chance < this.#field.least) this.#field.lose(slot, chance, 'below_threshold');
    else this.#batch.push({ slot, chance, most: ceiling * chance, exclusions });
  }

  #settle(): void {
    if (this.#batch.length === 0) return;
    const { market, keywords, bid } = this.#contest;
    const field = this.#field;
    for (const { slot, chance, most, exclusions } of this.#batch.sort((a, b) => b.most - a.most)) {
      if (most <= field.bar) break;
      if (chance < field.least) field.lose(slot, chance, 'below_threshold');
      else if (keywords.excluded(exclusions)) field.lose(slot, chance, 'excluded_keyword');
      else if (!field.bid(slot, chance, bid(market.ids[slot]!, chance)) && this.#refusals-- > 0) this.#visits++;
    }
    this.#batch.length = 0;
  }
}
