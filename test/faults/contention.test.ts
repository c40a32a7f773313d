import { expect, it } from 'vitest';
import { type Bid, isServed } from '../../shared/ads/bids/bid.ts';
import { createServing } from '../../shared/ads/bids/serve.ts';
import { findBalance } from '../../shared/budgets/balance.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { Unavailable } from '../../shared/platform/unavailable.ts';
import { generator } from '../../tools/random.ts';
import { SHARDS } from '../memory/gates.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { faultyClient } from './store/faulty.ts';

/** Bids outlive the pauses after conflicts, which elapse for all at once. */
// @module-tag whole
const service = useServiceInMemory({ BID_TTL_SECONDS: '86400' });

/** The number of conflicts of one charge that open its budget in shards. */
const OPENING = 3;

/**
 * A client whose transactions conflict, whose requests are throttled, and whose answers get lost, as the seed says; its first
 * transactions conflict whatever the seed says.
 */
function troubled(random: () => number) {
  const told = new Set<string>();
  let transactions = 0;
  const client = faultyClient(service.stack.client, ({ operation }) => {
    const isTransaction = operation === 'TransactWriteItems';
    if (isTransaction && ++transactions <= OPENING) return 'conflict';
    const drawn = random();
    const trouble =
      drawn < 0.05
        ? 'throttled'
        : !isTransaction || (drawn >= 0.35 && drawn < 0.9)
          ? undefined
          : drawn < 0.35
            ? 'conflict'
            : 'lost';
    if (trouble) told.add(trouble);
    return trouble;
  });
  return { client, told };
}

it.each([
  ['one balance', false, 25, 60],
  ['shards', true, 42, 50],
])(
  'Conflicts in 30 % of transactions on %s, throttling and lost answers: served or a clean "come again", and one charge each',
  async (where, budgetShards, ads, wins) => {
    const effects = { ...service.stack.effects, config: { ...service.config, budgetShards } };
    const keyword = `contention${where.replace(' ', '')}`;
    const { id } = await service.campaign({ budget: ads * 0.004, targetAudience: { keywords: [keyword] } });
    const { bidId } = (await service.bid(await service.key(), keyword)).body;
    const won = (await effects.db.get('bids', { id: bidId }))!;
    const bids = Array.from({ length: wins }, () => ({ ...won, id: effects.ids.uuid() }) as unknown as Bid);
    await Promise.all(bids.map((bid) => effects.db.write({ table: 'bids', put: bid })));
    const { client, told } = troubled(generator(5));
    const { clock, ids } = effects;
    const db = openDatabase({ prefix: service.config.tablePrefix, clock, ids, client });
    const serve = createServing({ ...effects, db }, SHARDS.sizes);

    const insist = async (bid: Bid) => {
      for (;;) {
        try {
          return (await serve(bid)).outcome;
        } catch (error) {
          expect(error).toBeInstanceOf(Unavailable); // and so a 503
        }
      }
    };
    // One retrieval meets all of the first conflicts.
    const outcomes = [await insist(bids[0]!), ...(await Promise.all(bids.slice(1).map(insist)))];
    expect(outcomes.filter((outcome) => outcome === 'served')).toHaveLength(ads); // 0.004 each
    expect(told).toEqual(new Set(['throttled', 'conflict', 'lost']));
    const stored = await effects.db.getAll(
      'bids',
      bids.map((bid) => ({ id: bid.id })),
    );
    expect(stored.reduce((sum, bid) => sum + (isServed(bid) ? bid.charged : 0), 0)).toBe(ads * 4_000);
    const balance = await findBalance(effects.db, id);
    expect((balance?.epoch ?? 0) > 0).toBe(budgetShards);
    const { body } = await service.user()('GET', `/campaigns/${id}`);
    expect(body).toMatchObject({ spentBudget: ads * 0.004, pausedReason: 'budget', performance: { impressions: ads } });
  },
);
