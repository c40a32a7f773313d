import { describe, expect, it } from 'vitest';
import { type AuctionCandidate, getSecondPrice } from '../../../../shared/ads/auction/auction.ts';
import { fromUsd, toUsd } from '../../../../shared/platform/values/money.ts';

interface One {
  bid: number;
  relevance: number;
  outcome?: AuctionCandidate['outcome'];
}

/** What the first candidate pays, as a CPM in USD. */
function paid([winner, ...others]: [One, ...One[]], floor = 0): number {
  const candidateOf = ({ bid, relevance, outcome = 'lower_rank' }: One) =>
    ({ bid: fromUsd(bid), relevance, outcome }) as AuctionCandidate;
  const won = candidateOf({ ...winner, outcome: 'won' });
  return toUsd(getSecondPrice(won, [won, ...others.map(candidateOf)], fromUsd(floor)));
}

describe('the second price', () => {
  it('is the lowest price that keeps the winner ahead by bid × relevance', () => {
    expect(
      paid([
        { bid: 5, relevance: 0.8 },
        { bid: 6, relevance: 0.4 },
      ]),
    ).toBe(3.001);
    expect(
      paid([
        { bid: 5, relevance: 0.5 },
        { bid: 2, relevance: 1 },
      ]),
    ).toBe(4.001);
    expect(
      paid([
        { bid: 4, relevance: 0.9 },
        { bid: 3, relevance: 0.7 },
      ]),
    ).toBe(2.334); // 2.3333…
  });

  it('depends on the highest bid × relevance of the others that could have won', () => {
    const others = [
      { bid: 8, relevance: 0.2 },
      { bid: 3, relevance: 0.6 },
    ];
    expect(paid([{ bid: 4, relevance: 0.6 }, ...others])).toBe(3.001);
    expect(paid([{ bid: 4, relevance: 0.6 }, ...others, { bid: 4, relevance: 0.59, outcome: 'blocked' }])).toBe(3.001);
  });

  it('is at least the floor and at most the winner’s bid', () => {
    expect(
      paid(
        [
          { bid: 5, relevance: 0.8 },
          { bid: 6, relevance: 0.4 },
        ],
        4,
      ),
    ).toBe(4);
    expect(
      paid([
        { bid: 4, relevance: 0.5 },
        { bid: 2, relevance: 1 },
      ]),
    ).toBe(4);
    expect(
      paid([
        { bid: 4, relevance: 0.5 },
        { bid: 1.9999, relevance: 1 },
      ]),
    ).toBe(4);
    expect(paid([{ bid: 4, relevance: 0.5 }])).toBe(0.001);
  });
  it('rounds a floor up to the next $0.001, so that the price is never below it', () => {
    expect(paid([{ bid: 5, relevance: 0.8 }], 1.2341)).toBe(1.235);
    expect(paid([{ bid: 5, relevance: 0.8 }], 1.235)).toBe(1.235);
  });

  it('rises by one step if the runner-up is exactly on a step', () => {
    const winner = { bid: 5, relevance: 1 };
    expect(paid([winner, { bid: 0.001, relevance: 1 }])).toBe(0.002);
    expect(paid([winner, { bid: 0.0009, relevance: 1 }])).toBe(0.001);
  });
});
