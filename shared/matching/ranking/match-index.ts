import { DemandIndex } from '../inventory/demand-index.ts';
import type { MatchingProfile } from '../inventory/matching-profile.ts';
import type { IndexColumns } from '../inventory/segment.ts';
import type { Lexicon } from '../lexicon/lexicon.ts';
import { WordCache } from '../lexicon/word-cache.ts';
import { ArrayPool } from '../reading/arrays.ts';
import { type ConversationReading, readConversation } from '../reading/read-conversation.ts';
import { isSensitiveConversation } from '../reading/sensitive.ts';
import { TokenLocator } from '../reading/token-locator.ts';
import type { Message } from '../reading/tokens.ts';
import { truncateConversation } from '../reading/truncate-conversation.ts';
import { type ConversationTopic, findMatchedTerms, getStrongestTopics, type MatchedTerm } from './explain.ts';
import { KeywordMatcher } from './keyword-matcher.ts';
import { QueryTerms } from './query-terms.ts';
import { scoreContext } from './relevance.ts';
import { TermPositions } from './term-positions.ts';
import type { MatchOutcome, ScoredCampaign } from './top-k.ts';
import { TopKSearch } from './top-k-search.ts';

/** Candidates in a result, unless told. */
const DEFAULT_LIMIT = 20;

export interface MatchCandidate {
  id: string;
  /** Estimated chance that this ad is right here, 0..1. */
  relevance: number;
  /** CPM in micro-dollars, 0 unless `outcome` is 'match'. */
  bid: number;
  /** Decides between equal scores, see `closenessOf`. */
  closeness: number;
  /** What spoke for it; with positions only in a match that explains. Empty for campaigns behind the first in one that does not. */
  matched: MatchedTerm[];
  outcome: MatchOutcome;
}

export interface MatchResult {
  /** null when a candidate bids; else why the conversation gets no ad. */
  noBid: NoMatchReason | null;
  /** Best first by bid x relevance, those that do not bid last. */
  candidates: MatchCandidate[];
  context: {
    /** The conversation's topics, strongest first, with their evidence. */
    topics: ConversationTopic[];
    /** ISO 639-1; null where it cannot be told for sure. */
    language: string | null;
  };
}

export interface MatchOptions {
  /**
   * CPM in micro-dollars that the campaign bids at this relevance; 0, less or no number when it may not take part. More than its
   * ceiling counts as its ceiling. May not ask this index for another match, nor change it.
   */
  bid(id: string, relevance: number): number;
  /** Most candidates in the result, at least 1; 20 unless told. */
  limit?: number;
  /** Least relevance that may bid, whatever others have; unless told the model's own, and near that of the most relevant. */
  threshold?: number;
  /** Whether to explain the result: topics of the conversation, and every candidate's matched terms with their positions. */
  debug?: boolean;
}

/**
 * Active campaigns, indexed for matching. Not thread-safe. Keeps nothing of a conversation after `match` returns, except words in its
 * word cache.
 */
export class MatchIndex {
  readonly #lexicon: Lexicon;
  readonly #wordCache: WordCache;
  readonly #pool = new ArrayPool();
  readonly #demand: DemandIndex;
  /** Numbers the matches, so that each campaign's slot can tell whether one has looked at it. */
  #matches = 0;
  #isMatching = false;

  constructor(lexicon: Lexicon, segment?: IndexColumns) {
    this.#lexicon = lexicon;
    this.#wordCache = new WordCache(lexicon);
    this.#demand = new DemandIndex(lexicon, segment);
  }

  get size(): number {
    return this.#demand.size;
  }

  /** Inserts a campaign or replaces it. `ceiling`: the highest CPM in micro-dollars that it may bid. */
  set(id: string, profile: MatchingProfile, ceiling: number): void {
    this.#mustNotBeMatching();
    this.#demand.set(id, profile, ceiling);
  }

  delete(id: string): void {
    this.#mustNotBeMatching();
    this.#demand.delete(id);
  }

  match(messages: readonly Message[], options: MatchOptions): MatchResult {
    this.#mustNotBeMatching();
    if (!hasUserMessage(messages)) {
      return { noBid: 'no_user_message', candidates: [], context: { topics: [], language: null } };
    }
    this.#isMatching = true;
    try {
      const reading = readConversation(truncateConversation(messages), this.#lexicon, this.#wordCache, this.#pool);
      return this.#matchReading(reading, options, options.debug ? new TokenLocator(reading, messages) : undefined);
    } finally {
      this.#pool.reset();
      this.#isMatching = false;
    }
  }

  /** Matches share their memory: one inside another would overwrite what the first has read. */
  #mustNotBeMatching(): void {
    if (this.#isMatching) throw new Error('match is not re-entrant: `bid` may neither match nor change the index');
  }

  #matchReading(reading: ConversationReading, options: MatchOptions, places?: TokenLocator): MatchResult {
    const { code, isSure } = reading.language;
    const context = { topics: options.debug ? getStrongestTopics(reading) : [], language: isSure ? code : null };
    if (!isSensitiveConversation(reading)) return { ...this.#rankCandidates(reading, options, places), context };
    const candidates = options.debug ? this.#withheld(reading, options, places) : [];
    return { noBid: 'sensitive_context', candidates, context };
  }

  /** The candidates if this were a place for ads, the most relevant first; nobody is asked for a bid. */
  #withheld(reading: ConversationReading, options: MatchOptions, places?: TokenLocator): MatchCandidate[] {
    const { candidates } = this.#rankCandidates(reading, { ...options, bid: () => 1 }, places);
    return candidates
      .map((candidate): MatchCandidate => ({ ...candidate, bid: 0, outcome: 'sensitive_context' }))
      .sort((a, b) => b.relevance - a.relevance);
  }

  #rankCandidates(
    reading: ConversationReading,
    options: MatchOptions,
    places?: TokenLocator,
  ): Omit<MatchResult, 'context'> {
    const positions = new TermPositions(this.#demand.terms, reading, this.#pool);
    try {
      const keywords = new KeywordMatcher(this.#demand, reading, positions);
      const ranked = this.#search(reading, positions, keywords, options);
      const candidates = ranked.map((campaign) => {
        const isExplained = options.debug || campaign.score === ranked[0]?.score;
        return this.#candidate(
          campaign,
          isExplained ? findMatchedTerms(this.#demand, campaign.slot, reading, keywords, places) : [],
        );
      });
      const hasBids = candidates.some(({ outcome }) => outcome === 'match');
      return { noBid: hasBids ? null : getNoMatchReason(candidates.length, reading), candidates };
    } finally {
      positions.release();
    }
  }

  #search(
    reading: ConversationReading,
    positions: TermPositions,
    keywords: KeywordMatcher,
    { bid, limit = DEFAULT_LIMIT, threshold }: MatchOptions,
  ): ScoredCampaign[] {
    const demand = this.#demand;
    const score = scoreContext(reading);
    const query = new QueryTerms(demand, reading, positions, score, this.#pool);
    this.#matches = (this.#matches + 1) | 0;
    const input = { demand, reading, keywords, contextScore: score, bid, limit: Math.max(1, limit), threshold };
    return new TopKSearch(input, query, this.#matches).run();
  }

  #candidate({ slot, relevance, bid, closeness, outcome }: ScoredCampaign, matched: MatchedTerm[]): MatchCandidate {
    return { id: this.#demand.id(slot), relevance, bid, closeness, matched, outcome };
  }
}

/** Evidence below which a conversation has no commercial topic. */
const MIN_EVIDENCE = 0.3;
/** Share of the user's words from which on a conversation is small talk. */
const MAX_SMALL_TALK_SHARE = 0.5;

/** Why a conversation gets no ad. */
type NoMatchReason = 'sensitive_context' | 'no_user_message' | 'no_commercial_context' | 'no_match' | 'below_threshold';

/** Those that are true whichever campaigns there are. */
export const isCampaignIndependent = (reason: string | null): boolean =>
  reason === 'sensitive_context' || reason === 'no_user_message';

/** Whether somebody is there to show an ad to: a user who has said a word. */
const hasUserMessage = (messages: readonly Message[]): boolean =>
  messages.some(({ role, content }) => role === 'user' && /[\p{L}\p{N}]/u.test(content));

/** Why nobody bids in a conversation that could have ads, among `candidates` campaigns that were scored. */
const getNoMatchReason = (candidates: number, reading: ConversationReading): NoMatchReason =>
  isCommercial(reading) ? (candidates === 0 ? 'no_match' : 'below_threshold') : 'no_commercial_context';

/** Whether a product is behind what is talked about: not in small talk, nor where something is to be done, written or answered. */
function isCommercial({ evidence, strongestEvidence, smallTalkShare, lexicon }: ConversationReading): boolean {
  const { deviceCommand, weather, trivia, task, writing } = lexicon.internalTopics;
  const tasks = [deviceCommand, weather, trivia, task, writing];
  return (
    smallTalkShare <= MAX_SMALL_TALK_SHARE &&
    strongestEvidence >= MIN_EVIDENCE &&
    tasks.every((topic) => (evidence[topic] ?? 0) <= strongestEvidence)
  );
}
