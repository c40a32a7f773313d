import { it } from 'vitest';
import { playBudgets } from './model.ts';

/** `npm run fuzz -- budgets` plays two thousand. */
const SEEDS = 30;

it('Budgets in shards are spent to the micro-dollar and no more, whatever dies, is lost or comes in between', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    await playBudgets(seed).catch((cause) => {
      throw new Error(`seed ${seed}`, { cause });
    });
  }
});
