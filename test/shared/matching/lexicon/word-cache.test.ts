import { describe, expect, it } from 'vitest';
import { DEFAULT_WORD_RULES } from '../../../../shared/matching/language/word-rules.ts';
import { WordCache } from '../../../../shared/matching/lexicon/word-cache.ts';
import { TokenScanner } from '../../../../shared/matching/text/token-scanner.ts';
import { testLexicon } from '../helpers.ts';

describe('WordCache', () => {
  it('finds a word at any place in a text', () => {
    const wordCache = new WordCache(testLexicon);
    const single = wordCache.findWord('flights');
    expect(single).toMatchObject({ text: 'flights', stem: 'flight', isStopWord: false });
    expect(single.vocabulary).toBe(testLexicon.vocabulary.get('flight'));
    expect(wordCache.findWord('flights')).toBe(single);
  });
  it('distinguishes words with the same hash', () => {
    const wordCache = new WordCache(testLexicon);
    const one = wordCache.find('hotel', 0, 5, 42);
    const other = wordCache.find('train', 0, 5, 42);
    expect([one.text, other.text]).toEqual(['hotel', 'train']);
    expect(wordCache.find('hotel', 0, 5, 42)).toBe(one);
  });
  it('continues when a set is full', () => {
    const wordCache = new WordCache(testLexicon);
    for (let round = 0; round < 2; round++)
      for (let i = 0; i < 20; i++) expect(wordCache.find(`word${i}`, 0, 4 + `${i}`.length, 7).text).toBe(`word${i}`);
  });
  it('finds the words of a batch like single words', () => {
    const wordCache = new WordCache(testLexicon);
    const text = `hotel r&b u.s ${Array.from({ length: 100 }, (_, i) => `word${i % 70}`).join(' ')} hotel`;
    for (let round = 0; round < 2; round++)
      for (const scanner = new TokenScanner(text); wordCache.batch.take(scanner); ) {
        const { length, from, to, isWord } = wordCache.batch;
        const found = [...wordCache.findAll(text, DEFAULT_WORD_RULES)].slice(0, length);
        for (const [i, word] of found.entries()) {
          const token = text.slice(from[i], to[i]);
          expect(word).toBe(isWord[i] ? wordCache.findWord(token) : undefined);
          expect(word?.text ?? token).toBe(token);
        }
      }
  });
  it('caches a long word, such as a compound, among a few others', () => {
    const wordCache = new WordCache(testLexicon);
    const rules = testLexicon.wordRules.get({ code: 'de', isSure: true });
    const find = (word: string) => wordCache.findWord(word, rules);
    const compound = 'waschmaschinenversicherungskaufberatung';
    expect(find(compound)).toBe(find(compound));
    expect(find(compound).text).toBe(compound);
    const known = find(compound);
    for (let i = 0; i < 5_000; i++) find(`${compound}${i}`);
    expect(find(compound)).not.toBe(known);
  });
  it('treats a word that is longer than any keyword as unknown under all rules', () => {
    const wordCache = new WordCache(testLexicon);
    const long = `${'a'.repeat(100)}hotel`;
    for (const code of ['de', 'en', 'ko']) {
      const rules = testLexicon.wordRules.get({ code, isSure: true });
      const word = wordCache.findWord(long, rules);
      expect(word).toMatchObject({ fingerprints: [], vocabulary: -1, rarity: 1, negationRoles: 0 });
      expect(word.text.length).toBeLessThan(10);
      expect(wordCache.find(`hotel ${long}`, 6, 6 + long.length, 1, rules)).toBe(word);
    }
  });
});
