import type { Lexicon } from './lexicon.ts';
import type { Keywords } from './literal.ts';
import type { Market } from './market.ts';
import type { Reading } from './reading.ts';
import { START } from './text.ts';

/** Phrases shown for a candidate. */
const MATCHED = 5;
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

/** The conversation's topics, strongest first. */
export function topicsOf({ evidence }: Reading, { topics }: Lexicon): Topic[] {
  const found: Topic[] = [];
  for (let topic = 0; topic < evidence.length; topic++)
    if (evidence[topic]! >= SHOWN && !topics[topic]!.startsWith('_Intent'))
      found.push({ path: topics[topic]!, evidence: Math.round(100 * evidence[topic]!) / 100 });
  return found.sort((a, b) => b.evidence - a.evidence).slice(0, TOPICS);
}

/** At most 5 phrases that speak for a campaign: its keywords, then its topics, the newest first. */
export function matched(
  { arena, cards }: Market,
  slot: number,
  { tokens, hits }: Reading,
  keywords: Keywords,
): Match[] {
  const found = new Map<string, number>();
  const show = (from: number, to: number) => {
    if (found.size === MATCHED) return;
    const first = tokens.entries[from]!.said === START ? from + 1 : from;
    const words = tokens.entries.slice(first, to + 1).map((entry) => entry.said);
    found.set(words.join(' '), tokens.message[from]!);
  };
  let at = cards.start(slot);
  const topics = new Set<number>();
  for (let count = arena[at++]!; count > 0; count--, at += 2) topics.add(arena[at]!);
  keywords.read(at, (places) => show(Math.min(...places), Math.max(...places)));
  const own = hits.filter(({ topic }) => topics.has(topic)).sort((a, b) => b.from - a.from);
  for (const { from, to } of own) show(from, to);
  return [...found].map(([term, message]) => ({ term, message }));
}
