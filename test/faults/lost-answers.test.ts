import { describe, expect, it } from 'vitest';
import { toClickId } from '../../shared/ads/bids/bid.ts';
import { createServing } from '../../shared/ads/bids/serve.ts';
import { createBidStore } from '../../shared/ads/bids/store.ts';
import { findBalance } from '../../shared/budgets/balance.ts';
import { closeBalance } from '../../shared/budgets/shards/close-shards.ts';
import { openShards } from '../../shared/budgets/shards/shard.ts';
import { toggleApiKey } from '../../shared/keys/change-key.ts';
import { createRateLimit } from '../../shared/keys/rate-limit.ts';
import type { Database, Write } from '../../shared/platform/database.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { findDueDelivery, recordDelivery } from '../../shared/webhooks/deliveries.ts';
import { createSampleEvent } from '../../shared/webhooks/events/samples.ts';
import { redeliver } from '../../shared/webhooks/redeliver.ts';
import { findWebhook } from '../../shared/webhooks/webhook-store.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { createCaller, createHandlers, type Response, runningShoes } from '../service.ts';
import { faultyClient } from './store/faulty-client.ts';

// @module-tag whole
const service = useServiceInMemory();
const MORE_THAN_ENOUGH = 20;

/** The service's store. The nth write succeeds, but its response is lost. */
function losing(nth: number): { db: Database; isLost(): boolean } {
  const { clock, ids } = service.stack.effects;
  let writes = 0;
  const client = faultyClient(service.stack.client, ({ isWrite }) =>
    isWrite && ++writes === nth ? 'lost' : undefined,
  );
  return {
    db: openDatabase({ prefix: service.config.tablePrefix, clock, ids, client }),
    isLost: () => writes >= nth,
  };
}

/** Repeats an action, losing the response of each of its writes in turn. Resolves to the number of writes. */
async function losingEach(act: (db: Database) => Promise<void>): Promise<number> {
  for (let nth = 1; nth < MORE_THAN_ENOUGH; nth++) {
    service.clock.advance(61_000); // every round needs its own rate-limit window
    const { db, isLost } = losing(nth);
    await act(db);
    if (!isLost()) return nth - 1;
  }
  throw new Error('the writes do not end');
}

type Request = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>;

/** Like `losingEach`, with HTTP requests to an instance that loses responses. */
const losingEachResponse = (act: (request: Request) => Promise<void>) =>
  losingEach(async (db) => {
    const handlers = await createHandlers({ ...service.stack.effects, db });
    const call = createCaller(() => handlers);
    await act((method, path, body, headers = { 'x-user-id': 'publisher' }) =>
      call(method, `/api/v1${path}`, { headers, ...(body === undefined ? {} : { body }) }),
    );
  });

const keysOf = async (user: string) => (await service.user(user)('GET', '/auth/api-keys')).body;
let users = 0;
const newUser = () => `user-${++users}`;
const newKey = async (user = newUser()) => (await service.user(user)('POST', '/auth/api-keys', { name: 'Key' })).body;

describe('A successful write with a lost response, within one request', () => {
  it('leaves a key off after a toggle, and a second toggle turns it on', async () => {
    const writes = await losingEachResponse(async (request) => {
      const user = newUser();
      const { id } = await newKey(user);
      for (const isActive of [false, true, false]) {
        const toggled = await request('PATCH', `/auth/api-keys/${id}/toggle`, undefined, { 'x-user-id': user });
        expect(toggled).toMatchObject({ status: 200, body: { id, isActive } });
        expect(await keysOf(user)).toMatchObject([{ id, isActive }]);
      }
    });
    expect(writes).toBeGreaterThanOrEqual(6); // of the rate limit and the key, three times each
  });

  it('ends in the state of two toggles if another toggle runs before the retry', async () => {
    const user = newUser();
    const { id } = await newKey(user);
    const { effects, client } = service.stack;
    const other = () => service.user(user)('PATCH', `/auth/api-keys/${id}/toggle`);
    let attempts = 0;
    const meddled = faultyClient(client, async ({ operation }) => {
      if (operation !== 'TransactWriteItems') return undefined;
      if (++attempts === 1) return 'lost';
      expect((await other()).body.isActive).toBe(true);
      return undefined;
    });
    const { clock, ids } = effects;
    const db = openDatabase({ prefix: service.config.tablePrefix, clock, ids, client: meddled });
    expect(await toggleApiKey({ db, clock: service.clock }, user, id)).toMatchObject({ isActive: false });
    expect(attempts).toBe(2);
    expect((await keysOf(user))[0].isActive).toBe(true);
  });

  it('deletes a key once and confirms it', async () => {
    await losingEachResponse(async (request) => {
      const user = newUser();
      const { id } = await newKey(user);
      expect(await request('DELETE', `/auth/api-keys/${id}`, undefined, { 'x-user-id': user })).toMatchObject({
        status: 200,
      });
      expect(await keysOf(user)).toEqual([]);
    });
  });

  it.each([
    ['/auth/api-keys', { name: 'Key' }, { turnSpacing: 2 }, ['/rotate']],
    ['/campaigns', { name: 'Shoes' }, { budget: 5 }, []],
    ['/webhooks', { url: 'https://public.test/', events: ['ad.click'] }, { description: 'Ours' }, ['/rotate-secret']],
  ])('records each change once: %s', async (path, body, change, rotations) => {
    const writes = await losingEachResponse(async (request) => {
      const headers = { 'x-user-id': newUser() };
      const { id } = (await request('POST', path, body, headers)).body;
      await request('PATCH', `${path}/${id}`, change, headers);
      for (const rotation of rotations) await request('POST', `${path}/${id}${rotation}`, {}, headers);
      expect((await request('DELETE', `${path}/${id}`, undefined, headers)).status).toBe(200);
      const { entries } = (await request('GET', '/activity', undefined, headers)).body;
      expect(entries.map(({ action }: { action: string }) => action)).toEqual([
        'deleted',
        ...rotations.map(() => 'rotated'),
        'updated',
        'created',
      ]);
    });
    expect(writes).toBeGreaterThanOrEqual(6);
  });

  it('counts a bid and its ad as one use of the key each, and charges once', async () => {
    const writes = await losingEachResponse(async (request) => {
      const user = newUser();
      const { key } = await newKey(user);
      const word = `${user.replace('-', '')}oom`;
      const { id } = await service.campaign({ targetAudience: { keywords: [word] } }, user);
      const body = { countryCode: 'US', messages: [{ role: 'user', content: word }] };
      const bid = await request('POST', '/ssp/bid', body, { 'x-api-key': key });
      expect(bid.body).toMatchObject({ bid: 4 });
      expect(await request('GET', `/ssp/ad/${bid.body.bidId}`, undefined, { 'x-api-key': key })).toMatchObject({
        status: 200,
      });
      expect(await keysOf(user)).toMatchObject([{ requestCount: 2 }]);
      const ledger = await service.stack.effects.db.get('ledgers', { campaignId: id, row: 'money' });
      expect(ledger).toMatchObject({ spent: 4_000, impressions: 1 });
    });
    expect(writes).toBeGreaterThanOrEqual(4); // of the key (twice), the bid, and the charge
  });

  it('charges once with the budget open in shards, and closes it completely', async () => {
    const { effects } = service.stack;
    const key = await service.key();
    const writes = await losingEach(async (db) => {
      const word = `${newUser().replace('-', '')}oom`;
      const { id } = await service.campaign({ budget: 10, targetAudience: { keywords: [word] } });
      const bid = async () => (await createBidStore(effects).find((await service.bid(key, word)).body.bidId))!;
      await createServing(effects)(await bid()); // so that the balance has a current day
      await effects.db.write(openShards((await findBalance(effects.db, id))!, 1));
      const config = { ...effects.config, budgetShards: true };
      expect((await createServing({ ...effects, config, db })(await bid())).outcome).toBe('served');
      const closed = await closeBalance({ ...effects, db }, id);
      expect(closed).toMatchObject({ spent: 8_000, remaining: 9_992_000, impressions: 2 });
      expect(await findBalance(effects.db, id)).toMatchObject(closed);
    });
    expect(writes).toBeGreaterThanOrEqual(8); // three charges, both steps of a grant, three of closing
  });

  it('does not treat the last place in a window as a full window', async () => {
    const { key } = await newKey();
    const headers = { 'x-api-key': key };
    const body = { countryCode: 'US', messages: [{ role: 'user', content: 'small talk' }] };
    const bid = (db: Database) =>
      createHandlers({ ...service.stack.effects, db }).then((handlers) =>
        createCaller(() => handlers)('POST', '/api/v1/ssp/bid', { headers, body }),
      );
    for (let index = 0; index < 14; index++) await bid(service.stack.effects.db);
    expect(await bid(losing(1).db)).toMatchObject({ status: 200, headers: { 'ratelimit-remaining': '0' } });
    expect(await bid(service.stack.effects.db)).toMatchObject({ status: 429 });

    const { db, clock } = service.stack.effects;
    for (let taken = 0; taken < 9; taken++) await createRateLimit({ db, clock }).take('minute', 10);
    const last = createRateLimit({ db: losing(1).db, clock });
    expect(await last.take('minute', 10)).toMatchObject({ outcome: 'accepted', remaining: 0 });
    const first = createRateLimit({ db: losing(2).db, clock }); // a new window: a read and a write
    expect(await first.take('another', 10)).toMatchObject({ outcome: 'accepted', remaining: 9 });
    expect(await createRateLimit({ db, clock }).take('another', 10)).toMatchObject({ remaining: 8 });
  });

  it('counts a click as the first, also in the log', async () => {
    await losingEachResponse(async (request) => {
      const { key } = await newKey();
      await service.campaign();
      const { bidId } = (await service.bid(key)).body;
      await service.ad(key, bidId);
      service.lines.length = 0;
      expect(await request('GET', `/click/${bidId}`, undefined, { 'user-agent': 'Firefox' })).toMatchObject({
        status: 302,
      });
      const click = service.lines.map((line) => JSON.parse(line)).find(({ message }) => message === 'click');
      expect(click).toMatchObject({ counted: true, reason: null });
      await request('GET', `/click/${bidId}`, undefined, { 'user-agent': 'Firefox' });
      expect(await service.stack.effects.db.get('bids', { id: bidId })).toMatchObject({ genuineVisits: 2 });
    });
  });

  it('records a conversion with 201, not as a repeat', async () => {
    await losingEachResponse(async (request) => {
      const user = newUser();
      const word = `${user.replace('-', '')}oom`;
      await service.campaign({ targetAudience: { keywords: [word] } }, user);
      const { key } = await newKey();
      const { bidId } = (await service.bid(key, word)).body;
      await service.ad(key, bidId);
      await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'Firefox' } });
      const body = { clickId: toClickId(bidId), conversionType: 'purchase', conversionId: 'order-1' };
      const headers = { 'x-user-id': user };
      expect(await request('POST', '/conversions', body, headers)).toMatchObject({ status: 201 });
      expect(await request('POST', '/conversions', body, headers)).toMatchObject({ status: 200 });
    });
  });

  it('creates, renames, and deletes a campaign as usual', async () => {
    await losingEachResponse(async (request) => {
      const headers = { 'x-user-id': newUser() };
      const created = await request('POST', '/campaigns', { ...runningShoes(), name: 'One' }, headers);
      expect(created).toMatchObject({ status: 201 });
      const path = `/campaigns/${created.body.id}`;
      expect(await request('PATCH', path, { name: 'Two', budget: 20 }, headers)).toMatchObject({
        status: 200,
        body: { name: 'Two', budget: 20 },
      });
      expect(await request('DELETE', path, undefined, headers)).toMatchObject({ status: 200 });
      expect(await request('GET', '/campaigns', undefined, headers)).toMatchObject({ body: [] });
    });
  });

  it('creates a webhook once, rotates its secret once, and deletes it', async () => {
    await losingEachResponse(async (request) => {
      const user = newUser();
      const headers = { 'x-user-id': user };
      const hook = { url: 'https://public.test/hook', events: ['ad.click'] };
      const { status, body } = await request('POST', '/webhooks', hook, headers);
      expect(status).toBe(201);
      const rotated = await request('POST', `/webhooks/${body.id}/rotate-secret`, undefined, headers);
      expect(rotated.status).toBe(200);
      const stored = await findWebhook(service.stack.effects, user, body.id);
      expect(stored).toMatchObject({ secret: rotated.body.secret, previous: [{ secret: body.secret }] });
      expect(stored!.previous).toHaveLength(1);
      expect((await request('DELETE', `/webhooks/${body.id}`, undefined, headers)).status).toBe(200);
      const count = await service.stack.effects.db.get('webhooks', { owner: user, id: '#count' });
      expect(count).toMatchObject({ count: 0 });
    });
  });

  it('rotates an API key once, with and without an Idempotency-Key', async () => {
    for (const keyed of [false, true]) {
      await losingEachResponse(async (request) => {
        const user = newUser();
        const { id, key } = await newKey(user);
        const headers = { 'x-user-id': user, ...(keyed && { 'idempotency-key': 'k1' }) };
        const rotated = await request('POST', `/auth/api-keys/${id}/rotate`, {}, headers);
        expect([rotated.status, rotated.headers['idempotency-replayed']]).toEqual([200, undefined]);
        const [shown] = await keysOf(user);
        expect([shown.key.slice(-4), shown.oldKeysUntil.length]).toEqual([rotated.body.key.slice(-4), 1]);
        const bids = [await service.bid(key, 'hello'), await service.bid(rotated.body.key, 'hello')];
        expect(bids.map(({ status }) => status)).toEqual([200, 200]);
      });
    }
  });

  it('records an attempt once and restarts a delivery once', async () => {
    const { clock } = service;
    await losingEach(async (db) => {
      const event = createSampleEvent('ad.click', newUser(), clock.now());
      const message = { owner: 'alice', webhookId: 'wh_lost', event };
      const due = await findDueDelivery({ db, clock }, message);
      if (due.outcome !== 'due') throw new Error(due.outcome);
      expect(await recordDelivery({ db }, due.delivery, 'pending', clock.now())).toBe(true);
      expect(await redeliver({ db, clock }, 'wh_lost', event.id)).toMatchObject({ redeliveries: 1, claims: 2 });
    });
  });
});

describe('A write that is applied a second time, long after its request', () => {
  /** The service's store, which records its puts, by themselves or in transactions. */
  function remembering(): { db: Database; puts: Write[][] } {
    const { db } = service.stack.effects;
    const puts: Write[][] = [];
    const write: Database['write'] = (one, returning) => {
      if ('put' in one && !one.once) puts.push([one]);
      return db.write(one, returning);
    };
    const transact: Database['transact'] = (writes, onConflict) => {
      puts.push(writes);
      return db.transact(writes, onConflict);
    };
    return { db: { ...db, write, transact }, puts };
  }

  it('neither reopens a served bid nor turns an inactive key on', async () => {
    const { db, puts } = remembering();
    const handlers = await createHandlers({ ...service.stack.effects, db });
    const call = createCaller(() => handlers);
    const user = newUser();
    const headers = { 'x-user-id': user };
    const { id: keyId, key } = (await call('POST', '/api/v1/auth/api-keys', { headers, body: { name: 'Key' } })).body;
    const word = `${user.replace('-', '')}oom`;
    const { id } = await service.campaign({ targetAudience: { keywords: [word] } }, user);
    const body = { countryCode: 'US', messages: [{ role: 'user', content: word }] };
    const { bidId } = (await call('POST', '/api/v1/ssp/bid', { headers: { 'x-api-key': key }, body })).body;
    const ad = () => service.call('GET', `/api/v1/ssp/ad/${bidId}`, { headers: { 'x-api-key': key } });
    expect((await ad()).status).toBe(200);
    for (const writes of puts) await service.stack.effects.db.transact(writes);
    expect((await ad()).status).toBe(200);
    const ledger = await service.stack.effects.db.get('ledgers', { campaignId: id, row: 'money' });
    expect(ledger).toMatchObject({ spent: 4_000, impressions: 1 });

    await service.user(user)('PATCH', `/auth/api-keys/${keyId}/toggle`);
    for (const writes of puts) await service.stack.effects.db.transact(writes);
    expect(await keysOf(user)).toMatchObject([{ isActive: false, requestCount: 3 }]);
    expect(puts.map((writes) => writes.map(({ table }) => table))).toEqual([['api-keys', 'activity'], ['bids']]);
  });
});
