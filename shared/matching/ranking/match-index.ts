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
import {
  type ConversationTopic,
  findFittingTopic,
  findMatchedTerms,
  getStrongestTopics,
  type MatchedTerm,
} from './explain.ts';
import { KeywordMatcher } from './keyword-matcher.ts';
import { QueryTerms } from './query-terms.ts';
import { scoreContext } from './relevance.ts';
import { RELEVANCE_MODEL } from './relevance-model.ts';
import { TermPositions } from './term-positions.ts';
import type { MatchOutcome } from './top-k.ts';
import { TopKSearch } from './top-k-search.ts';

/** Default number of candidates in a result. */
const DEFAULT_LIMIT = 20;

export interface MatchCandidate {
  id: string;
  /** Estimated probability, from 0 to 1, that this ad fits. */
  relevance: number;
  /** CPM in micro-dollars; 0 unless `outcome` is 'match'. */
  bid: number;
  /** Breaks ties between equal scores, see `toCloseness`. */
  closeness: number;
  /**
   * Why it matched. Positions are included only with `debug`. Without `debug`, only the candidates with the best score
   * have terms.
   */
  matched: MatchedTerm[];
  /** Path of its topic that fits the conversation best; absent if none has evidence. */
  topic?: string;
  outcome: MatchOutcome;
  /** Whether no candidate bids, and only the threshold keeps this one from it at publishers with the lowest threshold. */
  isHeldBack: boolean;
}

export interface MatchResult {
  /** null if a candidate bids; otherwise why the conversation gets no ad. */
  noBid: NoMatchReason | null;
  /** Best first by bid x relevance; candidates that do not bid are last. */
  candidates: MatchCandidate[];
  context: {
    /** The conversation's topics with their evidence, the strongest first. Empty without `debug`. */
    topics: ConversationTopic[];
    /** ISO 639-1; null if unsure. */
    language: string | null;
  };
}

export interface MatchOptions {
  /**
   * The campaign's bid at this relevance, as CPM in micro-dollars. Zero, negative, or NaN means no bid. A bid above the ceiling counts as
   * the ceiling. Must not match or change this index.
   */
  bid(id: string, relevance: number): number;
  /** Maximum number of candidates in the result, at least 1. Default 20. */
  limit?: number;
  /** Minimum relevance of a bid. Default: the model's for balanced publishers. */
  threshold?: number;
  /** Minimum relevance of a bid as a share of the most relevant bid's. Default: the model's. With 0, `threshold` alone decides. */
  relativeThreshold?: number;
  /**
   * Whether to explain the result: the conversation's topics, and the matched terms of every candidate with positions.
   */
  debug?: boolean;
}

/**
 * Active campaigns, indexed for matching. Not thread-safe. After `match` returns, only single words remain in its word
 * cache; nothing else of the conversation is kept.
 */
export class MatchIndex {
  readonly #lexicon: Lexicon;
  readonly #wordCache: WordCache;
  readonly #pool = new ArrayPool();
  readonly #demand: DemandIndex;
  /** Match counter; slots store it to mark visited campaigns. */
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

  /** Inserts or replaces a campaign. `ceiling`: the maximum CPM in micro-dollars that it may bid. */
  set(id: string, profile: MatchingProfile, ceiling: number): void {
    this.#assertNotMatching();
    this.#demand.set(id, profile, ceiling);
  }

  delete(id: string): void {
    this.#assertNotMatching();
    this.#demand.delete(id);
  }

  match(messages: readonly Message[], options: MatchOptions): MatchResult {
    this.#assertNotMatching();
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

  /** Matches share memory: a nested match would overwrite the outer one's reading. */
  #assertNotMatching(): void {
    if (this.#isMatching) throw new Error('match is not re-entrant: `bid` may neither match nor change the index');
  }

  #matchReading(reading: ConversationReading, options: MatchOptions, locator?: TokenLocator): MatchResult {
    const { code, isSure } = reading.language;
    const context = { topics: options.debug ? getStrongestTopics(reading) : [], language: isSure ? code : null };
    if (!isSensitiveConversation(reading)) return { ...this.#rankCandidates(reading, options, locator), context };
    const candidates = options.debug ? this.#rankWithheld(reading, options, locator) : [];
    return { noBid: 'sensitive_context', candidates, context };
  }

  /** The candidates as if the conversation were not sensitive, most relevant first. Asks for no bids. */
  #rankWithheld(reading: ConversationReading, options: MatchOptions, locator?: TokenLocator): MatchCandidate[] {
    const { candidates } = this.#rankCandidates(reading, { ...options, bid: () => 1 }, locator);
    return candidates
      .map((candidate): MatchCandidate => ({ ...candidate, bid: 0, outcome: 'sensitive_context', isHeldBack: false }))
      .sort((a, b) => b.relevance - a.relevance);
  }

  #rankCandidates(
    reading: ConversationReading,
    options: MatchOptions,
    locator?: TokenLocator,
  ): Omit<MatchResult, 'context'> {
    const positions = new TermPositions(this.#demand.terms, reading, this.#pool);
    try {
      const keywords = new KeywordMatcher(this.#demand, reading, positions);
      const search = this.#search(reading, positions, keywords, options);
      const ranked = search.run();
      const candidates = ranked.map((campaign): MatchCandidate => {
        const { slot, relevance, bid, closeness, outcome } = campaign;
        const isExplained = options.debug || campaign.score === ranked[0]?.score;
        const matched = isExplained ? findMatchedTerms(this.#demand, slot, reading, keywords, locator) : [];
        const topic = findFittingTopic(this.#demand, slot, reading);
        const isHeldBack = search.isHeldBack(campaign);
        return {
          id: this.#demand.id(slot),
          relevance,
          bid,
          closeness,
          matched,
          ...(topic && { topic }),
          outcome,
          isHeldBack,
        };
      });
      const hasBids = candidates.some(({ outcome }) => outcome === 'match');
      return { noBid: hasBids ? null : getNoMatchReason(candidates, reading), candidates };
    } finally {
      positions.release();
    }
  }

  #search(
    reading: ConversationReading,
    positions: TermPositions,
    keywords: KeywordMatcher,
    {
      bid,
      limit = DEFAULT_LIMIT,
      threshold = RELEVANCE_MODEL.thresholds.balanced,
      relativeThreshold = RELEVANCE_MODEL.relativeThreshold,
    }: MatchOptions,
  ): TopKSearch {
    const demand = this.#demand;
    const score = scoreContext(reading);
    const query = new QueryTerms(demand, reading, positions, score, this.#pool);
    this.#matches = (this.#matches + 1) | 0;
    // A page that states only categories that do not justify an ad by their names, such as funerals, must match better.
    const isDoubtfulPage = reading.messages[reading.latest.message]?.topics?.length === 0;
    const minimum = isDoubtfulPage ? Math.max(threshold, RELEVANCE_MODEL.thresholds.strict) : threshold;
    const limits = { limit: Math.max(1, limit), threshold: minimum, relativeThreshold };
    const input = { demand, reading, keywords, contextScore: score, bid, ...limits };
    return new TopKSearch(input, query, this.#matches);
  }
}

/** Below this evidence, a conversation has no commercial topic. */
const MIN_EVIDENCE = 0.3;
/** Above this share of the user's words, a conversation is small talk. */
const MAX_SMALL_TALK_SHARE = 0.5;

/** Why a conversation gets no ad. */
type NoMatchReason = 'sensitive_context' | 'no_user_message' | 'no_commercial_context' | 'no_match' | 'below_threshold';

/** Whether the reason is independent of the campaigns. */
export const isCampaignIndependent = (reason: string | null): boolean =>
  reason === 'sensitive_context' || reason === 'no_user_message';

/** Whether a user message contains a word. */
const hasUserMessage = (messages: readonly Message[]): boolean =>
  messages.some(({ role, content }) => role === 'user' && /[\p{L}\p{N}]/u.test(content));

/**
 * Why no campaign bids in a conversation that is not sensitive. A campaign that would bid at a lower threshold shows that the conversation is
 * commercial, even if the lexicon knows none of its words.
 */
function getNoMatchReason(candidates: readonly MatchCandidate[], reading: ConversationReading): NoMatchReason {
  const isHeldBack = candidates.some((candidate) => candidate.isHeldBack);
  if (!isHeldBack && !isCommercial(reading)) return 'no_commercial_context';
  return candidates.length === 0 ? 'no_match' : 'below_threshold';
}

/** Whether the conversation is about a product: not small talk, and not mostly tasks, writing, or questions. */
function isCommercial({ evidence, strongestEvidence, smallTalkShare, lexicon }: ConversationReading): boolean {
  const { deviceCommand, weather, trivia, task, writing } = lexicon.internalTopics;
  const tasks = [deviceCommand, weather, trivia, task, writing];
  return (
    smallTalkShare <= MAX_SMALL_TALK_SHARE &&
    strongestEvidence >= MIN_EVIDENCE &&
    tasks.every((topic) => (evidence[topic] ?? 0) <= strongestEvidence)
  );
}
