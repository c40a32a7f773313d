import { describe, expect, it } from 'vitest';
import { testLexicon } from '../helpers.ts';

const { languageDetector } = testLexicon;
const detect = (text: string) => {
  const { code, isSure } = languageDetector.detect(text);
  return isSure ? code : null;
};

describe('LanguageDetector', () => {
  it.each([
    ['en', 'Which washing machines are quiet enough for a small flat?'],
    ['de', 'Welche Waschmaschinen sind leise?'],
    ['de', 'Wo kann ich heute Abend gut essen?'],
    ['es', '¿Qué lavadora es la más silenciosa?'],
    ['es', 'Busco una cafetera automática'],
    ['fr', 'Où est-ce que je peux dîner ce soir ?'],
    ['fr', 'Je cherche une machine à café'],
    ['pt', 'Você pode me indicar um bom romance policial?'],
    ['pt', 'Procuro uma máquina de café'],
    ['it', 'Quale lavatrice è più silenziosa?'],
    ['it', 'Dove posso cenare stasera?'],
    ['nl', 'Waar kan ik vanavond lekker eten?'],
    ['nl', 'Ik zoek een koffiezetapparaat'],
    ['sv', 'Kan du rekommendera en bra deckare?'],
    ['sv', 'Vilka tvättmaskiner är tysta?'],
    ['pl', 'Gdzie mogę dziś zjeść kolację?'],
    ['pl', 'Szukam ekspresu do kawy'],
    ['tr', 'Hangi çamaşır makinesi sessiz?'],
    ['tr', 'İngilizce öğrenmek istiyorum'],
    ['ru', 'Какая стиральная машина самая тихая?'],
    ['ru', 'Где можно поужинать сегодня вечером?'],
    ['ja', '静かな洗濯機はどれですか？'],
    ['zh', '哪款洗衣机比较安静？'],
    ['ko', '조용한 세탁기 추천해 주세요'],
    ['th', 'เครื่องซักผ้ารุ่นไหนเงียบ'],
    ['ar', 'أبحث عن آلة قهوة'],
    ['hi', 'मुझे कॉफी मशीन चाहिए'],
    ['el', 'Ψάχνω φθηνό ξενοδοχείο'],
  ])('detects %s in "%s"', (language, text) => {
    expect(detect(text)).toBe(language);
  });

  it.each([
    'pizza',
    'hi',
    '',
    '12345',
    '🙂',
    'Adidas Samba',
    'cheap hotel berlin',
    'le creuset dutch oven sale',
    '旅行',
  ])('is not sure about "%s"', (text) => {
    expect(detect(text) ?? 'en').toBe('en');
  });

  it('detects the script despite a name in Latin letters', () => {
    expect(detect('iPhone 15 の値段を教えて')).toBe('ja');
    expect(detect('Где купить Samsung Galaxy?')).toBe('ru');
  });

  it('does not detect English because of an English name', () => {
    expect(detect('Wann läuft "Gone with the Wind" wieder bei uns im Kino?')).toBe('de');
  });

  it('takes a time that does not grow with the text', () => {
    expect(detect(`${'Ich suche ein ruhiges Hotel. '.repeat(20)}${'hotel '.repeat(100_000)}`)).toBe('de');
  });
});
