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

/** A database that writes down what is asked of it. */
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

  it('are two for a bid, one for a no-bid, one for a click; a refresh adds three queries, ten seconds one read of the key’s settings, a minute of no-bids one write, a new instance a look for the snapshot, an unknown creative a read', async () => {
    const key = await service.key();
    const post = (content?: string) => call('POST', '/api/v1/ssp/bid', bid(key, content));
    expect((await during(() => post())).sort()).toEqual(['get', 'get', 'query', 'query', 'query', 'write', 'write']);
    let bidId = '';
    expect(await during(async () => ({ bidId } = (await post()).body))).toEqual(['write', 'write']);
    expect(await during(() => post('small talk'))).toEqual(['write']);
    service.clock.advance(60_000);
    // Beside the key's own write, the reasons of the no-bids of a minute.
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
    expect((await during(ad)).sort()).toEqual(['get', 'get', 'transact', 'write']);
    expect((await during(ad)).sort()).toEqual(['get', 'write']);
    expect((await during(() => call('GET', `/api/v1/click/${bidId}`))).sort()).toEqual(['get', 'write']);
    expect(await during(() => call('GET', `/api/v1/click/${bidId}`))).toEqual(['write']);
  });

  it('are two for a new instance’s first bid too, beside the key’s settings, the snapshot, its parts and three queries', async () => {
    await service.stack.workers['schedules/write-snapshot']();
    const cold = await createHandlers({ ...service.stack.effects, db: watched(service.stack.effects.db) });
    const key = await service.key();
    const first = await during(() => createCaller(() => cold)('POST', '/api/v1/ssp/bid', bid(key)));
    expect(first.sort()).toEqual(['get', 'get', 'getAll', 'query', 'query', 'query', 'write', 'write']);
  });

  it('read a conversation beside the first write, whichever way the bid is asked for', async () => {
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
        await reading.promise; // for ever, were it read afterwards
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
      await ask(); // an instance learns whose a key is
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

  it('are none for garbage keys, and one read while an instance knows the window to be full', async () => {
    service.clock.advance(60_000); // the catalog is stale, and yet nothing is asked for
    expect(await during(() => call('POST', '/api/v1/ssp/bid', bid('garbage')))).toEqual([]);
    expect(await during(() => call('GET', '/api/v1/ssp/ad/00000000-0000-4000-8000-000000000000'))).toEqual([]);
    const key = await service.key();
    await Promise.all(Array.from({ length: 16 }, () => call('POST', '/api/v1/ssp/bid', bid(key))));
    expect(await during(() => call('POST', '/api/v1/ssp/bid', bid(key)))).toEqual(['get']);
  });

  it('are none for a key whose checksum is wrong, wherever it stands', async () => {
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
