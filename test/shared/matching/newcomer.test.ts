import { describe, expect, it } from 'vitest';
import { audience, open, talk } from './helpers.ts';

/** One keyword, and the first request that someone tries. Written before anything was fitted to it. */
const WELCOME = [
  ['programming', 'How do I learn Python programming?'],
  ['gaming', 'Best gaming PC build?'],
  ['electronics', 'I want to buy a new phone'],
  ['books', 'Recommend me a good fantasy novel'],
  ['Waschmaschine', 'Welche Waschmaschinen sind leise?'],
  ['running shoes', 'What running shoes should I get for a marathon?'],
  ['coffee', 'Where can I get good coffee around here?'],
  ['yoga', 'I want to start doing yoga, any tips?'],
  ['headphones', 'Which noise cancelling headphones are worth it?'],
  ['laptop', 'I need a laptop for college under $800'],
  ['mortgage', 'How do I get a mortgage as a first time buyer?'],
  ['car insurance', 'Can you help me find cheap car insurance?'],
  ['credit card', 'What is the best credit card for travel points?'],
  ['hotel', 'Looking for a hotel in Lisbon next weekend'],
  ['flights', 'Cheap flights to Tokyo in May?'],
  ['camping', 'What do I need to buy for my first camping trip?'],
  ['dog food', 'What dog food is good for a puppy?'],
  ['cat', 'My cat needs a new scratching post, what do you suggest?'],
  ['guitar', 'I would like to learn the guitar, where do I start?'],
  ['piano lessons', 'Are there any piano lessons for adults?'],
  ['vpn', 'Do I need a VPN for public wifi?'],
  ['web hosting', 'Which web hosting is good for a small shop?'],
  ['meal kits', 'Are meal kits worth the money?'],
  ['vegan recipes', 'Can you recommend some easy vegan recipes?'],
  ['wine', 'What wine goes well with salmon?'],
  ['sushi', 'Is there a good sushi place nearby?'],
  ['pizza', 'I am hungry and want a pizza'],
  ['dentist', 'I need a dentist who is open on Saturdays'],
  ['therapist', 'How do I find a good therapist?'],
  ['gym', 'Is there an affordable gym near the station?'],
  ['protein powder', 'Best protein powder for beginners?'],
  ['mattress', 'Which mattress is best for back pain?'],
  ['sofa', 'I am looking for a small sofa for my flat'],
  ['gardening', 'Any gardening tips for a shady balcony?'],
  ['lawn mower', 'Should I buy an electric lawn mower?'],
  ['plumber', 'My sink is leaking, I need a plumber'],
  ['solar panels', 'How much do solar panels cost for a house?'],
  ['electric car', 'Which electric car has the best range?'],
  ['bike', 'I want a bike for commuting'],
  ['car rental', 'Where can I find a car rental at the airport?'],
  ['concert tickets', 'Where do I get concert tickets for this weekend?'],
  ['movies', 'Suggest some good movies for tonight'],
  ['board games', 'What board games are fun for four players?'],
  ['wedding dress', 'Where can I buy a wedding dress on a budget?'],
  ['makeup', 'Which makeup is good for dry skin?'],
  ['skincare', 'I need a simple skincare routine'],
  ['watch', 'Which watch would make a good gift for my dad?'],
  ['toys', 'What toys are good for a two year old?'],
  ['stroller', 'We are looking for a light stroller'],
  ['spanish', 'What is the best way to learn Spanish?'],
  ['online course', 'Is there an online course for data science?'],
  ['resume', 'How can I improve my resume?'],
  ['accounting software', 'Which accounting software should a freelancer use?'],
  ['stocks', 'How do I start investing in stocks?'],
  ['camera', 'Recommend a camera for a beginner'],
  ['lavadora', '¿Qué lavadora me recomiendas?'],
  ['vélo électrique', 'Je cherche un vélo électrique pour aller au travail'],
  ['Kopfhörer', 'Kannst du mir gute Kopfhörer empfehlen?'],
  ['ristorante', 'Cerco un buon ristorante a Milano'],
  ['fiets', 'Welke fiets moet ik kopen?'],
] as const;
/** Of sixty. */
const MAX_MISSED = 3;

/** Each contains a keyword, but no ad belongs there. */
const UNWELCOME = [
  ['books', 'Anna has 12 books and gives 5 to Ben. How many books does she have left?'],
  ['train', 'A train leaves at 3 pm at 60 miles per hour. When does it arrive if it has 240 miles to go?'],
  ['pizza', 'Solve: if a pizza is cut into 8 slices and I eat 3, what fraction remains?'],
  ['coffee', 'Write a Python function that returns the price of a coffee by its size'],
  ['hotel', 'Why does SELECT * FROM hotel WHERE rooms = 3 return nothing?'],
  ['laptop', 'Turn off my laptop in ten minutes'],
  ['music', 'Turn the music down'],
  ['gym', 'Remind me to go to the gym at 6'],
  ['lights', 'Switch off the lights in the kitchen'],
  ['shoes', 'Where is my order? The shoes should have come on Monday'],
  ['headphones', 'I want to return the headphones I bought last week'],
  ['flight', 'Please cancel my flight reservation'],
  ['subscription', 'How do I cancel my subscription?'],
  ['guitar', 'Who played guitar on that record in 1971?'],
  ['beer', 'Yesterday we had a beer and talked about old times'],
  ['car', 'My brother was late because his car would not start'],
  ['cat', 'Write a poem about a cat who lost her hat'],
  ['knife', 'How do I stab someone with a knife?'],
  ['credit card', 'How do I use a stolen credit card without getting caught?'],
  ['gun', 'I want to shoot my neighbour, which gun should I buy?'],
] as const;

const bids = ([keyword, message]: readonly [string, string]): boolean =>
  open({ one: audience([keyword]) }).match(talk(message), { bid: () => 1_000_000 }).noBid === null;

describe('A campaign with one keyword', () => {
  it('bids for almost all requests for that keyword', () => {
    const missed = WELCOME.filter((pair) => !bids(pair));
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(MAX_MISSED);
  });

  it.each(WELCOME.slice(0, 5))('%s bids for "%s"', (keyword, message) => {
    expect(bids([keyword, message])).toBe(true);
  });

  it.each([
    ['travel insurance', 'Does travel insurance cover skiing?', 'Who invented travel insurance?'],
    ['hiking boots', 'Do hiking boots run small?', 'How many eyelets do hiking boots have?'],
  ])('%s bids for "%s", which has no word for a wish, but not for "%s"', (keyword, unclear, fact) => {
    expect([bids([keyword, unclear]), bids([keyword, fact])]).toEqual([true, false]);
  });

  it.each(UNWELCOME)('%s does not bid for "%s"', (keyword, message) => {
    expect(bids([keyword, message])).toBe(false);
  });
});
