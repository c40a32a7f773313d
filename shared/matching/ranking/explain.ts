import type { DemandIndex } from '../inventory/demand-index.ts';
import { type PhraseHit, readPhrase } from '../lexicon/phrases.ts';
import { getMinTokenWeight } from '../reading/evidence.ts';
import type { ConversationReading } from '../reading/read-conversation.ts';
import type { TextRange, TokenLocator } from '../reading/token-locator.ts';
import { MESSAGE_START } from '../text/words.ts';
import type { KeywordMatcher } from './keyword-matcher.ts';
import { scoreTopic } from './relevance.ts';

/** Terms shown per candidate. */
const MAX_TERMS = 5;
/** Phrases considered per topic. Bounds the work for a message that repeats one phrase. */
const MAX_HITS_PER_TOPIC = 100;
/** Topics shown per conversation, and the minimum evidence of one. */
const MAX_TOPICS = 8;
const MIN_EVIDENCE = 0.1;

export interface ConversationTopic {
  path: string;
  evidence: number;
}

/**
 * Why a campaign matched: one of its keywords by number, a phrase of the lexicon, a topic that the publisher stated for a page, or, without
 * any of these, the topic nearest to its meaning, which resembles the conversation's. Terms are
 * stored and sent to others, so they never contain words of the conversation; only positions show where they were said.
 */
export type MatchedTerm = (KeywordTerm | LexiconTerm) & TermLocation;

interface KeywordTerm {
  kind: 'keyword';
  keyword: number;
}

type LexiconTerm =
  | { kind: 'topic' | 'meaning'; term: string }
  /** With the paths of all topics that the phrase belongs to. */
  | { kind: 'phrase'; term: string; topics: string[] };

interface TermLocation {
  /** Index of the message. */
  message: number;
  /** Ranges in the message's content; empty if not requested or unknown. */
  positions: TextRange[];
}

/** A phrase, and the smallest weight of its words. */
interface WeightedHit {
  hit: PhraseHit;
  weight: number;
}

/** The conversation's topics, the strongest first. Internal topics, whose paths begin with "_", are left out. */
export function getStrongestTopics({ evidence, lexicon }: ConversationReading): ConversationTopic[] {
  const found: ConversationTopic[] = [];
  for (const [topic, path] of lexicon.topics.entries()) {
    const own = evidence[topic] ?? 0;
    if (own >= MIN_EVIDENCE && !path.startsWith('_')) found.push({ path, evidence: Math.round(100 * own) / 100 });
  }
  return found.sort((a, b) => b.evidence - a.evidence).slice(0, MAX_TOPICS);
}

/**
 * Finds at most 5 terms that support a campaign: its keywords, then phrases of its topics, by weight, ties newest first. Terms of weight 0
 * are left out: negated ones, and parts of a phrase with another meaning. *
 * @param locator finds where the terms were said; without it, positions are empty
 */
export function findMatchedTerms(
  { records, slots }: DemandIndex,
  slot: number,
  reading: ConversationReading,
  keywords: KeywordMatcher,
  locator?: TokenLocator,
): MatchedTerm[] {
  const { tokens, tokenWeights } = reading;
  const found = new Map<string, MatchedTerm>();
  /** The words of the shown keywords. Phrases with the same words are skipped. */
  const shownKeys = new Set<string>();
  const toKey = (said: readonly number[]) =>
    said
      .map((token) => tokens.word(token).stem)
      .sort()
      .join(' ');
  const show = (term: KeywordTerm | LexiconTerm, said: readonly number[]) => {
    const key = term.kind === 'keyword' ? `#${term.keyword}` : term.term;
    if (found.size === MAX_TERMS || found.has(key)) return;
    const message = tokens.message(Math.min(...said));
    found.set(key, { ...term, message, positions: locator?.findRanges(said, message) ?? [] });
  };
  let at = slots.recordStart(slot) + 1;
  const topics = new Set<number>();
  for (let count = records.at(at++); count > 0; count--, at += 2) topics.add(records.at(at));
  keywords.match(at, (said, keyword) => {
    if (said.some((token) => tokenWeights[token] === 0)) return;
    show({ kind: 'keyword', keyword }, said);
    shownKeys.add(toKey(said));
  });
  const hits = findNewestHits(reading, topics).sort((a, b) => b.weight - a.weight || b.hit.from - a.hit.from);
  for (const { hit } of hits) {
    if (found.size === MAX_TERMS) break;
    const { term, said } = toLexiconTerm(hit, reading);
    if (!shownKeys.has(toKey(said))) show(term, said);
  }
  const nearest = records.at(slots.recordStart(slot)) - 1;
  if (found.size === 0 && nearest >= 0)
    return [{ kind: 'meaning', term: getTopicName(nearest, reading), message: reading.latest.message, positions: [] }];
  return [...found.values()];
}

/** The path of the campaign's topic that fits the conversation best; undefined if none has evidence. */
export function findFittingTopic(
  { records, slots }: DemandIndex,
  slot: number,
  reading: ConversationReading,
): string | undefined {
  const { evidence, lexicon } = reading;
  let at = slots.recordStart(slot) + 1;
  let fitting: number | undefined;
  let highest = Number.NEGATIVE_INFINITY;
  for (let count = records.at(at++); count > 0; count--, at += 2) {
    const topic = records.at(at);
    if (!evidence[topic] || lexicon.isInternal[topic]) continue;
    const score = scoreTopic(reading, topic, records.at(at + 1) / 100);
    if (score > highest) [fitting, highest] = [topic, score];
  }
  return fitting === undefined ? undefined : lexicon.topics[fitting];
}

/** A hit in the lexicon's spelling, and its tokens. A stated topic has no phrase; its whole message represents it. */
function toLexiconTerm(hit: PhraseHit, { messages, tokens, lexicon }: ConversationReading) {
  if (messages[tokens.message(hit.from)]?.topics?.includes(hit.topic)) {
    const term: LexiconTerm = { kind: 'topic', term: getTopicName(hit.topic, { lexicon }) };
    return { term, said: [hit.from] };
  }
  const { tokens: all, topics } = readPhrase(hit, tokens, lexicon);
  const words = lexicon.spellings.write(all.map((token) => tokens.wordNumber(token)));
  const isWord = (word: string) => word !== MESSAGE_START;
  const paths = topics.map((topic) => lexicon.topics[topic]!);
  const term: LexiconTerm = { kind: 'phrase', term: words.filter(isWord).join(' '), topics: paths };
  const said = all.filter((token) => tokens.wordNumber(token) !== lexicon.messageStart);
  return { term, said };
}

const getTopicName = (topic: number, { lexicon }: Pick<ConversationReading, 'lexicon'>): string =>
  lexicon.topics[topic]?.split(' > ').at(-1) ?? '';

/** The newest hits of each topic with a weight above 0. Hits are ordered by topic and last token. */
function findNewestHits({ hits, tokenWeights }: ConversationReading, topics: ReadonlySet<number>): WeightedHit[] {
  const found: WeightedHit[] = [];
  let current = -1;
  let kept = 0;
  for (let i = hits.length - 1; i >= 0; i--) {
    const hit = hits[i]!;
    if (hit.topic !== current) kept = 0;
    current = hit.topic;
    if (kept === MAX_HITS_PER_TOPIC || !topics.has(current)) continue;
    const weight = getMinTokenWeight(hit, tokenWeights);
    if (weight === 0) continue;
    found.push({ hit, weight });
    kept++;
  }
  return found;
}
