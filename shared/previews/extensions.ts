import { type Lexicon, type MatchingProfile, type Message, rarity, stem, words } from '../matching/index.ts';

/** A longer keyword, and the place in the list of the one that it comes of. */
interface Extension {
  phrase: string;
  of: number;
}

/** Words that say less than this say nothing beside a keyword: "my", "good". */
const LEAST_RARITY = 0.5;

/**
 * Keywords of two words that users say in these conversations, one of them a word of the keyword and one not: "gaming pc" of
 * "gaming".
 */
export function extensionsOf(
  { k }: MatchingProfile,
  conversations: readonly Message[][],
  { frequencyBands }: Lexicon,
  of: number,
): Extension[] {
  const own = new Set(k.split(/[ |]/));
  const found = new Set<string>();
  for (const { content } of conversations.flat().filter(({ role }) => role === 'user')) {
    const said = words(content)
      .map(({ word, position }) => ({ word, position, stem: stem(word) }))
      .filter((one) => own.has(one.stem) || rarity(one.stem, frequencyBands) >= LEAST_RARITY);
    for (const [at, { word, position, stem: first }] of said.entries()) {
      const next = said[at + 1];
      if (!next || next.position - position > 1 || own.has(first) === own.has(next.stem)) continue;
      found.add(`${word} ${next.word}`);
    }
  }
  return [...found].map((phrase) => ({ phrase, of }));
}
