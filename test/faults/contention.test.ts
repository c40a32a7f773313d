import { expect, it } from 'vitest';
import { type Bid, isServed } from '../../shared/ads/bids/bid.ts';
import { createServing } from '../../shared/ads/bids/serve.ts';
import { findBalance } from '../../shared/budgets/balance.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { Unavailable } from '../../shared/platform/unavailable.ts';
import { generator } from '../../tools/random.ts';
import { SHARDS } from '../memory/gates.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { createCaller, createHandlers } from '../service.ts';
import { faultyClient } from './store/faulty-client.ts';

/** Bids must outlive the pauses after conflicts, because the pause of one caller advances the clock of all. */
// @module-tag whole
const service = useServiceInMemory({ BID_TTL_SECONDS: '86400' });

/** A budget opens shards after this many conflicts of one charge. */
const OPENING = 3;

/**
 * A client with random conflicts, throttling, and lost responses. Its first transactions always conflict, so that the budget opens
 * shards.
 */
function faultyStoreClient(random: () => number) {
  const injected = new Set<string>();
  let transactions = 0;
  const client = faultyClient(service.stack.client, ({ operation }) => {
    const isTransaction = operation === 'TransactWriteItems';
    if (isTransaction && ++transactions <= OPENING) return 'conflict';
    const drawn = random();
    const fault =
      drawn < 0.05
        ? 'throttled'
        : !isTransaction || (drawn >= 0.35 && drawn < 0.9)
          ? undefined
          : drawn < 0.35
            ? 'conflict'
            : 'lost';
    if (fault) injected.add(fault);
    return fault;
  });
  return { client, injected };
}

it.each([
  ['one balance', false, 25, 60],
  ['shards', true, 42, 50],
])(
  'serves or returns 503 and charges once, with conflicts, throttling, and lost responses on %s',
  async (where, budgetShards, ads, wins) => {
    const effects = { ...service.stack.effects, config: { ...service.config, budgetShards } };
    const keyword = `contention${where.replace(' ', '')}`;
    const { id } = await service.campaign({ budget: ads * 0.004, targetAudience: { keywords: [keyword] } });
    const { bidId } = (await service.bid(await service.key(), keyword)).body;
    const won = (await effects.db.get('bids', { id: bidId }))!;
    const bids = Array.from({ length: wins }, () => ({ ...won, id: effects.ids.uuid() }) as unknown as Bid);
    await Promise.all(bids.map((bid) => effects.db.write({ table: 'bids', put: bid })));
    const { client, injected } = faultyStoreClient(generator(5));
    const { clock, ids } = effects;
    const db = openDatabase({ prefix: service.config.tablePrefix, clock, ids, client });
    const serve = createServing({ ...effects, db }, SHARDS.sizes);

    const serveWithRetries = async (bid: Bid) => {
      for (;;) {
        try {
          return (await serve(bid)).outcome;
        } catch (error) {
          expect(error).toBeInstanceOf(Unavailable); // becomes a 503
        }
      }
    };
    // The first retrieval gets all of the first conflicts.
    const outcomes = [await serveWithRetries(bids[0]!), ...(await Promise.all(bids.slice(1).map(serveWithRetries)))];
    expect(outcomes.filter((outcome) => outcome === 'served')).toHaveLength(ads); // 0.004 each
    expect(injected).toEqual(new Set(['throttled', 'conflict', 'lost']));
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

it('toggles and changes a key between its requests, although they conflict, and records each change once', async () => {
  const user = service.user('busy');
  const { id, key } = (await user('POST', '/auth/api-keys', { name: 'Busy' })).body;
  const random = generator(7);
  const conflicts = new Set<string>();
  const client = faultyClient(service.stack.client, ({ operation, isWrite }) => {
    if (!isWrite || random() >= 0.5) return undefined;
    if (random() < 0.2) return 'lost';
    conflicts.add(operation);
    return 'conflict';
  });
  const { clock, ids } = service.stack.effects;
  const db = openDatabase({ prefix: service.config.tablePrefix, clock, ids, client });
  const handlers = await createHandlers({ ...service.stack.effects, db });
  const call = createCaller(() => handlers);
  const headers = { 'x-user-id': 'busy' };
  const manage = (path: string, body?: object) =>
    call('PATCH', `/api/v1/auth/api-keys/${id}${path}`, { headers, body });
  const bid = () =>
    call('POST', '/api/v1/ssp/bid', {
      headers: { 'x-api-key': key },
      body: { countryCode: 'US', messages: [{ role: 'user', content: 'Which shoes?' }] },
    });
  const changes: Record<string, unknown>[] = [];
  for (let round = 0; round < 10; round++) {
    const [toggled, changed, ...asked] = await Promise.all([
      manage('/toggle'),
      manage('', { turnSpacing: round + 1 }),
      ...Array.from({ length: 5 }, bid),
    ]);
    expect([toggled.status, changed.status]).toEqual([200, 200]);
    expect(asked.every(({ status }) => [200, 401, 429].includes(status))).toBe(true);
    service.clock.advance(61_000);
  }
  expect([...conflicts]).toEqual(expect.arrayContaining(['TransactWriteItems', 'UpdateItem']));
  const { entries } = (await service.call('GET', '/api/v1/activity', { headers, query: `subject=${id}&limit=100` }))
    .body;
  for (const { changes: made } of entries.slice(0, -1)) changes.unshift(...made);
  const of = (field: string) =>
    changes.filter((change) => change.field === field).map(({ before, after }) => [before, after]);
  expect(of('isActive')).toEqual(Array.from({ length: 10 }, (_, n) => [n % 2 === 0, n % 2 === 1]));
  expect(of('turnSpacing')).toEqual(Array.from({ length: 10 }, (_, n) => [n, n + 1]));
  expect(entries).toHaveLength(21);
});
