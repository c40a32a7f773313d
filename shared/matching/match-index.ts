import type { Message } from './conversation.ts';
import { Desk } from './desk.ts';
import { Field, type Outcome, type Scored } from './field.ts';
import type { Lexicon } from './lexicon.ts';
import { type Literal, Said, UNSAID } from './literal.ts';
import { Market } from './market.ts';
import type { Placement } from './placement.ts';
import type { Postings } from './postings.ts';
import { type Reading, read } from './reading.ts';
import { climate, relevance, topicScore } from './relevance.ts';
import { sensitive } from './sensitive.ts';
import { signals } from './signals.ts';
import { START } from './text.ts';
import { Wordbook } from './wordbook.ts';

/** Campaigns weighed in one match, at most: bounds the time when thousands say the same for the same price. */
const VISITS = 100;
/** And of those that share one reason. */
const SHARE = 40;
/** Those that the caller refuses (another country, no budget) make room for others, up to a bound too. */
const REFUSED = 5000;
const BATCH = 32;
const LIMIT = 20;
/** Evidence below which a conversation has no commercial topic. */
const FAINT = 0.3;
/** Phrases shown for a candidate. */
const MATCHED = 5;

/** Why a conversation gets no ad: `task` is something to be done, written or answered that no product is behind. */
export type Silence =
  | 'sensitive_context'
  | 'small_talk'
  | 'task'
  | 'no_commercial_context'
  | 'no_match'
  | 'below_threshold';

export interface Candidate {
  id: string;
  /** Estimated chance that this ad is right here, 0..1. */
  relevance: number;
  /** CPM in micro-dollars, 0 unless `outcome` is 'match'. */
  bid: number;
  /** What spoke for it, as said in the conversation, and the index of the message. Empty where not asked to explain. */
  matched: { term: string; message: number }[];
  outcome: Outcome;
}

export interface Verdict {
  /** null when a candidate bids; else why the conversation gets no ad. */
  silence: Silence | null;
  /** Best first by bid x relevance, those that do not bid last. */
  candidates: Candidate[];
  context: {
    /** The conversation's topics, strongest first, with their evidence. */
    topics: { path: string; evidence: number }[];
  };
}

export interface MatchOptions {
  /** CPM in micro-dollars that the campaign bids at this relevance, never above its ceiling; 0 or less when it may not take part. */
  bid(id: string, relevance: number): number;
  /** Most candidates in the verdict; 20 unless told. */
  limit?: number;
  /** Whether to explain the verdict: topics of the conversation, and every candidate's matches, not just those of the first. */
  debug?: boolean;
}

/** What speaks for campaigns: a topic's score, or how keywords stand. */
interface Ground {
  score: number;
  literal: Literal;
}

/** A list of campaigns that share a ground to be relevant, and the chance that it gives by itself. */
interface Reason extends Ground {
  postings: Postings;
  chance: number;
}

/** A campaign that may be relevant enough, before the caller is asked for its bid. */
interface Weighed {
  slot: number;
  chance: number;
  /** The most that its bid x relevance can be. */
  most: number;
  exclusions: number;
}

/** Active campaigns, indexed for matching. Not thread-safe; holds nothing of a conversation after `match` returns. */
export class MatchIndex {
  readonly #lexicon: Lexicon;
  readonly #wordbook: Wordbook;
  readonly #desk = new Desk();
  readonly #market: Market;
  /** By slot, the number of the last match that visited it. */
  #visited = new Uint32Array(64);
  #matches = 0;

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
    this.#market.set(id, placement, ceiling);
  }

  delete(id: string): void {
    this.#market.delete(id);
  }

  match(messages: readonly Message[], options: MatchOptions): Verdict {
    try {
      return this.#answer(read(messages, this.#lexicon, this.#wordbook, this.#desk), options);
    } finally {
      this.#desk.clear();
    }
  }

  #answer(reading: Reading, options: MatchOptions): Verdict {
    const context = { topics: options.debug ? this.#topics(reading) : [] };
    const silent = sensitive(reading, this.#lexicon);
    if (silent && !options.debug) return { silence: 'sensitive_context', candidates: [], context };

    const said = new Said(this.#market, reading, this.#desk);
    try {
      if (silent) return { silence: 'sensitive_context', candidates: this.#withheld(reading, said, options), context };
      return { ...this.#judge(reading, said, options), context };
    } finally {
      said.close();
    }
  }

  /** Those that would be weighed if this were a place for ads, the most relevant first; nobody is asked for a bid. */
  #withheld(reading: Reading, said: Said, options: MatchOptions): Candidate[] {
    const { candidates } = this.#judge(reading, said, { ...options, bid: () => 1 });
    return candidates
      .map((candidate): Candidate => ({ ...candidate, bid: 0, outcome: 'sensitive_context' }))
      .sort((a, b) => b.relevance - a.relevance);
  }

  #judge(reading: Reading, said: Said, options: MatchOptions): Omit<Verdict, 'context'> {
    const mood = climate(reading, this.#lexicon);
    const scored = this.#best(this.#reasons(reading, said, mood), reading, said, mood, options);
    const candidates = scored.map(
      ({ slot, relevance, bid, score, outcome }): Candidate => ({
        id: this.#market.ids[slot]!,
        relevance,
        bid,
        matched: options.debug || score === scored[0]!.score ? this.#matched(slot, reading, said) : [],
        outcome,
      }),
    );
    return { silence: silence(candidates, reading, this.#lexicon), candidates };
  }

  /** Why campaigns may be relevant here, the strongest reasons first. */
  #reasons(reading: Reading, said: Said, mood: number): Reason[] {
    const reasons: Reason[] = [];
    const add = (postings: Postings, score: number, literal: Literal) =>
      reasons.push({ postings, score, literal, chance: relevance(score, literal, reading, mood) });
    const { byTopic, termList } = this.#market;
    for (let topic = 0; topic < byTopic.length; topic++)
      if (reading.evidence[topic]! > 0 && byTopic[topic]!.length > 0)
        add(byTopic[topic]!, topicScore(reading, topic, 1), UNSAID);
    for (const id of said.terms) if (termList[id]!.heads.length > 0) add(termList[id]!.heads, 0, said.most(id));
    return reasons.sort((a, b) => b.chance - a.chance);
  }

  /**
   * The `limit` best campaigns. Reasons are taken in order of strength and each one's campaigns in order of ceiling, so that a
   * campaign not yet seen can at best have its ceiling times the relevance that the remaining reasons give: once that
   * is not above the last of the best, the rest of the list need not be looked at. No reason takes all the visits: a rare
   * word's campaigns are looked at however many share the topic.
   */
  #best(reasons: Reason[], reading: Reading, said: Said, mood: number, { bid, limit = LIMIT }: MatchOptions): Scored[] {
    const market = this.#market;
    if (this.#visited.length < market.ids.length) this.#visited = new Uint32Array(market.ceilings.length);
    const match = ++this.#matches;
    const field = new Field(limit);
    const left = groundsLeft(reasons);
    let visits = VISITS;
    let refusals = REFUSED;
    // The caller is asked in batches, best first, so that most of them need not be asked at all.
    let batch: Weighed[] = [];
    const settle = () => {
      for (const { slot, chance, most, exclusions } of batch.sort((a, b) => b.most - a.most)) {
        if (most <= field.bar) break;
        if (chance < field.least) field.lose(slot, chance, 'below_threshold');
        else if (said.excluded(exclusions)) field.lose(slot, chance, 'excluded_keyword');
        else if (!field.bid(slot, chance, bid(market.ids[slot]!, chance)) && refusals-- > 0) visits++;
      }
      batch = [];
    };
    for (let i = 0; i < reasons.length; i++) {
      const { postings } = reasons[i]!;
      const most = relevance(left[i]!.score, left[i]!.literal, reading, mood);
      const enough = visits - SHARE;
      for (let position = 0; position < postings.length && visits > 0 && visits > enough; position++) {
        if (most < field.least && field.full) break;
        const slot = postings.at(position);
        const ceiling = market.ceilings[slot]!;
        if (ceiling * most <= field.bar) break;
        if (this.#visited[slot] === match) continue;
        this.#visited[slot] = match;
        visits--;
        const { score: own, literal, exclusions } = signals(market, slot, reading, said);
        const chance = relevance(own, literal, reading, mood);
        if (chance < field.least) field.lose(slot, chance, 'below_threshold');
        else batch.push({ slot, chance, most: ceiling * chance, exclusions });
        if (batch.length === BATCH || visits === 0 || visits === enough) settle();
      }
      settle();
    }
    return field.candidates();
  }

  #topics(reading: Reading): { path: string; evidence: number }[] {
    const topics: { path: string; evidence: number }[] = [];
    reading.evidence.forEach((evidence, topic) => {
      if (evidence >= 0.1 && !this.#lexicon.topics[topic]!.startsWith('_Intent'))
        topics.push({ path: this.#lexicon.topics[topic]!, evidence: Math.round(100 * evidence) / 100 });
    });
    return topics.sort((a, b) => b.evidence - a.evidence).slice(0, 8);
  }

  /** At most 5 phrases that speak for a campaign: its keywords, then its topics, the newest first. */
  #matched(slot: number, reading: Reading, said: Said): Candidate['matched'] {
    const { arena, starts } = this.#market;
    const { tokens, hits } = reading;
    const found = new Map<string, number>();
    const show = (from: number, to: number) => {
      const first = tokens.entries[from]!.said === START ? from + 1 : from;
      if (found.size < MATCHED) {
        const words = tokens.entries.slice(first, to + 1).map(({ said }) => said);
        found.set(words.join(' '), tokens.message[from]!);
      }
    };
    let at = starts[slot]!;
    const topics = new Set<number>();
    for (let count = arena[at++]!; count > 0; count--, at += 2) topics.add(arena[at]!);
    said.keywords(at, (places) => show(Math.min(...places), Math.max(...places)));
    const own = hits.filter(({ topic }) => topics.has(topic)).sort((a, b) => b.from - a.from);
    for (const { from, to } of own) show(from, to);
    return [...found].map(([term, message]) => ({ term, message }));
  }
}

/** By reason, the most that can speak for a campaign of it or of those after it. */
function groundsLeft(reasons: readonly Reason[]): Ground[] {
  const left: Ground[] = [];
  let most: Ground = { score: 0, literal: UNSAID };
  for (let i = reasons.length - 1; i >= 0; i--) {
    const { score, literal } = reasons[i]!;
    most = {
      score: Math.max(most.score, score),
      literal: {
        evidence: Math.max(most.literal.evidence, literal.evidence),
        cover: Math.max(most.literal.cover, literal.cover),
        asked: Math.max(most.literal.asked, literal.asked),
      },
    };
    left[i] = most;
  }
  return left;
}

function silence(
  candidates: Candidate[],
  { evidence, strongest, smallTalk }: Reading,
  { known }: Lexicon,
): Silence | null {
  if (candidates.some(({ outcome }) => outcome === 'match')) return null;
  if (smallTalk > 0.5) return 'small_talk';
  const tasks = [known.device, known.weather, known.trivia, known.task, known.writing];
  if (Math.max(...tasks.map((topic) => evidence[topic]!)) > strongest) return 'task';
  if (strongest < FAINT) return 'no_commercial_context';
  return candidates.length === 0 ? 'no_match' : 'below_threshold';
}
