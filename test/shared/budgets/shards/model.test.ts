import { it } from 'vitest';
import { playBudgets } from './model.ts';

/** `npm run fuzz -- budgets` runs two thousand seeds. */
const SEEDS = 30;

it('sharded budgets are spent exactly to the micro-dollar, despite crashes, lost responses, and concurrent changes', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    await playBudgets(seed).catch((cause) => {
      throw new Error(`seed ${seed}`, { cause });
    });
  }
});
