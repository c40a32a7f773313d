import { describe, expect, it } from 'vitest';
import { audience, open, talk } from '../helpers.ts';

const SHOPS = {
  pets: audience(['pet supplies', 'dog toys']),
  tyres: audience(['winter tires']),
  hotels: audience(['hotels', 'hotel booking']),
};
const match = (market: Record<string, ReturnType<typeof audience>>, ...said: string[]) =>
  open(market).match(talk(...said), { bid: () => 1, debug: true });

describe('A need told in other words than a campaign', () => {
  it('gets the ad that meets it, explained by the nearest topic', () => {
    const { candidates } = match(SHOPS, 'my puppy chews every shoe, what can i give her');
    expect(candidates[0]).toMatchObject({
      id: 'pets',
      outcome: 'match',
      matched: [{ kind: 'meaning', term: 'Pet Supplies', message: 0, positions: [] }],
    });
  });
  it('gets no ad if it is no wish', () => {
    expect(
      match(SHOPS, 'when I was nine the sink was blocked for a whole summer and we laughed about it').noBid,
    ).not.toBeNull();
  });
  it('does not displace a campaign that shares its words', () => {
    const { candidates } = match(SHOPS, 'my dog is with me, I am looking for a hotel in Rome, which hotels take dogs?');
    expect(candidates[0]).toMatchObject({ id: 'hotels', outcome: 'match' });
  });
  it('is found among more campaigns than a match compares', () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_200 }, (_, i) => [`other${i}`, audience([`carpet number ${i}`])]),
    );
    const { candidates } = match({ ...many, ...SHOPS }, 'my puppy chews every shoe, what can i give her');
    expect(candidates.some(({ id, outcome }) => id === 'pets' && outcome === 'match')).toBe(true);
  });
});
