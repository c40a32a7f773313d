import { affinityOf, BANDS, type Market } from '../inventory/demand.ts';
import type { Scratch } from '../reading/array-pool.ts';
import type { Reading } from '../reading/reading.ts';
import { type Literal, UNSAID } from './keywords.ts';
import { logOdds, topicScore } from './relevance.ts';
import { descending } from './sort.ts';
import type { Said } from './term-positions.ts';

/** What speaks for campaigns: a topic's score, or how keywords stand. */
export interface Ground {
  score: number;
  literal: Literal;
}

/**
 * Why campaigns may be relevant in a conversation: the topics that it speaks of and the words of theirs that were said in it, each
 * a list of campaigns that have this ground to be relevant. Columns by reason, because a match has hundreds and uses few.
 */
export class Reasons {
  readonly count: number;
  readonly #lists: Int32Array;
  readonly #order: Int32Array;
  /** By rank, the most that can speak for a campaign of the reason or of those after it. */
  readonly #scores: Float64Array;
  readonly #evidence: Float64Array;
  readonly #cover: Float64Array;
  readonly #keywords: Float64Array;
  /** Rank of the last reason that is a word; those after it are topics. */
  readonly #lastWord: number;

  constructor(market: Market, reading: Reading, said: Said, mood: number, scratch: Scratch) {
    const { evidence } = reading;
    const most = BANDS * topicsIn(evidence) + said.count;
    const lists = scratch.integers(most);
    const scores = scratch.doubles(most);
    const forces = scratch.doubles(most);
    const covers = scratch.doubles(most);
    const keywords = scratch.doubles(most);
    const odds = scratch.doubles(most);
    let count = 0;
    for (let topic = 0; topic < evidence.length; topic++) {
      if (evidence[topic] === 0) continue;
      for (let band = 0; band < BANDS; band++) {
        const list = market.listOfTopic(topic, band);
        if (market.lists.size(list) === 0) continue;
        lists[count] = list;
        scores[count] = topicScore(reading, topic, affinityOf(band));
        odds[count] = logOdds(scores[count]!, UNSAID, reading, mood);
        count++;
      }
    }
    const topics = count;
    let alike = UNSAID;
    let own = logOdds(0, alike, reading, mood);
    for (let word = 0; word < said.count; word++) {
      const list = market.listOf(said.terms[word]!);
      if (market.lists.size(list) === 0) continue;
      const evidence = said.forces[word]! * market.lists.evidence(list);
      const cover = said.mostCover(word, market.lists.longest(list));
      lists[count] = list;
      forces[count] = evidence;
      covers[count] = cover;
      keywords[count] = market.lists.keywords(list);
      // Neighbours are often alike: all words of one message of the assistant are.
      if (evidence !== alike.evidence || cover !== alike.cover) {
        alike = { evidence, cover, asked: 1 };
        own = logOdds(0, alike, reading, mood);
      }
      odds[count] = own;
      count++;
    }
    const order = descending(odds, count, scratch);
    this.count = count;
    this.#lists = lists;
    this.#order = order;
    this.#scores = tail(scores, order, scratch);
    this.#evidence = tail(forces, order, scratch);
    this.#cover = tail(covers, order, scratch);
    this.#keywords = tail(keywords, order, scratch);
    this.#lastWord = order.findLastIndex((reason) => reason >= topics);
  }

  /** The list of campaigns behind the reason of a rank; 0 is the strongest. */
  list(rank: number): number {
    return this.#lists[this.#order[rank]!]!;
  }

  /** The most that can speak for a campaign of the reason of a rank or of those after it. */
  left(rank: number): Ground {
    return {
      score: this.#scores[rank]!,
      literal: {
        // Each keyword of a campaign may be as strong as the strongest, and all together say more than one.
        evidence: 1 - (1 - this.#evidence[rank]!) ** this.#keywords[rank]!,
        cover: this.#cover[rank]!,
        asked: rank <= this.#lastWord ? 1 : 0,
      },
    };
  }
}

function topicsIn(evidence: Float32Array): number {
  let count = 0;
  for (let topic = 0; topic < evidence.length; topic++) if (evidence[topic]! > 0) count++;
  return count;
}

/** By rank, the largest of the numbers at that rank or after it. */
function tail(numbers: Float64Array, order: Int32Array, scratch: Scratch): Float64Array {
  const largest = scratch.doubles(order.length);
  let most = 0;
  for (let rank = order.length - 1; rank >= 0; rank--) {
    most = Math.max(most, numbers[order[rank]!]!);
    largest[rank] = most;
  }
  return largest;
}
