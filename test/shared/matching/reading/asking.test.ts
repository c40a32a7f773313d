import { describe, expect, it } from 'vitest';
import { askingOf } from '../../../../shared/matching/reading/asking.ts';

const asked = (message: string, saysNeed = false) => askingOf(message, true, saysNeed);

describe('a wish', () => {
  it.each([
    'how much does a new roof cost?',
    'recipe for lentil soup',
    'is the blue one still in stock?',
    'could you draft an itinerary for three days in Porto?',
    'I went to Oslo last year, and where can I stay this time?',
    'how do I change a tire?',
    'tents for two',
  ])('stands in "%s"', (message) => {
    expect(asked(message).wishes).toBe(1);
  });
  it.each([
    'who won the final in 1974?',
    'Tom had 12 apples and buys 3 more. How many does he have?',
    'what is the ratio of restaurants to hotels?',
    'please cancel my reservation',
    'how do I cancel my subscription?',
    'find the emails of my boss',
    'add milk to the shopping list',
    'I love to play the guitar with friends',
  ])('is none of "%s"', (message) => {
    expect(asked(message).wishes).toBe(0);
  });
  it('is what a topic knows as a need, unless something is to be done to what one has', () => {
    const lockedOut = 'i locked myself out of the flat';
    expect(asked(lockedOut).wishes).toBe(0);
    expect(asked(lockedOut, true)).toEqual({ wishes: 1, buys: 0, chore: 0 });
    expect(asked('cancel my lesson', true).wishes).toBe(0);
  });
  it('is to get something where one asks what to buy, or where it is', () => {
    expect(asked('which tent should I buy?').buys).toBe(1);
    expect(asked('how do tents stay dry?').buys).toBe(0);
    expect(asked('please cancel what I wanted to buy').buys).toBe(0);
  });
});
