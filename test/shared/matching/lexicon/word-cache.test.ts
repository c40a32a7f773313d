import { describe, expect, it } from 'vitest';
import { Wordbook } from '../../../../shared/matching/lexicon/word-cache.ts';
import { lexicon } from '../helpers.ts';

describe('a wordbook', () => {
  it('knows a word wherever it stands in a text', () => {
    const wordbook = new Wordbook(lexicon);
    const alone = wordbook.findWord('flights');
    expect(alone).toMatchObject({ said: 'flights', stem: 'flight', filler: false });
    expect(alone.vocabulary).toBe(lexicon.vocabulary.get('flight'));
    expect(wordbook.findWord('flights')).toBe(alone);
  });
  it('tells words apart that share a figure', () => {
    const wordbook = new Wordbook(lexicon);
    const one = wordbook.find('hotel', 0, 5, 42);
    const other = wordbook.find('train', 0, 5, 42);
    expect([one.said, other.said]).toEqual(['hotel', 'train']);
    expect(wordbook.find('hotel', 0, 5, 42)).toBe(one);
  });
  it('goes on when more words share a place than it remembers', () => {
    const wordbook = new Wordbook(lexicon);
    for (let round = 0; round < 2; round++)
      for (let i = 0; i < 20; i++) expect(wordbook.find(`word${i}`, 0, 4 + `${i}`.length, 7).said).toBe(`word${i}`);
  });
  it('remembers no word longer than words are', () => {
    const wordbook = new Wordbook(lexicon);
    const long = 'a'.repeat(30_000);
    expect(wordbook.findWord(long)).not.toBe(wordbook.findWord(long));
  });
});
