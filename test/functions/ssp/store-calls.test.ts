import { beforeAll, describe, expect, it } from 'vitest';
import type { HttpHandlers } from '../../../infra/local/functions.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createCaller, createHandlers } from '../../service.ts';

// @module-tag whole
const service = useServiceInMemory({ CAMPAIGN_REFRESH_SECONDS: '60' });
const calls: string[] = [];
let handlers: HttpHandlers;
const call = createCaller(() => handlers);

/** A database that records its calls. */
const watched = (db: Database): Database =>
  new Proxy(db, {
    get:
      (target, method: keyof Database) =>
      (...given: never[]) => {
        calls.push(method);
        return (target[method] as (...all: never[]) => unknown)(...given);
      },
  });

const during = async (act: () => Promise<unknown>): Promise<string[]> => {
  calls.length = 0;
  await act();
  return [...calls];
};

beforeAll(async () => {
  await service.campaign();
  handlers = await createHandlers({ ...service.stack.effects, db: watched(service.stack.effects.db) });
});

describe('Store calls', () => {
  const bid = (key: string, content = 'running shoes') => ({
    headers: { 'x-api-key': key },
    body: { countryCode: 'US', messages: [{ role: 'user', content }] },
  });

  it('for a bid: two, for a no-bid or a click: one; a refresh adds three queries, the settings a read every ten seconds, no-bids a write per minute, a new instance a read of the snapshot and of the secret, an unknown creative a read', async () => {
    const key = await service.key();
    const post = (content?: string) => call('POST', '/api/v1/ssp/bid', bid(key, content));
    const calls = ['get', 'get', 'get', 'query', 'query', 'query', 'write', 'write', 'write'];
    expect((await during(() => post())).sort()).toEqual(calls); // the first instance also writes the secret
    let bidId = '';
    expect(await during(async () => ({ bidId } = (await post()).body))).toEqual(['write', 'write']);
    expect(await during(() => post('small talk'))).toEqual(['write']);
    service.clock.advance(60_000);
    // The reasons of a minute's no-bids are written in addition to the key's own write.
    expect((await during(() => post('small talk'))).sort()).toEqual([
      'get',
      'query',
      'query',
      'query',
      'write',
      'write',
    ]);

    bidId = (await post()).body.bidId;
    const ad = () => call('GET', `/api/v1/ssp/ad/${bidId}`, { headers: { 'x-api-key': key } });
    expect((await during(ad)).sort()).toEqual(['get', 'get', 'get', 'transact', 'write']); // the first ad also reads the secret
    expect((await during(ad)).sort()).toEqual(['get', 'write']);
    expect((await during(() => call('GET', `/api/v1/click/${bidId}`))).sort()).toEqual(['get', 'write']);
    expect(await during(() => call('GET', `/api/v1/click/${bidId}`))).toEqual(['write']);
  });

  it("for a new instance's first bid: two, the key's settings, the secret, the snapshot, its parts, and three queries", async () => {
    await service.stack.workers['schedules/write-snapshot']();
    const cold = await createHandlers({ ...service.stack.effects, db: watched(service.stack.effects.db) });
    const key = await service.key();
    const first = await during(() => createCaller(() => cold)('POST', '/api/v1/ssp/bid', bid(key)));
    expect(first.sort()).toEqual(['get', 'get', 'get', 'getAll', 'query', 'query', 'query', 'write', 'write']);
  });

  it('read a conversation in parallel with the first write in every API', async () => {
    const { effects } = service.stack;
    const order: string[] = [];
    let reading = Promise.withResolvers<unknown>();
    const db: Database = {
      ...effects.db,
      get(table, asked) {
        order.push(`read ${table}`);
        if (table === 'conversations') reading.resolve(undefined);
        return effects.db.get(table, asked);
      },
      async write(written: never, answered: never) {
        await reading.promise; // would never resolve if it were read afterwards
        order.push('written');
        return effects.db.write(written, answered);
      },
    };
    const mineAlone = await createHandlers({ ...effects, db });
    const mine = createCaller(() => mineAlone);
    const key = await service.key({ adsPerConversation: 3 });
    const messages = [{ role: 'user', content: 'running shoes' }];
    const native = { request: JSON.stringify({ assets: [{ id: 1, title: { len: 90 } }] }) };
    const conversation = { id: 'c1' };
    for (const [path, body] of Object.entries({
      'ssp/bid': { countryCode: 'US', messages, conversation },
      'openrtb2/bid': { id: '1', imp: [{ id: '1', native }], ext: { conversation: { ...conversation, messages } } },
      'ad-serving/request': { context: { conversation: 'running shoes' }, conversation },
    })) {
      const ask = () => mine('POST', `/api/v1/${path}`, { headers: { 'x-api-key': key }, body });
      reading.resolve(undefined);
      await ask(); // loads the owner of the key
      reading = Promise.withResolvers();
      order.length = 0;
      service.clock.advance(1_000);
      expect((await ask()).status, path).toBe(200);
      expect(order.filter((call) => /conversations|written/.test(call)).slice(0, 2), path).toEqual([
        'read conversations',
        'written',
      ]);
    }
  });

  it('are none for garbage keys, and one read while an instance knows that the window is full', async () => {
    service.clock.advance(60_000); // the catalog is stale, but no request refreshes it
    expect(await during(() => call('POST', '/api/v1/ssp/bid', bid('garbage')))).toEqual([]);
    expect(await during(() => call('GET', '/api/v1/ssp/ad/00000000-0000-4000-8000-000000000000'))).toEqual([]);
    const key = await service.key();
    await Promise.all(Array.from({ length: 16 }, () => call('POST', '/api/v1/ssp/bid', bid(key))));
    expect(await during(() => call('POST', '/api/v1/ssp/bid', bid(key)))).toEqual(['get']);
  });

  it('are none for a key with a wrong checksum, wherever it is sent', async () => {
    service.clock.advance(60_000);
    const key = await service.key();
    const mistyped = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
    const request = '/api/v1/ad-serving/request';
    const body = { context: { conversation: 'running shoes' } };
    const calls = await during(async () => {
      const answers = [
        await call('POST', '/api/v1/ssp/bid', bid(mistyped)),
        await call('POST', request, { headers: { 'x-api-key': mistyped }, body }),
        await call('POST', request, { headers: { authorization: `Bearer ${mistyped}` }, body }),
        await call('POST', request, { query: `api_key=${mistyped}`, body }),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ status: 401, body: { message: 'Invalid API key' } });
    });
    expect(calls).toEqual([]);
  });
});
