import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint, fingerprintSuffixes } from '../../../../shared/matching/text/fingerprint.ts';
import { fold } from '../../../../shared/matching/text/fold.ts';
import { stem } from '../../../../shared/matching/text/stem.ts';
import { SENTENCE_GAP } from '../../../../shared/matching/text/token-scanner.ts';
import { splitWords } from '../../../../shared/matching/text/words.ts';
import { unicodeStrings } from '../../../characters.ts';
import { scaleRuns } from '../../../run-size.ts';

const cut = (text: string) => splitWords(text).map(({ word }) => word);

describe('splitWords', () => {
  it('ignores case, accents, and compatibility forms', () => {
    expect(cut('CAFÉ café cafe\u0301 ｃａｆｅ')).toEqual(['cafe', 'cafe', 'cafe', 'cafe']);
  });
  it('writes ß as ss', () => {
    expect(cut('Straße STRASSE')).toEqual(['strasse', 'strasse']);
  });
  it.each([
    ['Japanese', 'バス', 'ハス'],
    ['Hindi', 'काम', 'कम'],
    ['Thai', 'เสื้อ', 'เสือ'],
    ['Korean', '호텔', '하텔'],
  ])('keeps the marks that are letters in %s', (_, one, other) => {
    expect(cut(one)).not.toEqual(cut(other));
    expect(cut(one.normalize('NFD'))).toEqual(cut(one));
    expect(cut(one).join('')).toBe(one);
  });
  it('drops the points of Hebrew and Arabic', () => {
    expect(cut('שָׁלוֹם سَلَام')).toEqual(cut('שלום سلام'));
  });
  it('keeps contractions whole and drops the possessive', () => {
    expect(cut("don't the hotel’s U.S. 3.50 B&B")).toEqual(['dont', 'hotel', 'us', '3.50', 'bb']);
  });
  it('keeps an "is" after "\'s", like text without the apostrophe', () => {
    expect(cut("he's and what’s but not john's")).toEqual(['hes', 'and', 'whats', 'but', 'not', 'john']);
  });
  it('splits scripts without spaces', () => {
    expect(cut('東京のホテルを予約')).toContain('ホテル');
    expect(cut('จองโรงแรม').length).toBeGreaterThan(1);
    expect(cut('ゴルフクラブを買いたい')).toContain('ゴルフ');
    expect(cut('15歳の息子に自転車')).toContain('自転車');
    expect(cut('ซื้อน้ำหอม')).toContain('ซื้อ');
  });
  it('ignores invisible characters', () => {
    expect(cut('ho\u200btel \u202efl\u00adight')).toEqual(['hotel', 'flight']);
    expect(cut('ho\u2066tel\u2069 ho\u180etel ho\u{e0061}tel \u2764\ufe0f')).toEqual(['hotel', 'hotel', 'hotel']);
  });
  it('ignores emoji, lone surrogates, and markup signs', () => {
    expect(cut('✈️ flight \ud800 <b>hotel</b> **now**')).toEqual(['flight', 'b', 'hotel', 'b', 'now']);
  });
  it.each([
    ['letters', 'abcdefghij'.repeat(300)],
    ['letters between signs of Han', `我${'abcdefghij'.repeat(60)}hotel我`],
    ['letters behind signs of Han', `我们${'x'.repeat(799)}hotel`],
    ['letters between words of Thai', `โรงแรม${'x'.repeat(395)}hotel`],
    ['digits between signs of Han', `我${'1234567890'.repeat(41)}2024`],
  ])('does not take a part of a run without spaces for a word: %s', (_, text) => {
    const found = cut(text);
    const parts = found.filter((word) => /[a-z0-9]/.test(word));
    expect(parts.every((word) => word.length > 100)).toBe(true);
    expect(parts.length).toBeGreaterThan(0);
  });
  it('splits a long run without spaces like a short one', () => {
    const sentence = '我们打算下个月带孩子去杭州旅游想找一家离西湖近一点的酒店';
    const own = cut(sentence);
    expect(cut(sentence.repeat(40))).toEqual(Array.from({ length: 40 }, () => own).flat());
  });
  it('limits the marks on a letter to those of any language, in whatever order they are', () => {
    const [word] = cut(`क${'\u0301\u0323'.repeat(5_000)}`);
    expect(word!.length).toBeLessThan(40);
    expect(cut(`e${'\u0301\u0323'.repeat(5_000)}`)).toEqual(['e']);
  });
  it('puts words further apart across a comma, and too far for a phrase across sentences', () => {
    const [one, two, three] = splitWords('one, two. three');
    expect(two!.position - one!.position).toBe(2);
    expect(three!.position - two!.position).toBeGreaterThan(SENTENCE_GAP);
  });
  it('leaves out articles and possessives, which lets phrases match around them', () => {
    expect(cut('book a room in the hotel')).toEqual(['book', 'room', 'in', 'hotel']);
  });
});

describe('fold', () => {
  it('folds a word like the same word within a longer text', { tags: 'whole' }, () => {
    const letters = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      unicodeStrings(12),
      fc.string({
        unit: fc.constantFrom(...'aZßẞéİıΣσςŉﬁ가ㅋᄏ\u1161ﾞカｶำา\u0301\u0323\u200b\u00ad\ufdfa\ud800'),
        maxLength: 12,
      }),
    );
    const rest = ` ${'x'.repeat(200)}`;
    fc.assert(
      fc.property(letters, (text) => {
        expect(fold(text) + rest).toBe(fold(text + rest));
      }),
      { numRuns: scaleRuns(20_000), seed: 11 },
    );
  });
});

describe('fingerprintSuffixes', () => {
  it('gives a suffix the same fingerprint as the same letters as a word', () => {
    const word = 'straßenbahnhaltestelle';
    const ends = fingerprintSuffixes(word, 4, 20);
    expect(ends).toEqual(Array.from({ length: 17 }, (_, i) => fingerprint(word.slice(i - 20))));
    expect(new Set(ends).size).toBe(17);
  });
});

describe('stem', () => {
  it.each([
    ['flights', 'flight'],
    ['booking', 'booked'],
    ['bus', 'buses'],
    ['bought', 'buy'],
    ['flew', 'flying'],
    ['children', 'child'],
    ['travelling', 'travel'],
    ['tyres', 'tire'],
    ['businesses', 'business'],
    ['organizer', 'organise'],
    ['mens', 'men'],
  ])('gives %s and %s the same stem', (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });
  it.each([
    ['news', 'new'],
    ['aws', 'awful'],
    ['university', 'universe'],
    ['skies', 'skiing'],
    ['doctor', 'doctorate'],
    ['busy', 'business'],
    ['customer', 'custom'],
    ['customs', 'custom'],
    ['important', 'import'],
    ['stock', 'stockings'],
    ['rings', 'ringing'],
    ['organize', 'organ'],
    ['electric', 'electricity'],
    ['shorts', 'short'],
    ['wed', 'wedding'],
  ])('gives %s and %s different stems', (one, other) => {
    expect(stem(one)).not.toBe(stem(other));
  });
  it('leaves other languages unchanged', () => {
    expect(stem('отели')).toBe('отели');
  });
});
