import { type Lexicon, NAMES, WANT } from '../lexicon/lexicon.ts';
import type { Reading } from './reading.ts';

/**
 * Whether anything in the whole conversation makes it no place for an ad. Said of oneself or outright is enough; a bare
 * mention is not when its message speaks of a film, a book, the news or history; loose words count when there are two.
 */
export function sensitive(reading: Reading, lexicon: Lexicon): boolean {
  const { hits, tokens } = reading;
  const told = new Set<number>();
  for (const hit of hits) if (hit.topic === lexicon.known.told) told.add(tokens.message[hit.from]!);
  const loose = new Map<number, Set<string>>();
  for (const { topic, kind, from } of hits) {
    if (!lexicon.sensitive[topic]) continue;
    if (kind === WANT) return true;
    if (told.has(tokens.message[from]!)) continue;
    if (kind === NAMES) return true;
    const words = loose.get(topic) ?? new Set();
    loose.set(topic, words.add(tokens.entries[from]!.stem));
    if (words.size > 1) return true;
  }
  return false;
}
