import type { Market } from '../inventory/demand.ts';
import type { Lexicon } from '../lexicon/lexicon.ts';
import type { Hit } from '../lexicon/phrases.ts';
import { heard } from '../reading/evidence.ts';
import type { Reading } from '../reading/reading.ts';
import { START } from '../text/words.ts';
import type { Keywords } from './keywords.ts';

/** Phrases shown for a candidate. */
const MATCHED = 5;
/** Phrases of each topic that those are chosen from: bounds the work for a message of one repeated phrase. */
const NEWEST = 100;
/** Topics shown for a conversation, and the least evidence of one. */
const TOPICS = 8;
const SHOWN = 0.1;

export interface Topic {
  path: string;
  evidence: number;
}

/** What spoke for a campaign, as said in the conversation, and the index of the message. */
export interface Match {
  term: string;
  message: number;
}

/** The tokens of a phrase, and how much the one counts that counts least. */
interface Said {
  from: number;
  to: number;
  counts: number;
}

/** The conversation's topics, strongest first. */
export function topicsOf({ evidence }: Reading, { topics }: Lexicon): Topic[] {
  const found: Topic[] = [];
  for (let topic = 0; topic < evidence.length; topic++)
    if (evidence[topic]! >= SHOWN && !topics[topic]!.startsWith('_Intent'))
      found.push({ path: topics[topic]!, evidence: Math.round(100 * evidence[topic]!) / 100 });
  return found.sort((a, b) => b.evidence - a.evidence).slice(0, TOPICS);
}

/**
 * At most 5 phrases that speak for a campaign: its keywords, then its topics, each where it counts most, the newest of equals. What
 * counts for nothing does not speak for it: what is denied, and what is part of a phrase of another meaning.
 */
export function matched(
  { arena, cards }: Market,
  slot: number,
  { tokens, hits, force }: Reading,
  keywords: Keywords,
): Match[] {
  const found = new Map<string, number>();
  const show = (from: number, to: number) => {
    if (found.size === MATCHED) return;
    const said = tokens.entries.slice(from, to + 1).map((entry) => entry.said);
    const term = said.filter((word) => word !== START).join(' ');
    if (!found.has(term)) found.set(term, tokens.message[from]!);
  };
  let at = cards.start(slot);
  const topics = new Set<number>();
  for (let count = arena[at++]!; count > 0; count--, at += 2) topics.add(arena[at]!);
  keywords.read(at, (places) => {
    if (places.every((token) => force[token]! > 0)) show(Math.min(...places), Math.max(...places));
  });
  const own = newest(hits, topics, force).sort((a, b) => b.counts - a.counts || b.from - a.from);
  for (const { from, to } of own) show(from, to);
  return [...found].map(([term, message]) => ({ term, message }));
}

/** What was said of topics and counts, the newest of each topic; `hits` are in order of topic and end. */
function newest(hits: readonly Hit[], topics: ReadonlySet<number>, force: Float32Array): Said[] {
  const found: Said[] = [];
  let kept = 0;
  for (let i = hits.length - 1; i >= 0; i--) {
    const hit = hits[i]!;
    const { topic, from, to } = hit;
    if (topic !== hits[i + 1]?.topic) kept = topics.has(topic) ? 0 : NEWEST;
    if (kept === NEWEST) continue;
    const counts = heard(hit, force);
    if (counts > 0) {
      found.push({ from, to, counts });
      kept++;
    }
  }
  return found;
}
