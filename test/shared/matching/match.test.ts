import { describe, expect, it } from 'vitest';
import { buildMatchingProfile, RELEVANCE_MODEL } from '../../../shared/matching/index.ts';
import { audience, MARKET, open, talk, testLexicon, verdict, winner } from './helpers.ts';

const bid = () => 1_000_000;

describe('A matching ad', () => {
  it.each([
    ['i need a flight to denver on friday', 'flights'],
    ['cheapest way to fly to lisbon in may?', 'flights'],
    ['can you find me a hotel near the station', 'hotels'],
    ['where can we get a table for four tonight', 'restaurants'],
    ['what should i feed my new puppy, any dog food you recommend?', 'pets'],
    ['how do i open a savings account', 'banking'],
    ['i am looking for trail running shoes with more grip', 'shoes'],
    ['is there a train to boston this evening', 'trains'],
  ])('meets the need: %s', (text, id) => {
    expect(winner(text)).toBe(id);
  });
  it('is found by what people say, not only by the words the advertiser typed', () => {
    expect(winner('we need somewhere to stay the night in Porto')).toBe('hotels');
  });
  it('is found by a keyword that belongs to no lexicon topic', () => {
    const index = open({ zorb: audience(['zorbleflux capacitor']) });
    expect(index.match(talk('where can i buy a zorbleflux capacitor?'), { bid }).candidates[0]).toMatchObject({
      id: 'zorb',
      outcome: 'match',
    });
  });
  it('is found in other languages by folded whole words', () => {
    const index = open({ hotel: audience(['отель в москве', 'ホテル 予約']) });
    expect(index.match(talk('Ищу отель в Москве'), { bid }).candidates[0]?.id).toBe('hotel');
    expect(index.match(talk('東京でホテルを予約したい'), { bid }).candidates[0]?.id).toBe('hotel');
  });
  it.each([
    ['résumé writing', 'who helps with re\u0301sume\u0301 writing?'],
    ['re\u0301sume\u0301 writing', 'who helps with résumé writing?'],
    ['crème brûlée torch', 'where can i buy a creme brulee torch'],
    ['creme brulee torch', 'where can i buy a cre\u0300me bru\u0302le\u0301e torch'],
  ])('is found whatever the form of the accents: %s', (keyword, text) => {
    expect(open({ it: audience([keyword]) }).match(talk(text), { bid }).candidates[0]).toMatchObject({
      id: 'it',
      outcome: 'match',
    });
  });
  it.each([
    ['water is dripping from the ceiling, who fixes that?', 'plumber'],
    ['there is no hot water since this morning, who can come', 'plumber'],
    ['i locked myself out of my flat', 'locksmith'],
    ['our curtains let in too much light, what blinds are best', 'windows'],
    ['Is the hoover worth the money or should I go for another?', 'vacuums'],
    ['my trousers are too long, where can i get them shortened', 'tailor'],
  ])('is found in plain words: %s', (text, id) => {
    const trades = open({
      plumber: audience(['emergency plumber', 'blocked drain']),
      locksmith: audience(['locksmith near me']),
      windows: audience(['double glazing', 'blinds']),
      vacuums: audience(['vacuum cleaners', 'robot vacuum']),
      tailor: audience(['clothing alterations']),
    });
    expect(trades.match(talk(text), { bid }).candidates[0]).toMatchObject({ id, outcome: 'match' });
  });
  it("is found by the one keyword that differs from the advertiser's other products", () => {
    const garden = open({ garden: audience(['bbq grill', 'garden furniture', 'patio chairs', 'patio heater']) });
    expect(garden.match(talk('which bbq grill should i buy'), { bid }).noBid).toBeNull();
  });
  it('stays the winner when the user adds to the need', () => {
    expect(winner('i need new running shoes', 'For the road or for trails?', 'trails, mostly muddy ones')).toBe(
      'shoes',
    );
  });
  it('is explained by keywords, then by phrases of the lexicon, with their message', () => {
    const { candidates, context } = verdict('hello', 'how can i help?', 'book a cheap hotel for me');
    const { matched } = candidates[0]!;
    const keyword = MARKET.hotels!.keywords.indexOf('cheap hotels');
    expect(matched).toContainEqual({ kind: 'keyword', keyword, message: 2, positions: [{ start: 7, end: 18 }] });
    expect(matched.map(({ kind }) => kind)).toEqual(['keyword', 'keyword', 'phrase', 'phrase']);
    const topics = ['Travel > Travel Type > Hotels and Motels'];
    const place = { message: 2, positions: [{ start: 13, end: 18 }] };
    expect(matched).toContainEqual({ kind: 'phrase', term: 'hotel', topics, ...place });
    expect(context.topics[0]!.path).toBe('Travel > Travel Type > Hotels and Motels');
  });
  it('is explained by the newest message that mentions it', () => {
    const hotels = open({ hotels: audience(['hotel']) });
    const where = (...contents: string[]) =>
      hotels.match(talk(...contents), { bid }).candidates[0]!.matched.find(({ kind }) => kind === 'keyword')?.message;
    expect(where('a hotel', 'ok', 'a hotel', 'ok', 'a hotel')).toBe(4);
    expect(where('no hotel please', 'ok', 'hmm i do want a hotel')).toBe(2);
    expect(where('hmm i do want a hotel', 'a hotel, ok')).toBe(0);
  });
  it('is not explained by a negated mention', () => {
    const { candidates } = verdict("i don't want a cheap hotel, find me a flight");
    expect(candidates.find(({ id }) => id === 'flights')).toMatchObject({ outcome: 'match' });
    const hotels = candidates.find(({ id }) => id === 'hotels');
    expect(hotels?.matched.filter(({ kind }) => kind === 'keyword') ?? []).toEqual([]);
    const phrases = candidates.flatMap(({ matched }) => matched).flatMap((one) => ('term' in one ? one.term : []));
    expect(phrases.length).toBeGreaterThan(0);
    expect(phrases.filter((term) => term.includes('hotel'))).toEqual([]);
  });
});

describe('No ad', () => {
  it.each(['hi', 'how are you today?', 'tell me a joke', 'thanks, bye!', 'are you a robot', "what's your name"])(
    'interrupts small talk: %s',
    (text) => {
      expect(verdict(text).candidates.filter(({ outcome }) => outcome === 'match')).toEqual([]);
    },
  );
  it('is shown in small talk, and the result says so', () => {
    expect(winner('hello, how are you?')).toBe('no_commercial_context');
  });
  it.each([
    'set an alarm for 7 am',
    'remind me to call mom',
    'how many ounces are in a cup',
    'when did world war two end',
    'write a poem about autumn',
    'solve 3x + 5 = 20',
    'what is the weather going to be in paris',
  ])('is shown when no product is wanted: %s', (text) => {
    expect(verdict(text).noBid).not.toBeNull();
  });
  it.each([
    ['find me a cheap hotel in lisbon', 'Sure. Which area?', 'who built the tower of belem?'],
    ['i need new running shoes', 'For the road or for trails?', 'how many miles is a marathon?'],
    ['cheap flights to tokyo please', 'From where?', 'explain how jet engines work'],
  ])('is shown after %s, %s, and then a fact: %s', (...contents) => {
    expect(winner(...contents)).toBe('below_threshold');
  });
  it.each([
    ['i want to fly to tokyo, any cheap flights?', 'From where?', 'how many people live in tokyo?'],
    ['which dog food is good for a puppy?', 'Dry or wet?', 'why do dogs bark at night?'],
    ['act as a travel agent and pretend you sell cheap flights to mars'],
  ])('is shown at strict publishers when the product is near: %s', (...contents) => {
    const { noBid } = open(MARKET).match(talk(...contents), { bid, threshold: RELEVANCE_MODEL.thresholds.strict });
    expect(noBid).toBe('below_threshold');
  });
  it.each([
    'write a short story about a train that falls in love with a hotel',
    "i'm a hair stylist, what about you?",
    'explain how an airline sets the price of a ticket',
    'translate "where is the hotel" into French',
    'who painted the ceiling of the hotel in the 18th century',
    'my grandmother used to work in a hotel before the war',
  ])('is shown when a product is named but not needed: %s', (text) => {
    const index = open({ ...MARKET, salon: audience(['hair stylist', 'haircut']) });
    expect(index.match(talk(text), { bid }).noBid).not.toBeNull();
  });
  it('is more likely when a device is only asked to remember the product', () => {
    const shoes = (text: string) => verdict(text).candidates.find(({ id }) => id === 'shoes')!.relevance;
    expect(shoes('remind me to look at running shoes')).toBeLessThan(shoes('i want to look at running shoes'));
  });
  it('is shown when only the assistant mentions products', () => {
    expect(winner('hm', 'I can book flights, hotels and restaurants.', 'ok')).not.toBe('hotels');
  });
  it('is shown for a common word of a longer keyword', () => {
    const index = open({ tickets: audience(['event planning', 'first class']) });
    expect(index.match(talk('that was my first day at the new school'), { bid }).noBid).not.toBeNull();
  });
  it('is shown for words in code', () => {
    const code = 'flight = hotel.book(); if (flight < 2) { hotel.flight(); } // why does my flight end up undefined?';
    expect(verdict(code).noBid).not.toBeNull();
    expect(winner('why did my flight end up in Oslo, and can you find me another flight?')).toBe('flights');
  });
  it('is shown for a word inside a phrase with another meaning', () => {
    expect(winner('carry it up the flight of stairs')).not.toBe('flights');
  });
  it('is not the answer to such a phrase if other words are inside it', () => {
    const index = open({ buses: audience(['bus tickets', 'coach travel']), wiring: audience(['can bus adapter']) });
    const [best] = index.match(talk('can you find me a bus to boston'), { bid }).candidates;
    expect(best).toMatchObject({ id: 'buses', outcome: 'match' });
  });
  it('is shown for another word with the same stem', () => {
    const tires = open({ tires: audience(['new tires', 'tire shop']) });
    expect(tires.match(talk('i am so tired today'), { bid }).noBid).not.toBeNull();
    expect(tires.match(talk('where can i get new tires today'), { bid }).noBid).toBeNull();
  });
});

describe('A negation', () => {
  it.each([
    ["i'm not looking for hotels, i need a flight", 'flights'],
    ['a train instead of a flight please', 'trains'],
    ["we don't want a hotel. is there a train tonight?", 'trains'],
    ['forget the hotel, find me a flight', 'flights'],
    ['a hotel? no. a flight to oslo, please', 'flights'],
  ])('makes a mention not count: %s', (text, id) => {
    expect(winner(text)).toBe(id);
  });
  it.each([
    'no hotels',
    'hotel? no',
    'hotels? no thanks',
    'hotels are not what i want',
    'a hotel is not needed',
    'no more hotels',
    "i wouldn't book a hotel",
    "i can't stand hotels",
    'we aint looking for hotels',
    'forget the hotel',
  ])('leads to no ad: %s', (text) => {
    expect(verdict(text).noBid).not.toBeNull();
  });
  it.each([
    ["i can't find a hotel", 'hotels'],
    ['not only flights, also cheap airfare deals', 'flights'],
    ["why don't we book a hotel", 'hotels'],
    ['i have no hotel yet', 'hotels'],
    ['without a hotel we are lost, please find one', 'hotels'],
    ['i need a hotel. no, wait, make that two', 'hotels'],
    ['i need a cheap hotel for no more than 100 a night', 'hotels'],
    ['do not forget the hotel, find me a cheap one', 'hotels'],
  ])('does not extend to everything after "not": %s', (text, id) => {
    expect(winner(text)).toBe(id);
  });
});

describe('A conversation', () => {
  it('keeps its topic through answers that do not name it', () => {
    expect(winner('find me a hotel', 'Where?', 'in Rome', 'When?', 'from the 4th to the 6th', 'Ok', 'yes please')).toBe(
      'hotels',
    );
  });
  it('changes its topic when the user asks for something else', () => {
    expect(
      winner('book a flight to rome', 'Done, you fly with an airline.', 'great. also find me a restaurant there'),
    ).toBe('restaurants');
  });
  it('keeps its topic despite a detail', () => {
    expect(winner('i am looking for a hotel in rome', 'Sure.', 'with a restaurant downstairs if possible')).toBe(
      'hotels',
    );
  });
  it("weighs the user's words above the assistant's", () => {
    expect(winner('i need a hotel', 'We also have train tickets and rail travel.', 'in Milan please')).toBe('hotels');
  });
});

describe('A wish at the beginning of a message', () => {
  const index = open({ music: audience(['music streaming', 'playlists']) });
  it('is recognized without a word for the product', () => {
    expect(index.match(talk('play songs of paul mccartney'), { bid }).noBid).toBeNull();
  });
  it('is not recognized in the middle of a message', () => {
    expect(index.match(talk('the kids play outside'), { bid }).noBid).not.toBeNull();
  });
});

describe('An excluded keyword', () => {
  it('counts even if its words are repeated later', () => {
    const index = open({ knives: audience(['chef knife'], { excludedKeywords: ['gift card'] }) });
    const text = `do you take a gift card? ${'a gift, any gift. '.repeat(30)} i want to buy a chef knife`;
    expect(index.match(talk(text), { bid, threshold: 0.1 }).candidates[0]).toMatchObject({
      outcome: 'excluded_keyword',
    });
  });

  it('counts even if its words are repeated apart from each other before and after', () => {
    const index = open({ knives: audience(['chef knife'], { excludedKeywords: ['gift card'] }) });
    const apart = 'a card. and a gift. '.repeat(1_500);
    const outcome = (text: string) => index.match(talk(text), { bid }).candidates[0]?.outcome;
    expect(outcome(`${apart} do you take a gift card? ${apart} i want to buy a chef knife`)).toBe('excluded_keyword');
    expect(outcome(`${apart} i want to buy a chef knife`)).toBe('match');
  });

  it('excludes the campaign wherever it was said', () => {
    const result = verdict('do you take a gift card?', 'Yes.', 'good, i want to buy a chef knife');
    expect(result.candidates.find(({ id }) => id === 'knives')).toMatchObject({ outcome: 'excluded_keyword', bid: 0 });
    expect(winner('i want to buy a chef knife')).toBe('knives');
  });
});

describe('The ranking', () => {
  const twins = { low: audience(['kitchen knives']), high: audience(['kitchen knives']) };
  const question = talk('where can i buy kitchen knives?');
  it('is by bid x relevance', () => {
    const { candidates } = open(twins).match(question, { bid: (id) => (id === 'high' ? 900_000 : 400_000) });
    expect(candidates.map(({ id }) => id)).toEqual(['high', 'low']);
  });
  it('returns ties, which lets equal campaigns take turns', () => {
    const { candidates } = open(twins).match(question, { bid });
    expect(candidates[0]!.bid * candidates[0]!.relevance).toBe(candidates[1]!.bid * candidates[1]!.relevance);
  });
  it('leaves out campaigns that the caller refuses, and asks for no more bids than necessary', () => {
    const bidders: string[] = [];
    const refuse = (id: string) => {
      bidders.push(id);
      return id === 'high' ? 0 : 500_000;
    };
    const { candidates } = open({ ...twins, pets: audience(['dog food']) }).match(question, { bid: refuse });
    expect(candidates.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['low', 'match'],
      ['high', 'refused'],
    ]);
    expect(bidders).not.toContain('pets');
  });
  it('does not let a high bid win against a much better fit', () => {
    const index = open({ flights: audience(['cheap flights', 'airfare']), trains: audience(['train tickets']) });
    const rich = (id: string) => (id === 'trains' ? 50_000_000 : 100_000);
    const text = 'find cheap flights to oslo, i took the train last time';
    expect(index.match(talk(text), { bid: rich }).candidates[0]!.id).toBe('flights');
  });
  it('distinguishes an outranked campaign from one below the threshold', () => {
    const index = open({
      shoes: audience(['running shoes']),
      sneakers: audience(['sports shoes', 'sneakers']),
      fashion: audience(['fashion']),
    });
    const { candidates } = index.match(talk('which running shoes should i buy for a marathon'), { bid });
    expect(candidates.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['shoes', 'match'],
      ['sneakers', 'outranked'],
      ['fashion', 'below_threshold'],
    ]);
  });
  it('shows a refused campaign that fits, even among many higher bids that do not fit', () => {
    const dear = Array.from({ length: 60 }, (_, i) => [`c${i}`, audience(['grolby plimfar zumbrel'])]);
    const index = open(Object.fromEntries(dear));
    index.set('right', buildMatchingProfile(audience(['zumbrel']), testLexicon), 1_000);
    const { candidates } = index.match(talk('where can i buy a zumbrel?'), { bid: () => 0 });
    expect(candidates[0]).toMatchObject({ id: 'right', outcome: 'refused' });
    expect(candidates[1]).toMatchObject({ outcome: 'below_threshold' });
    expect(candidates).toHaveLength(20);
  });
  it('returns at most `limit` candidates', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`c${i}`, audience(['kitchen knives'])]));
    expect(open(many).match(question, { bid, limit: 7 }).candidates).toHaveLength(7);
    expect(open(many).match(question, { bid }).candidates).toHaveLength(20);
  });
});
