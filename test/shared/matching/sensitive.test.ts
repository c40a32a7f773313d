import { describe, expect, it } from 'vitest';
import { MARKET, open, talk, verdict, winner } from './helpers.ts';

describe('a sensitive context gets no ad', () => {
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
  it('even when it was said long ago', () => {
    expect(winner('i want to end my life', 'I am sorry.', 'find me a hotel', 'Where?', 'in Rome, a cheap hotel')).toBe(
      'sensitive_context',
    );
  });
});

describe('a sensitive context under debug', () => {
  const text = 'i want to kill myself, find me a cheap hotel with a restaurant';
  it('shows who would have been weighed, and none of them bids', () => {
    const { candidates, context } = verdict(text);
    expect(candidates.map(({ id }) => id)).toEqual(expect.arrayContaining(['hotels', 'restaurants']));
    expect(new Set(candidates.map(({ outcome, bid }) => `${outcome} ${bid}`))).toEqual(
      new Set(['sensitive_context 0']),
    );
    expect(candidates[0]).toMatchObject({
      id: 'hotels',
      matched: expect.arrayContaining([{ term: 'cheap hotel', message: 0 }]),
    });
    expect(context.topics.length).toBeGreaterThan(0);
  });
  it('asks nobody for a bid', () => {
    const bid = () => {
      throw new Error('asked');
    };
    expect(open(MARKET).match(talk(text), { bid, debug: true }).silence).toBe('sensitive_context');
  });
  it('weighs nobody where no explanation is wanted', () => {
    const { candidates } = open(MARKET).match(talk(text), { bid: () => 1 });
    expect(candidates).toEqual([]);
  });
});

describe('what only sounds sensitive', () => {
  it.each([
    ['killer deals on running shoes, where do i buy them', 'shoes'],
    ['i would kill for a good pizza place, any restaurants?', 'restaurants'],
    ['where can i watch the movie suicide squad online, any movie streaming', 'streaming'],
    ['my phone battery is dying, find me a hotel fast', 'hotels'],
    ['which documentary about the holocaust and genocide can i watch, movie streaming please', 'streaming'],
    ['running shoes that are to die for, which to buy', 'shoes'],
    ['same sex couple looking for a hotel room', 'hotels'],
  ])('is answered as usual: %s', (text, id) => {
    expect(winner(text)).toBe(id);
  });
});
