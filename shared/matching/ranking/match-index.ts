import { Market } from '../inventory/demand.ts';
import type { Placement } from '../inventory/matching-profile.ts';
import type { Lexicon } from '../lexicon/lexicon.ts';
import { Wordbook } from '../lexicon/word-cache.ts';
import { Scratch } from '../reading/array-pool.ts';
import type { Message } from '../reading/conversation.ts';
import { newest } from '../reading/newest.ts';
import { type Reading, read } from '../reading/reading.ts';
import { sensitive } from '../reading/sensitive.ts';
import { type Match, matched, type Topic, topicsOf } from './explain.ts';
import { Keywords } from './keywords.ts';
import { type Silence, silence } from './no-bid.ts';
import { Reasons } from './query-terms.ts';
import { climate } from './relevance.ts';
import { Ranking } from './search.ts';
import { Said } from './term-positions.ts';
import type { Outcome, Scored } from './top-k.ts';

/** Candidates in a verdict, unless told. */
const LIMIT = 20;

export interface Candidate {
  id: string;
  /** Estimated chance that this ad is right here, 0..1. */
  relevance: number;
  /** CPM in micro-dollars, 0 unless `outcome` is 'match'. */
  bid: number;
  /** What spoke for it, as said in the conversation, and the index of the message. Empty where not asked to explain. */
  matched: Match[];
  outcome: Outcome;
}

export interface Verdict {
  /** null when a candidate bids; else why the conversation gets no ad. */
  silence: Silence | null;
  /** Best first by bid x relevance, those that do not bid last. */
  candidates: Candidate[];
  context: {
    /** The conversation's topics, strongest first, with their evidence. */
    topics: Topic[];
  };
}

export interface MatchOptions {
  /**
   * CPM in micro-dollars that the campaign bids at this relevance; 0, less or no number when it may not take part. More than its
   * ceiling counts as its ceiling. May not ask this index for another match, nor change it.
   */
  bid(id: string, relevance: number): number;
  /** Most candidates in the verdict, at least 1; 20 unless told. */
  limit?: number;
  /** Whether to explain the verdict: topics of the conversation, and every candidate's matches, not just those of the first. */
  debug?: boolean;
}

/**
 * Active campaigns, indexed for matching. Not thread-safe. Holds nothing of a conversation after `match` returns, but that its wordbook
 * may have met a word.
 */
export class MatchIndex {
  readonly #lexicon: Lexicon;
  readonly #wordbook: Wordbook;
  readonly #scratch = new Scratch();
  readonly #market: Market;
  /** Numbers the matches, so that each campaign can tell whether one has come to it. */
  #matches = 0;
  #busy = false;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#wordbook = new Wordbook(lexicon);
    this.#market = new Market(lexicon);
  }

  get size(): number {
    return this.#market.size;
  }

  /** Inserts a campaign or replaces it in place. `ceiling`: the highest CPM in micro-dollars that it may bid. */
  set(id: string, placement: Placement, ceiling: number): void {
    this.#mustBeIdle();
    this.#market.set(id, placement, ceiling);
  }

  delete(id: string): void {
    this.#mustBeIdle();
    this.#market.delete(id);
  }

  match(messages: readonly Message[], options: MatchOptions): Verdict {
    this.#mustBeIdle();
    this.#busy = true;
    try {
      return this.#answer(read(newest(messages), this.#lexicon, this.#wordbook, this.#scratch), options);
    } finally {
      this.#scratch.clear();
      this.#busy = false;
    }
  }

  /** Matches share their memory: one inside another would write over what the first has read. */
  #mustBeIdle(): void {
    if (this.#busy) throw new Error('match is not re-entrant: `bid` may neither match nor change the index');
  }

  #answer(reading: Reading, options: MatchOptions): Verdict {
    const context = { topics: options.debug ? topicsOf(reading, this.#lexicon) : [] };
    if (!sensitive(reading, this.#lexicon)) return { ...this.#judge(reading, options), context };
    return { silence: 'sensitive_context', candidates: options.debug ? this.#withheld(reading, options) : [], context };
  }

  /** Those that would be weighed if this were a place for ads, the most relevant first; nobody is asked for a bid. */
  #withheld(reading: Reading, options: MatchOptions): Candidate[] {
    const { candidates } = this.#judge(reading, { ...options, bid: () => 1 });
    return candidates
      .map((candidate): Candidate => ({ ...candidate, bid: 0, outcome: 'sensitive_context' }))
      .sort((a, b) => b.relevance - a.relevance);
  }

  #judge(reading: Reading, options: MatchOptions): Omit<Verdict, 'context'> {
    const said = new Said(this.#market.terms, reading, this.#scratch);
    try {
      const keywords = new Keywords(this.#market, reading, said);
      const scored = this.#rank(reading, said, keywords, options);
      const candidates = scored.map((one) =>
        this.#present(one, reading, keywords, options.debug || one.score === scored[0]!.score),
      );
      const bids = candidates.some(({ outcome }) => outcome === 'match');
      return { silence: bids ? null : silence(candidates.length, reading, this.#lexicon), candidates };
    } finally {
      said.close();
    }
  }

  #rank(reading: Reading, said: Said, keywords: Keywords, { bid, limit = LIMIT }: MatchOptions): Scored[] {
    const market = this.#market;
    const mood = climate(reading, this.#lexicon);
    const reasons = new Reasons(market, reading, said, mood, this.#scratch);
    this.#matches = (this.#matches + 1) | 0;
    return new Ranking({ market, reading, keywords, mood, bid, limit: Math.max(1, limit) }, this.#matches).best(
      reasons,
    );
  }

  #present(
    { slot, relevance, bid, outcome }: Scored,
    reading: Reading,
    keywords: Keywords,
    explained: boolean,
  ): Candidate {
    return {
      id: this.#market.ids[slot]!,
      relevance,
      bid,
      matched: explained ? matched(this.#market, slot, reading, keywords) : [],
      outcome,
    };
  }
}
