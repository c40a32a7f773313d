import { describe, expect, it } from 'vitest';
import { type Audience, buildMatchingProfile, MatchIndex } from '../../../../shared/matching/index.ts';
import { audience, open, talk, testLexicon } from '../helpers.ts';

const bid = () => 1_000_000;
const bidders = (index: MatchIndex, ...contents: string[]) =>
  index
    .match(talk(...contents), { bid })
    .candidates.filter(({ outcome }) => outcome === 'match')
    .map(({ id }) => id);

const GERMAN: Audience = audience(['Restaurant', 'Tisch reservieren', 'Abendessen'], {
  headline: 'Frische Küche mitten in der Stadt',
  description: 'Reservieren Sie Ihren Tisch für heute Abend.',
});
const ENGLISH: Audience = audience(['restaurant', 'book a table', 'dinner'], {
  headline: 'Fresh food in the middle of town',
  description: 'Book your table for tonight and dine with a view.',
});

describe('A German and an English restaurant', () => {
  const index = open({ english: ENGLISH, german: GERMAN });

  it('each match conversations in their own language', () => {
    expect(bidders(index, 'Ich suche ein gutes Restaurant für heute Abend')).toEqual(['german']);
    expect(bidders(index, 'Can you find me a good restaurant for tonight?')).toEqual(['english']);
  });

  it('report the language as the reason not to bid', () => {
    const { candidates, context } = index.match(talk('Ich suche ein gutes Restaurant für heute Abend'), { bid });
    expect(candidates.find(({ id }) => id === 'english')).toMatchObject({ outcome: 'language', bid: 0 });
    expect(context.language).toBe('de');
  });

  it('may both bid if the language is a guess, the more likely one first', () => {
    const pizza = { headline: 'Pizza', description: 'Pizza Pizza' };
    const english = audience(['pizza'], { ...pizza, languages: ['en'] });
    const german = audience(['pizza'], { ...pizza, languages: ['de'] });
    expect(bidders(open({ english }), 'pizza')).toEqual(['english']);
    expect(bidders(open({ german }), 'pizza')).toEqual(['german']);
    expect(bidders(open({ german, english }), 'pizza')).toEqual(['english', 'german']);
  });

  it("match by the user's language, not by the assistant's", () => {
    expect(
      bidders(
        index,
        'Ich suche ein gutes Restaurant',
        'Sure! I would be happy to help you find a restaurant for dinner. What kind of food would you like?',
        'Ich möchte einen Tisch für zwei reservieren',
      ),
    ).toEqual(['german']);
  });
});

describe('The languages that an advertiser sets', () => {
  it('replace the detected languages', () => {
    const index = open({ both: { ...ENGLISH, languages: ['en', 'de'] }, french: { ...GERMAN, languages: ['fr'] } });
    expect(bidders(index, 'Ich suche ein gutes Restaurant für heute Abend')).toEqual(['both']);
    expect(bidders(index, 'Can you find me a good restaurant for tonight?')).toEqual(['both']);
  });

  it('are all used to stem the keywords', () => {
    const { k, l } = buildMatchingProfile(audience(['Flüge', 'flights'], { languages: ['de', 'en'] }), testLexicon);
    expect(l).toBe('de en');
    expect(k).toBe('flug/fluge|flight');
  });

  it('count as one if they are not distinguished', () => {
    expect(buildMatchingProfile(audience([], { languages: ['nb', 'nn', 'id'] }), testLexicon).l).toBe('no ms');
  });
});

it("prefers, among equals, the ad in the conversation's language to one of unknown language", () => {
  const index = open({ untold: audience(['sushi']), german: audience(['sushi'], { languages: ['de'] }) });
  for (let i = 0; i < 4; i++)
    expect(bidders(index, 'Wo gibt es heute Abend gutes Sushi?')).toEqual(['german', 'untold']);
});

describe('A keyword in another language than English', () => {
  it.each([
    ['Waschmaschine', 'Welche Waschmaschinen sind leise?'],
    ['Fahrrad', 'Ich suche ein Kinderfahrrad'],
    ['lavadora', '¿Qué lavadoras son silenciosas?'],
    ['chaussure', 'Je cherche des chaussures pour courir'],
    ['albergo', 'Cerco degli alberghi, quale mi consigli?'],
    ['wasmachine', 'Ik zoek een stille wasmachine, welke is goed?'],
    ['tvättmaskin', 'Vilka tvättmaskiner är tysta?'],
    ['pralka', 'Jaka pralka jest cicha?'],
    ['kahve makinesi', 'Kahve makinesi arıyorum, hangisi iyi?'],
    ['стиральная машина', 'Какие стиральные машины самые тихие?'],
    ['洗濯機', '静かな洗濯機を探しています'],
    ['洗衣机', '我想买一台安静的洗衣机'],
    ['세탁기', '조용한 세탁기를 찾고 있어요'],
    ['รองเท้าวิ่ง', 'อยากซื้อรองเท้าวิ่งใหม่'],
    ['فنادق', 'أين يمكنني أن أجد الفنادق؟'],
    ['होटल', 'मुझे जयपुर में होटल चाहिए'],
    ['Küche', 'Wo kann ich eine Einbauküche kaufen?'],
    ['Bett', 'Ich suche ein Boxspringbett'],
    ['보험', '자동차보험 추천해 주세요'],
    ['диван', 'Де купити диванів дешево?'],
    ['телефон', 'Кой телефон да си купя?'],
  ])('%s bids for "%s"', (keyword, message) => {
    expect(bidders(open({ one: audience([keyword]) }), message)).toEqual(['one']);
  });

  it('does not match a word that only ends like it: Krankenhaus is not Haus', () => {
    expect(bidders(open({ house: audience(['Haus']) }), 'Wo ist das nächste Krankenhaus?')).toEqual([]);
  });

  it('does not match English words: German "die" and "hat" sell no hats', () => {
    expect(bidders(open({ hats: audience(['hat']) }), 'Wer hat die Uhr erfunden und wann hat er das getan?')).toEqual(
      [],
    );
  });
});

describe('A product in other words than the keyword', () => {
  it.each([
    ['de', 'Restaurant', 'Bitte reserviere einen Tisch für vier Personen heute Abend'],
    ['de', 'Ferienwohnung', 'Ich suche eine Unterkunft für den Urlaub an der Ostsee'],
    ['fr', 'restaurant', 'Je voudrais réserver une table pour deux personnes ce soir'],
    ['fr', 'vols', 'Je cherche des billets d’avion pas chers pour Lisbonne'],
    ['es', 'restaurante', 'Tengo hambre, ¿dónde puedo cenar esta noche?'],
    ['it', 'ristorante', 'Vorrei prenotare un tavolo per due persone'],
    ['pt', 'viagem', 'Onde compro passagens aéreas baratas para Lisboa?'],
    ['nl', 'hotel', 'Ik zoek een overnachting in Utrecht voor twee nachten'],
    ['pl', 'hotel', 'Szukam: tanie noclegi w Krakowie'],
    ['ja', '旅行', '安い航空券を探しています'],
  ])('is found in (%s) for %s by "%s"', (language, keyword, message) => {
    expect(bidders(open({ one: audience([keyword], { languages: [language] }) }), message)).toEqual(['one']);
  });

  it.each([
    ['de', 'Hotel', 'Wann wurde das älteste Hotel der Welt gegründet?'],
    ['de', 'Musik', 'Stelle den Wecker auf sieben und schalte die Musik aus'],
    ['fr', 'restaurant', 'Annulez ma réservation au restaurant'],
    ['es', 'música', 'Apaga la música en una hora'],
    ['it', 'film', 'Chi ha scritto il film di ieri sera?'],
  ])('is not found in (%s) for %s by "%s"', (language, keyword, message) => {
    expect(bidders(open({ one: audience([keyword], { languages: [language] }) }), message)).toEqual([]);
  });
});

it('finds the matching campaign among any number of higher bids in other languages', () => {
  const index = new MatchIndex(testLexicon);
  const english = buildMatchingProfile(ENGLISH, testLexicon);
  for (let i = 0; i < 3_000; i++) index.set(`english ${i}`, english, 9_000_000);
  index.set('german', buildMatchingProfile(GERMAN, testLexicon), 1_000_000);
  expect(bidders(index, 'Ich suche ein gutes Restaurant für heute Abend')).toEqual(['german']);
});
