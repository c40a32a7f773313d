import { describe, expect, it } from 'vitest';
import { conditionalLogistic, logisticRegression } from '../../../tools/fit/regression.ts';
import { generator } from '../../../tools/random.ts';

describe('a logistic regression', () => {
  it('recovers the coefficients that generated the examples', () => {
    const random = generator(7);
    const examples = Array.from({ length: 20_000 }, () => {
      const figures = [1, 4 * random() - 2, 4 * random() - 2];
      const right = random() < 1 / (1 + Math.exp(-(-0.5 + 2 * figures[1]! - figures[2]!)));
      return { figures, right, weight: 1 };
    });
    const [constant, one, other] = logisticRegression(examples, 0);
    expect(constant).toBeCloseTo(-0.5, 1);
    expect(one).toBeCloseTo(2, 1);
    expect(other).toBeCloseTo(-1, 1);
  });
  it('returns the log odds of the positive share if the constant is the only feature', () => {
    const examples = [true, true, true, false].map((right) => ({ figures: [1], right, weight: 1 }));
    expect(logisticRegression(examples, 1)[0]).toBeCloseTo(Math.log(3));
  });
  it('counts an example by its weight', () => {
    const of = (weight: number) => [
      { figures: [1], right: true, weight },
      { figures: [1], right: false, weight: 1 },
    ];
    expect(logisticRegression(of(4), 0)[0]).toBeCloseTo(Math.log(4));
  });
  it('stays finite for a perfect feature because of the penalty, and returns 0 for a constant one', () => {
    const examples = [0, 1].flatMap((figure) =>
      Array.from({ length: 10 }, () => ({ figures: [1, figure, 0], right: figure === 1, weight: 1 })),
    );
    const [, telling, idle] = logisticRegression(examples, 1);
    expect(telling).toBeGreaterThan(1);
    expect(telling).toBeLessThan(10);
    expect(idle).toBe(0);
  });
});

describe('a conditional logistic regression', () => {
  it('recovers the coefficients that generated the choices, whatever a group has in common', () => {
    const random = generator(11);
    const groups = Array.from({ length: 20_000 }, () => {
      const common = 100 * random();
      const figures = Array.from({ length: 4 }, () => [common, 4 * random() - 2, 4 * random() - 2]);
      const odds = figures.map(([, one, other]) => Math.exp(1.5 * one! - 0.5 * other!));
      const drawn = random() * odds.reduce((sum, value) => sum + value);
      const chosen = odds.findIndex((_, i) => odds.slice(0, i + 1).reduce((sum, value) => sum + value) > drawn);
      return figures.map((own, i) => ({ figures: own, right: i === chosen, weight: 1 }));
    });
    const [common, one, other] = conditionalLogistic(groups, 1);
    expect(common).toBeCloseTo(0);
    expect(one).toBeCloseTo(1.5, 1);
    expect(other).toBeCloseTo(-0.5, 1);
  });
  it('learns nothing from groups in which all or none are right', () => {
    const group = (right: boolean) => [0, 1].map((figure) => ({ figures: [figure], right, weight: 1 }));
    const mixed = [0, 1].map((figure) => ({ figures: [figure], right: figure === 1, weight: 1 }));
    expect(conditionalLogistic([group(true), group(false), mixed], 1)).toEqual(conditionalLogistic([mixed], 1));
  });
});
