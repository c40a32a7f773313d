import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** A topic's phrases, and the path of topics above it. */
const WEIGHT_BY_LEVEL = [1, 0.6, 0.4, 0.3, 0.2];
/** The weight of a phrase that is only related to a topic. */
const RELATED_WEIGHT = 0.7;
const MIN_PHRASES = 2;

/** Words, and how often each appears in a context: next to another word, or in the phrases of a topic. */
export interface WordCounts {
  words: string[];
  /** The weight of each context (by number) for each word. */
  counts: Map<number, number>[];
  contexts: number;
}

/** Counts words in `phrases.txt.br`. A line has a topic's path, its phrases as stems, and related phrases. */
export function countWords(): WordCounts {
  const text = brotliDecompressSync(readFileSync(new URL('phrases.txt.br', import.meta.url))).toString();
  const topics = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [path = '', own = '', related = ''] = line.split('\t');
      return { path: path.split(' > '), phrases: [...parsePhrases(own, 1), ...parsePhrases(related, RELATED_WEIGHT)] };
    });
  const words = commonWords(topics.flatMap(({ phrases }) => phrases.map(({ stems }) => stems)));
  const wordNumbers = new Map(words.map((word, number) => [word, number]));
  const counts = words.map(() => new Map<number, number>());
  const numbers = new Map<string, number>();
  const add = (word: number, context: string, weight: number) => {
    const number = numbers.get(context) ?? numbers.size;
    numbers.set(context, number);
    counts[word]!.set(number, (counts[word]!.get(number) ?? 0) + weight);
  };
  for (const { path, phrases } of topics)
    for (const { stems, weight } of phrases) {
      const known = stems.flatMap((stem) => wordNumbers.get(stem) ?? []);
      for (const word of known) {
        for (const [level, share] of WEIGHT_BY_LEVEL.entries())
          if (level < path.length) add(word, `topic ${path.slice(0, path.length - level).join(' > ')}`, share * weight);
        for (const other of known) if (other !== word) add(word, `word ${other}`, 1);
      }
    }
  return { words, counts, contexts: numbers.size };
}

const parsePhrases = (phrases: string, weight: number) =>
  phrases.split('|').flatMap((phrase) => (phrase ? [{ stems: phrase.split(' '), weight }] : []));

/** Words that appear in several phrases, the most frequent first. */
function commonWords(phrases: readonly string[][]): string[] {
  const frequencies = new Map<string, number>();
  for (const stems of phrases)
    for (const stem of new Set(stems)) frequencies.set(stem, (frequencies.get(stem) ?? 0) + 1);
  return [...frequencies]
    .filter(([word, count]) => count >= MIN_PHRASES && word !== '^')
    .sort(([one, often], [other, seldom]) => seldom - often || (one < other ? -1 : 1))
    .map(([word]) => word);
}
