import { describe, expect, it } from 'vitest';
import { WordCache } from '../../../../shared/matching/lexicon/word-cache.ts';
import { testLexicon } from '../helpers.ts';

describe('a word cache', () => {
  it('knows a word wherever it stands in a text', () => {
    const wordCache = new WordCache(testLexicon);
    const alone = wordCache.findWord('flights');
    expect(alone).toMatchObject({ text: 'flights', stem: 'flight', isStopWord: false });
    expect(alone.vocabulary).toBe(testLexicon.vocabulary.get('flight'));
    expect(wordCache.findWord('flights')).toBe(alone);
  });
  it('tells words apart that share a figure', () => {
    const wordCache = new WordCache(testLexicon);
    const one = wordCache.find('hotel', 0, 5, 42);
    const other = wordCache.find('train', 0, 5, 42);
    expect([one.text, other.text]).toEqual(['hotel', 'train']);
    expect(wordCache.find('hotel', 0, 5, 42)).toBe(one);
  });
  it('goes on when more words share a place than it remembers', () => {
    const wordCache = new WordCache(testLexicon);
    for (let round = 0; round < 2; round++)
      for (let i = 0; i < 20; i++) expect(wordCache.find(`word${i}`, 0, 4 + `${i}`.length, 7).text).toBe(`word${i}`);
  });
  it('remembers no word longer than words are', () => {
    const wordCache = new WordCache(testLexicon);
    const long = 'a'.repeat(30_000);
    expect(wordCache.findWord(long)).not.toBe(wordCache.findWord(long));
  });
});
