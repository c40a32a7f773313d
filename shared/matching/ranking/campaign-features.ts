import type { Market } from '../inventory/demand.ts';
import type { Reading } from '../reading/reading.ts';
import type { Keywords, Literal } from './keywords.ts';
import { topicScore } from './relevance.ts';

/** What speaks for one campaign in a conversation. */
export interface Signals {
  /** What the best of its topics adds to its log-odds. */
  score: number;
  /** How its own keywords stand. */
  literal: Literal;
  /** Where the exclusions begin in the campaign's record. */
  exclusions: number;
}

export function signals({ arena, cards }: Market, slot: number, reading: Reading, keywords: Keywords): Signals {
  let at = cards.start(slot);
  let score = 0;
  for (let topics = arena[at++]!; topics > 0; topics--, at += 2)
    score = Math.max(score, topicScore(reading, arena[at]!, arena[at + 1]! / 100));
  const literal = keywords.read(at);
  for (let left = arena[at++]!; left > 0; left--) at += 2 + arena[at]!;
  return { score, literal, exclusions: at };
}
