import type { DemandIndex } from '../inventory/demand-index.ts';
import { leastTokenWeight } from '../reading/evidence.ts';
import type { ConversationReading } from '../reading/reading.ts';
import { MESSAGE_START } from '../text/words.ts';
import type { KeywordMatcher } from './keywords.ts';

/** Phrases shown for a candidate. */
const MOST_PHRASES = 5;
/** Phrases of each topic that those are chosen from: bounds the work for a message of one repeated phrase. */
const MOST_HITS = 100;
/** Topics shown for a conversation, and the least evidence of one. */
const MOST_TOPICS = 8;
const LEAST_EVIDENCE = 0.1;

export interface ConversationTopic {
  path: string;
  evidence: number;
}

/** What spoke for a campaign, as said in the conversation, and the index of the message. */
export interface MatchedPhrase {
  term: string;
  message: number;
}

/** The tokens of a phrase, and the weight of the one that counts least. */
interface WeightedSpan {
  from: number;
  to: number;
  weight: number;
}

/** The conversation's topics, strongest first; none that only says what kind of talk it is, whose paths begin with “_”. */
export function strongestTopics({ evidence, lexicon }: ConversationReading): ConversationTopic[] {
  const found: ConversationTopic[] = [];
  for (const [topic, path] of lexicon.topics.entries()) {
    const own = evidence[topic] ?? 0;
    if (own >= LEAST_EVIDENCE && !path.startsWith('_')) found.push({ path, evidence: Math.round(100 * own) / 100 });
  }
  return found.sort((a, b) => b.evidence - a.evidence).slice(0, MOST_TOPICS);
}

/**
 * At most 5 phrases that speak for a campaign: its keywords, then its topics, each where it counts most, the newest of equals. What
 * counts for nothing does not speak for it: what is negated, and what is part of a phrase of another meaning.
 */
export function matchedPhrases(
  { records, slots }: DemandIndex,
  slot: number,
  reading: ConversationReading,
  keywords: KeywordMatcher,
): MatchedPhrase[] {
  const { tokens, tokenWeights } = reading;
  const found = new Map<string, number>();
  const show = (from: number, to: number) => {
    if (found.size === MOST_PHRASES) return;
    const said = tokens.words.slice(from, to + 1).map(({ text }) => text);
    const term = said.filter((word) => word !== MESSAGE_START).join(' ');
    if (!found.has(term)) found.set(term, tokens.message(from));
  };
  let at = slots.recordStart(slot);
  const topics = new Set<number>();
  for (let count = records.at(at++); count > 0; count--, at += 2) topics.add(records.at(at));
  keywords.match(at, (spoken) => {
    if (spoken.every((token) => tokenWeights[token] !== 0)) show(Math.min(...spoken), Math.max(...spoken));
  });
  const spans = newestSpans(reading, topics).sort((a, b) => b.weight - a.weight || b.from - a.from);
  for (const { from, to } of spans) show(from, to);
  return [...found].map(([term, message]) => ({ term, message }));
}

/** What was said of topics and counts, the newest of each topic; hits are in order of topic and last token. */
function newestSpans({ hits, tokenWeights }: ConversationReading, topics: ReadonlySet<number>): WeightedSpan[] {
  const found: WeightedSpan[] = [];
  let current = -1;
  let kept = 0;
  for (let i = hits.length - 1; i >= 0; i--) {
    const hit = hits[i]!;
    if (hit.topic !== current) kept = 0;
    current = hit.topic;
    if (kept === MOST_HITS || !topics.has(current)) continue;
    const weight = leastTokenWeight(hit, tokenWeights);
    if (weight === 0) continue;
    found.push({ from: hit.from, to: hit.to, weight });
    kept++;
  }
  return found;
}
