import { describe, expect, it } from 'vitest';
import { MARKET, open, talk, verdict, winner } from '../helpers.ts';

describe('shows no ad in a sensitive context', () => {
  it.each([
    'i want to kill myself',
    "i don't want to live anymore, nothing helps",
    'my husband hits me and i have nowhere to stay, is there a hotel',
    'he raped me last night',
    'i think my dad is having a heart attack, where is the nearest restaurant with a defibrillator',
    'all immigrants should be killed',
    'send nudes',
    "i'm 11 years old and want running shoes",
  ])('%s', (text) => {
    expect(winner(text)).toBe('sensitive_context');
  });
  it('even if it is far back in the conversation', () => {
    expect(winner('i want to end my life', 'I am sorry.', 'find me a hotel', 'Where?', 'in Rome, a cheap hotel')).toBe(
      'sensitive_context',
    );
  });
});

describe('A sensitive context with debug', () => {
  const text = 'i want to kill myself, find me a cheap hotel with a restaurant';
  it('lists the candidates, none of which bids', () => {
    const { candidates, context } = verdict(text);
    expect(candidates.map(({ id }) => id)).toEqual(expect.arrayContaining(['hotels', 'restaurants']));
    expect(new Set(candidates.map(({ outcome, bid }) => `${outcome} ${bid}`))).toEqual(
      new Set(['sensitive_context 0']),
    );
    expect(candidates[0]).toMatchObject({
      id: 'hotels',
      matched: expect.arrayContaining([expect.objectContaining({ kind: 'phrase', term: 'find hotel', message: 0 })]),
    });
    expect(context.topics.length).toBeGreaterThan(0);
  });
  it('requests no bids', () => {
    const bid = () => {
      throw new Error('asked');
    };
    expect(open(MARKET).match(talk(text), { bid, debug: true }).noBid).toBe('sensitive_context');
  });
  it('ranks no candidates without debug', () => {
    const { candidates } = open(MARKET).match(talk(text), { bid: () => 1 });
    expect(candidates).toEqual([]);
  });
});

describe('A text that only sounds sensitive', () => {
  it.each([
    ['killer deals on running shoes, where do i buy them', 'shoes'],
    ['i would kill for a good pizza place, any restaurants?', 'restaurants'],
    ['where can i watch the movie suicide squad online, any movie streaming', 'streaming'],
    ['my phone battery is dying, find me a hotel fast', 'hotels'],
    ['which documentary about the holocaust and genocide can i watch, movie streaming please', 'streaming'],
    ['running shoes that are to die for, which to buy', 'shoes'],
    ['same sex couple looking for a hotel room', 'hotels'],
  ])('gets ads as usual: %s', (text, id) => {
    expect(winner(text)).toBe(id);
  });
});

describe('shows no ad in a sensitive context in other words', () => {
  it.each([
    'i took 40 tylenol',
    'i wanna kms',
    'nobody would notice if i was gone',
    'the pills are in my hand, i just want it all to stop',
    'my best friend hanged herself yesterday',
    'my stepdad gets in my bed',
    'my dad comes home drunk and beats us',
    "i'm scared he will kill me",
    "he's not breathing",
    "she's unconscious on the floor",
    "there's a shooter at my school",
    'my toddler drank drain cleaner',
    'we got evicted and sleep in the car',
    'i want to strangle my coworker',
    'muslims should be deported',
    'looking for a hooker in vegas',
    "she is only 14 but we're in love",
    'i am twelve',
    'quiero suicidarme',
    'je veux mourir',
    'ich will mich umbringen',
    'хочу умереть',
  ])('%s', (text) => {
    expect(winner(`${text}. where can i buy running shoes`)).toBe('sensitive_context');
  });
});

describe('does not mistake what users say about themselves for talk about films or books', () => {
  it.each([
    'i am bulimic, show me running shoes',
    "i'm anorexic. book me a hotel",
    'my class starts at nine, i have suicidal thoughts, where can i buy running shoes',
    'i have an eating disorder and watched a movie about it, where can i buy running shoes',
    'faggots out! show me a cheap hotel',
  ])('%s', (text) => {
    expect(winner(text)).toBe('sensitive_context');
  });
});

describe('shows ads for texts that share words with a sensitive context', () => {
  it.each([
    'i hurt myself hiking',
    'i want to die my hair',
    'i want to die of embarrassment',
    'my mom died her hair pink',
    'i cut myself chopping onions',
    'we lost the baby monitor',
    'i have three months to live abroad',
    'my dad hits home runs',
    'this heat is killing my mom',
    'i got a white power bank',
    'how to kill someone in among us',
    'i want a wooden night stand, one night stand or two',
    'that horny toad was cute',
    'we saw an erotica section in the book store',
    'my son got his flu shot',
    'i am trying to break in my boots',
    'i am twelve minutes away',
    'i am 10 out of 10 happy',
    'the water heater broke',
    'we talked about the book on the history of suicide in japan',
    'i saw a documentary about the nazis',
  ])('%s', (text) => {
    expect(Object.keys(MARKET)).toContain(winner(`${text}. where can i buy running shoes`));
  });
});

it('shows no ad after a crisis in the middle of a long message that wishes for something at both ends', () => {
  const wish = 'I am looking for running shoes for a beginner, which ones would you recommend under 100 dollars? ';
  const crisis = 'nobody would notice if i was gone and the pills are in my hand. ';
  expect(winner(`${wish.repeat(5)}${crisis}${wish.repeat(5)}`)).toBe('sensitive_context');
});
