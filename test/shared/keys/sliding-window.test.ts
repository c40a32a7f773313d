import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countRemaining,
  getReopensAt,
  roomCondition,
  shiftAssignments,
  WINDOW_MS,
  WINDOW_SIZE,
} from '../../../shared/keys/sliding-window.ts';

/** Applies the expressions of the rate limit to the stored register, as DynamoDB does. */
class Register {
  item: Record<string, number> = Object.fromEntries(Array.from({ length: WINDOW_SIZE }, (_, i) => [`b${i}`, 0]));
  accept(now: number): boolean {
    if (this.item.b0! > now - WINDOW_MS) return false;
    const next: Record<string, number> = {};
    for (let i = 0; i < WINDOW_SIZE - 1; i++) next[`b${i}`] = this.item[`b${i + 1}`]!;
    next[`b${WINDOW_SIZE - 1}`] = now;
    this.item = next;
    return true;
  }
}

describe('the sliding window', () => {
  it('never accepts more than 15 in any second, regardless of the order of clocks', () => {
    const steps = fc.array(fc.integer({ min: -40, max: 400 }), { minLength: 20, maxLength: 200 });
    fc.assert(
      fc.property(steps, (moves) => {
        const register = new Register();
        const accepted: number[] = [];
        let now = 1_000_000;
        for (const move of moves) {
          now += move; // also backwards: another instance's clock is behind
          if (register.accept(now)) accepted.push(now);
        }
        for (const start of accepted) {
          expect(accepted.filter((at) => at >= start && at < start + WINDOW_MS).length).toBeLessThanOrEqual(
            WINDOW_SIZE,
          );
        }
      }),
    );
  });

  it('accepts every request while fewer than 15 were accepted in the last second', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 100 }), (moves) => {
        const register = new Register();
        const accepted: number[] = [];
        let now = 1_000_000;
        for (const move of moves) {
          now += move;
          const recent = accepted.filter((at) => at > now - WINDOW_MS).length;
          expect(countRemaining(register.item, 'b', now)).toBe(WINDOW_SIZE - recent);
          const took = register.accept(now);
          expect(took).toBe(recent < WINDOW_SIZE);
          if (took) accepted.push(now);
          else expect(getReopensAt(register.item, 'b')).toBe(accepted.at(-WINDOW_SIZE)! + WINDOW_MS);
        }
      }),
    );
  });

  it('uses one assignment for each place and one comparison', () => {
    expect(shiftAssignments('a').split(', ')).toHaveLength(WINDOW_SIZE);
    expect(shiftAssignments('a')).toMatch(/^#a0 = #a1, .*#a13 = #a14, #a14 = :now$/);
    expect(roomCondition('a')).toBe('#a0 <= :cutoff');
  });
});
