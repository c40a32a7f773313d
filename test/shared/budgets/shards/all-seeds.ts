import assert from 'node:assert/strict';
import { playBudgets } from './model.ts';
import { OCCASIONS } from './watch.ts';

const SEEDS = 2_000;
const LEAST = 100;

/** `npm run fuzz -- budgets`: runs every seed of the model of sharded budgets, and reports how often the hard cases happened. */
async function main(): Promise<void> {
  const met = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const occasions = await playBudgets(seed).catch((cause) => {
      throw new Error(`seed ${seed}`, { cause });
    });
    for (const name of OCCASIONS) met.set(name, (met.get(name) ?? 0) + occasions[name]);
  }
  for (const [name, times] of met) console.log(`${name}: ${times}`);
  for (const [name, times] of met) assert(times >= LEAST, `${name} happened ${times} times, not ${LEAST}`);
  const { user } = process.cpuUsage();
  console.log(`${SEEDS} seeds, ${Math.round(user / 1e6)} s of processor`);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
