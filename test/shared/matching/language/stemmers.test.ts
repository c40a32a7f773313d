import { describe, expect, it } from 'vitest';
import { FUNCTION_WORDS } from '../../../../shared/matching/language/function-words.ts';
import { fingerprint } from '../../../../shared/matching/text/fingerprint.ts';
import { fold } from '../../../../shared/matching/text/fold.ts';
import { splitWords } from '../../../../shared/matching/text/words.ts';
import { testLexicon } from '../helpers.ts';

const getRules = (code: string) => testLexicon.wordRules.get({ code, isSure: true });
const stemIn = (code: string, word: string) => getRules(code).getForms(getRules(code).fold(word)).stems[0];

describe('A word', () => {
  it('is its own stem if its stemmer fails', () => {
    expect(stemIn('bg', 'препоръчате')).toBe('препоръчате');
  });
  it.each([
    ['de', 'Waschmaschine', 'Waschmaschinen'],
    ['de', 'Zahnarzt', 'Zahnärzte'],
    ['de', 'Flug', 'Flüge'],
    ['es', 'canción', 'canciones'],
    ['es', 'lavadora', 'lavadoras'],
    ['fr', 'chaussure', 'chaussures'],
    ['fr', 'cheval', 'chevaux'],
    ['pt', 'sapato', 'sapatos'],
    ['it', 'albergo', 'alberghi'],
    ['it', 'lavatrice', 'lavatrici'],
    ['nl', 'vlucht', 'vluchten'],
    ['sv', 'tvättmaskin', 'tvättmaskiner'],
    ['da', 'hotel', 'hotellet'],
    ['no', 'hotell', 'hotellet'],
    ['fi', 'hotelli', 'hotellin'],
    ['pl', 'hotel', 'hotelach'],
    ['pl', 'pralka', 'pralki'],
    ['tr', 'otel', 'otelleri'],
    ['ru', 'машина', 'машины'],
    ['ru', 'дешёвый', 'дешевые'],
    ['ar', 'فندق', 'الفندق'],
    ['hi', 'होटल', 'होटलों'],
    ['ko', '호텔', '호텔에서'],
    ['ko', '고양이', '고양이를'],
  ])('shares a stem with its inflections: %s, %s, and %s', (language, one, other) => {
    expect(stemIn(language, other)).toBe(stemIn(language, one));
  });

  it.each([
    ['de', 'Hotel', 'Haus'],
    ['ko', '강아지', '고양이'],
    ['pl', 'pralka', 'praca'],
    ['ru', 'машина', 'магазин'],
  ])('does not share a stem with another word: %s, %s, and %s', (language, one, other) => {
    expect(stemIn(language, other)).not.toBe(stemIn(language, one));
  });

  const isAskedForAs = (code: string, word: string, part = '') =>
    getRules(code).getPartFingerprints(word, getRules(code).getForms(word).stems[0]!).includes(fingerprint(part));

  it.each([
    ['de', 'kinderfahrrad', 'fahrrad'],
    ['de', 'lebensversicherungen', stemIn('de', 'Versicherung')],
    ['sv', 'kaffemaskin', 'maskin'],
    ['ko', '전기자전거', '자전거'],
  ])('that is a compound is also looked up by its head: %s, %s', (code, word, end) => {
    expect(isAskedForAs(code, word, end)).toBe(true);
  });

  it.each([
    ['hotelzimmer', 'hotel'],
    ['hauskauf', 'haus'],
    ['reiseversicherungsvergleich', stemIn('de', 'Reiseversicherung')],
  ])('that is a compound with a generic head is looked up by its first part: %s', (word, begin) => {
    expect(isAskedForAs('de', word, begin)).toBe(true);
  });

  it.each([
    ['de', 'kaffeevollautomat', 'kaffee'],
    ['de', 'krankenhaus', 'haus'],
    ['en', 'bookcase', 'case'],
  ])('is not looked up by a part that is something else: %s, %s', (code, word, part) => {
    expect(isAskedForAs(code, word, part)).toBe(false);
  });
});

describe('A text', () => {
  const cut = (code: string, text: string) => splitWords(text, getRules(code)).map(({ word }) => word);

  it('is split at the apostrophe in French and Italian', () => {
    expect(cut('fr', "l'hôtel d'Annecy")).toEqual(['l', 'hôtel', 'd', 'annecy']);
    expect(cut('it', 'dell’albergo')).toEqual(['dell', 'albergo']);
  });

  it.each([
    ['ja', '洗濯機を買いたい', '洗濯'],
    ['zh', '我想买洗衣机', '洗衣'],
    ['th', 'อยากซื้อรองเท้าวิ่ง', 'รองเท้า'],
  ])('without spaces is split into words: %s', (language, text, word) => {
    expect(cut(language, text).join(' ')).toContain(word);
    expect(cut(language, text).length).toBeGreaterThan(2);
  });
});

it('lists function words in their folded form, each once', () => {
  for (const list of Object.values(FUNCTION_WORDS)) {
    const all = list.split(' ');
    expect(all.map(fold)).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
  }
});
