import { type Issued, isServed } from '../../../shared/ads/bids/bid.ts';
import { createServing } from '../../../shared/ads/bids/serve.ts';
import { createBidStore } from '../../../shared/ads/bids/store.ts';
import { balanceKey } from '../../../shared/budgets/balance.ts';
import { readConfig } from '../../../shared/platform/config.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { generator } from '../../../tools/random.ts';
import { createBudgetService } from '../../memory/service.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { createTestClock, createTestIds } from '../../service.ts';
import { hotStore, type StoreCounts } from './store.ts';
import { virtualTime } from './virtual-time.ts';

const MIDNIGHT = Date.UTC(2026, 10, 21);
/** The deadline of GET /ssp/ad. */
const DEADLINE_MS = 2_800;
/** USD per thousand impressions. */
const CPM = 4;

interface Traffic {
  winsPerSecond: number;
  /** The number of impressions that the remaining budget pays for. */
  wins: number;
  /** The start, in seconds before midnight. */
  before: number;
  shards: boolean;
}

interface Outcome {
  served: number;
  /** Retrievals after the budget was exhausted. */
  ended: number;
  unavailable: number;
  slowest: number;
  seconds: number;
  spent: number;
  budget: number;
  exhausted: number;
  openings: number;
  width: number;
  counts: StoreCounts;
}

/** Simulates wins of one campaign, retrieved by many instances, until its budget is exhausted or `max` bids have arrived. */
async function run({ winsPerSecond, wins, before, shards }: Traffic, max = Number.POSITIVE_INFINITY): Promise<Outcome> {
  const random = generator(1);
  const setting = { BUDGET_SHARDS: String(shards), BID_TTL_SECONDS: '86400' };
  const service = createBudgetService('hot', createTestClock(MIDNIGHT - before * 1000), setting);
  const budget = 20_000;
  const campaign = await service.campaign({ budget });
  const row = (await service.db.get('ledgers', balanceKey(campaign.id)))!;
  const remaining = wins * CPM * 1_000 - 1_500; // the last impression is charged less than its price
  const spent = budget * 1e6 - remaining;
  await untyped(service.db).write({
    table: 'ledgers',
    put: { ...row, remaining, spent, dayRemaining: remaining, daySpend: spent },
  });

  const time = virtualTime(MIDNIGHT - before * 1000);
  const { clock, after } = time;
  const ids = createTestIds('store', clock.now);
  const quick = { ...ids, random };
  const { db, counts } = hotStore(service.db, time, quick);
  const effects = {
    ...service.effects,
    db,
    clock,
    ids: quick,
    config: readConfig({ LOG_LEVEL: 'silent', ...setting }, true),
  };
  /** Idle instances. As on Lambda, an instance serves one request at a time, and the most recently used one is reused first. */
  const free: ReturnType<typeof createServing>[] = [];
  const outcome = { served: 0, ended: 0, unavailable: 0, slowest: 0 };
  let arrived = 0;
  let last = clock.now();

  async function redeem(bid: Issued): Promise<void> {
    const began = clock.now();
    const serve = free.pop() ?? createServing(effects);
    try {
      const served = await clock.within(began + DEADLINE_MS, async () =>
        serve((await createBidStore(effects).find(bid.id))!),
      );
      if (served.outcome !== 'served') outcome.ended++;
      else {
        outcome.served++;
        outcome.slowest = Math.max(outcome.slowest, clock.now() - began);
      }
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      outcome.unavailable++;
    }
    free.push(serve);
    last = clock.now();
  }
  async function arrive(): Promise<void> {
    if (outcome.ended > 0 || arrived++ >= max) return;
    after((-Math.log(1 - random()) * 1000) / winsPerSecond, begin);
    await redeem(await service.bid(campaign, CPM));
  }
  const failures: unknown[] = [];
  const begin = () => void arrive().catch((error) => failures.push(error));
  const began = clock.now();
  after(0, begin);
  await time.run();
  if (failures.length > 0) throw failures[0];
  const served = service.db.items('bids').filter((bid) => isServed(bid as never));
  const performance = await service.performance(campaign);
  const balance = service.db.item('ledgers', balanceKey(campaign.id))!;
  const facts = service.facts(campaign).filter(({ kind }) => kind === 'budget_exhausted');
  if (served.length < outcome.served || served.length > outcome.served + outcome.unavailable)
    throw new Error(`${served.length} ads were charged, ${outcome.served} were returned`);
  return {
    ...outcome,
    seconds: (last - began) / 1000,
    spent: performance.spent,
    budget: budget * 1e6,
    exhausted: facts.length,
    openings: balance.epoch ?? 0,
    width: balance.width ?? 0,
    counts,
  };
}

function report(title: string, { counts, ...found }: Outcome): void {
  const tried = found.served + found.unavailable;
  const each = (count: number) => (count / found.served).toFixed(3);
  console.log(`\n${title}`);
  console.log(
    `  wins ${tried}, ads ${found.served} (${((100 * found.served) / tried).toFixed(2)} %), 503 ${found.unavailable}, after exhaustion ${found.ended}`,
  );
  console.log(`  ${(found.served / found.seconds).toFixed(0)} ads per second, slowest ${found.slowest} ms`);
  console.log(
    `  per ad: ${each(counts.transactions)} transactions, ${each(counts.writes)} single writes, ${each(counts.reads)} reads, ${each(counts.writeUnits)} write units`,
  );
  console.log(
    `  conflicts ${counts.conflicts}, throttled ${counts.throttled}, openings ${found.openings}, shards ${found.width}`,
  );
  console.log(`  spent ${found.spent} of ${found.budget} micro-dollars, exhausted ${found.exhausted} times`);
}

/** `npm run bench -- hot`: simulates the wins of one campaign in virtual time, on a store with limited items and partitions. */
async function main(): Promise<void> {
  const hot = { winsPerSecond: 1_000, wins: 100_000, before: 40 };
  const quiet = { winsPerSecond: 10, wins: 2_000_000, before: 60 };
  report('10 wins per second, in shards if needed', await run({ ...quiet, shards: true }, 2_000));
  report('10 wins per second, without shards', await run({ ...quiet, shards: false }, 2_000));
  report('1,000 wins per second, in shards', await run({ ...hot, shards: true }));
  report('1,000 wins per second, without shards', await run({ ...hot, shards: false }, 5_000));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
