import { afterAll, beforeAll, expect, it } from 'vitest';
import { generator } from '../../tools/random.ts';
import { startInMemory } from '../memory/stack.ts';
import { createTestClock, createTestIds } from '../service.ts';
import { audit } from './store/audit.ts';
import { type FaultyMarket, startMarket } from './store/market.ts';

const VISITS = 25;
const clock = createTestClock();
let market: FaultyMarket;
beforeAll(async () => {
  market = await startMarket({
    clock,
    ids: createTestIds('refusing', clock.now),
    random: generator(30),
    faultRate: 0.3,
    faults: ['throttled', 'server error', 'reset', 'timed out', 'lost'],
    deliveriesAtOnce: 1,
    start: startInMemory,
  });
});
afterAll(() => market.stop());

it('A store that fails 30 % of its calls loses no bid or event, and neither charges twice nor overspends', {
  tags: 'whole',
}, async () => {
  const key = await market.publisher();
  await market.visit(key);
  market.state.isInjecting = true;
  for (let visit = 1; visit <= VISITS; visit++) {
    clock.advance(100);
    await market.visit(key);
  }
  await market.drain(); // with faults
  market.state.isInjecting = false;
  await market.drain();

  const { broken, served, events } = await audit(market);
  expect(broken).toEqual(Object.fromEntries(Object.keys(broken).map((name) => [name, 0])));
  expect([...market.injected.keys()].sort()).toEqual(['lost', 'reset', 'server error', 'throttled', 'timed out']);
  const { bid, ads, ended, clicks } = market.answers;
  expect(bid).toBeGreaterThan(0.9 * VISITS);
  expect(ads + ended).toBeGreaterThan(0.9 * bid);
  expect(clicks).toBeGreaterThan(0.9 * ads);
  expect(served).toBeGreaterThanOrEqual(ads);
  expect(events).toBe(market.received.size);
});
