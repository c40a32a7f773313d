import { expect, it } from 'vitest';
import { TermDictionary } from '../../../../shared/matching/inventory/term-dictionary.ts';
import { WordCache } from '../../../../shared/matching/lexicon/word-cache.ts';
import { generator } from '../../../../tools/random.ts';
import { testLexicon } from '../helpers.ts';

it('finds exactly the words that some campaign has, after any sequence of additions and releases', () => {
  const random = generator(8);
  const terms = new TermDictionary(testLexicon);
  const words = Array.from({ length: 4_000 }, (_, index) => `termoom${index}`);
  const wordCache = new WordCache(testLexicon);
  const uses = new Map<string, number>();
  const numbers = new Map<string, number>();
  for (let step = 0; step < 60_000; step++) {
    const word = words[Math.floor(random() * words.length)]!;
    const used = uses.get(word) ?? 0;
    if (used > 0 && random() < 0.55) {
      terms.release(numbers.get(word)!);
      uses.set(word, used - 1);
    } else {
      numbers.set(word, terms.add(word));
      uses.set(word, used + 1);
    }
    const query = words[Math.floor(random() * words.length)]!;
    const expected = (uses.get(query) ?? 0) > 0 ? numbers.get(query) : -1;
    expect(terms.find(wordCache.findWord(query))).toBe(expected);
  }
  const present = words.filter((word) => uses.get(word));
  expect(new Set(present.map((word) => numbers.get(word))).size).toBe(present.length);
});
