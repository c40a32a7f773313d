import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpointNames, endpointRow } from '../../shared/http/operations/endpoints.ts';
import type { Database } from '../../shared/platform/database.ts';
import { Unavailable } from '../../shared/platform/unavailable.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { createHandlers, httpEvent } from '../service.ts';

const service = useServiceInMemory({ CAMPAIGN_REFRESH_SECONDS: '60' });
let key: string;
beforeAll(async () => {
  key = await service.key();
  await service.campaign();
});

const bidRequest = () =>
  httpEvent('POST', '/api/v1/ssp/bid', {
    headers: { 'x-api-key': key },
    body: { countryCode: 'US', messages: [{ role: 'user', content: 'running shoes' }] },
  });
const adRequest = (bidId: string) => httpEvent('GET', `/api/v1/ssp/ad/${bidId}`, { headers: { 'x-api-key': key } });

/** The number of pending store calls, and of calls that never resolve. */
let underWay = 0;
let hung = 0;

/** The service's store, with some methods that never resolve. */
const hanging = (...methods: (keyof Database)[]): Database => {
  const { db } = service.stack.effects;
  const { get, getAll, write, transact } = db;
  const counted =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      underWay++;
      try {
        return await call(...args);
      } finally {
        underWay--;
      }
    };
  const sound = { get: counted(get), getAll: counted(getAll), write: counted(write), transact: counted(transact) };
  const never = () => {
    hung++;
    return new Promise<never>(() => {});
  };
  const stuck = Object.fromEntries(
    methods.map((method) => [
      method,
      method === 'query' ? () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) : never,
    ]),
  );
  return { ...db, ...sound, ...stuck };
};

/** Waits until only hanging calls are pending. */
async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 50; quiet = underWay > 0 ? 0 : quiet + 1) await setImmediate();
}

/** Sends a request, waits until the store hangs, and then advances the test clock. */
async function sendThenAdvance(ms: number, { name, event }: ReturnType<typeof httpEvent>, db: Database) {
  const handlers = await createHandlers({ ...service.stack.effects, db });
  hung = 0;
  const answer = handlers[name](event);
  while (hung === 0) await setImmediate();
  await settle();
  service.clock.advance(ms);
  return { answer };
}

/** The response once the clock has advanced by this time. */
const responseAfter = async (...args: Parameters<typeof sendThenAdvance>) => (await sendThenAdvance(...args)).answer;

/** The response within this time, or undefined if it is still pending. */
async function responseWithin(...args: Parameters<typeof sendThenAdvance>) {
  const { answer } = await sendThenAdvance(...args);
  return Promise.race([answer, settle()]);
}

describe('A store that hangs', { tags: 'whole' }, () => {
  it.each([
    ['from the start', ['write', 'query']],
    ['at the key', ['write']],
  ] as const)('%s costs a bid 900 ms: then there is none', async (_, methods) => {
    expect(await responseWithin(899, bidRequest(), hanging(...methods))).toBeUndefined();
    service.measured.length = 0;
    expect(await responseAfter(900, bidRequest(), hanging(...methods))).toMatchObject({
      statusCode: 200,
      body: 'null',
      headers: { 'x-no-bid-reason': 'late: There was no time left to answer.' },
    });
    expect(service.measured).toContainEqual({ name: 'NoBids.late', value: 1 });
  });

  it('delays a bid by 300 ms if the read of campaigns hangs; then the auction uses the cached ones', async () => {
    const { db } = service.stack.effects;
    const stuck = hanging('query', 'get', 'getAll');
    const get: Database['get'] = (table, id) => (table === 'campaigns' ? stuck : db).get(table, id);
    const hangs = { ...stuck, get };
    expect(await responseWithin(299, bidRequest(), hangs)).toBeUndefined();
    expect(await responseAfter(300, bidRequest(), hangs)).toMatchObject({ statusCode: 200, body: 'null' });
  });

  it.each([
    ['from the start', ['write', 'get']],
    ['at the charge', ['transact']],
  ] as const)('%s costs an ad 2,800 ms: then it is a 503', async (_, methods) => {
    const { bidId } = (await service.bid(key)).body;
    expect(await responseWithin(2_799, adRequest(bidId), hanging(...methods))).toBeUndefined();
    expect(await responseAfter(2_800, adRequest(bidId), hanging(...methods))).toMatchObject({ statusCode: 503 });
  });

  it.each(['ssp/bid', 'openrtb2/bid'] as const)(
    'still lets %s reject a body that is not JSON, without logging it',
    async (name) => {
      const { event } = httpEvent('POST', `/api/v1/${name}`, {
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: '{"messages":[{"role":"user","content":PLANTEDSECRET about my illness"}]}',
      });
      service.lines.length = 0;
      const { statusCode, body } = await responseAfter(900, { name, event }, hanging('write'));
      expect([statusCode, JSON.parse(body!)]).toMatchObject([
        400,
        { details: [{ message: 'The body must be valid JSON' }] },
      ]);
      expect(service.lines.join('\n')).not.toMatch(/PLANTED|illness|"level":"error"/);
    },
  );

  it('still lets an unsupported OpenRTB version be rejected', async () => {
    const request = httpEvent('POST', '/api/v1/openrtb2/bid', {
      headers: { 'x-api-key': key, 'x-openrtb-version': '9' },
      body: { id: 'r1', imp: [{ id: '1', native: { request: '{}' } }] },
    });
    expect(await responseAfter(900, request, hanging('write'))).toMatchObject({ statusCode: 400 });
  });

  it('is logged under the id of the request', async () => {
    await responseAfter(900, bidRequest(), hanging('write'));
    const late = service.lines.map((line) => JSON.parse(line)).findLast(({ message }) => message === 'late');
    expect(late).toMatchObject({ level: 'warn', operation: 'ssp/bid', requestId: 'request-1', deadlineMs: 900 });
  });

  const lateLine = () => JSON.parse(service.lines.findLast((line) => line.includes('"message":"late"'))!);
  const debugging = ({ name, event }: ReturnType<typeof httpEvent>) => ({
    name,
    event: { ...event, headers: { ...event.headers, 'x-debug': 'true' } },
  });

  it('is logged with the call that a bid waited for, its table, and the time of each phase', async () => {
    const { headers } = await responseAfter(900, debugging(bidRequest()), hanging('write'));
    expect(lateLine()).toMatchObject({
      waitingFor: [{ call: 'write', table: 'api-keys', ms: 900 }],
      timingsMs: { authenticate: 900 },
    });
    // Whether the real store resolves the preload before the clock moves depends on the machine.
    expect(JSON.parse(String(headers!['x-debug-info'])).timingsMs).toMatchObject({
      authenticate: 900,
      'pending write api-keys': 900,
      total: 900,
    });
  });

  it('is logged with every call that an ad waited for, and all tables of a transaction', async () => {
    const { bidId } = (await service.bid(key)).body;
    await responseAfter(2_800, adRequest(bidId), hanging('write', 'get'));
    expect(lateLine().waitingFor).toEqual([
      { call: 'write', table: 'api-keys', ms: 2_800 },
      { call: 'get', table: 'bids', ms: 2_800 },
      { call: 'get', table: 'conversations', ms: 2_800 }, // the secret that signs the URL for feedback
    ]);
    const { body } = await responseAfter(2_800, debugging(adRequest(bidId)), hanging('transact'));
    expect(lateLine()).toMatchObject({
      waitingFor: [{ call: 'transact', table: 'bids, ledgers', ms: 2_800 }],
      timingsMs: { authenticate: 0, preload: 0, act: 2_800 },
    });
    expect(JSON.parse(body!).debug.timingsMs).toMatchObject({ act: 2_800, 'pending transact bids, ledgers': 2_800 });
  });

  it('is logged with the query that a list waited for', async () => {
    const list = httpEvent('GET', '/api/v1/campaigns', { headers: { 'x-user-id': 'alice' } });
    expect(await responseAfter(10_000, list, hanging('query'))).toMatchObject({ statusCode: 503 });
    expect(lateLine().waitingFor).toEqual([{ call: 'query', table: 'campaigns', ms: 10_000 }]);
  });

  it('is logged without the read of campaigns, which a bid no longer waits for', async () => {
    await responseAfter(900, bidRequest(), hanging('write', 'query', 'getAll'));
    expect(lateLine().waitingFor).toEqual([{ call: 'write', table: 'api-keys', ms: 900 }]);
  });

  it('logs no error if it fails after the response', async () => {
    const { bidId } = (await service.bid(key)).body;
    const pending = Promise.withResolvers<never>();
    const transact = () => {
      hung++;
      return pending.promise;
    };
    service.lines.length = 0;
    await responseAfter(2_800, adRequest(bidId), { ...service.stack.effects.db, transact });
    pending.reject(new Unavailable('the store cannot answer in time'));
    await settle();
    expect(service.lines.map((line) => JSON.parse(line).message)).toEqual(['late', 'request']);
  });
});

describe('An operation that uses the store', () => {
  const operations = endpointNames.filter((name) => Object.keys(endpointRow(name).tables).length > 0);

  it.each(operations)('%s has a deadline before those of Lambda and the gateway', (name) => {
    const { deadlineMs, timeoutSeconds } = endpointRow(name);
    expect(deadlineMs).toBeGreaterThan(0);
    expect(deadlineMs).toBeLessThan(timeoutSeconds * 1000 - 1_000);
  });

  it('has the deadline promised to its callers', () => {
    const deadlines = (['ssp/bid', 'ssp/ad', 'click/redirect'] as const).map((name) => endpointRow(name).deadlineMs);
    expect(deadlines).toEqual([900, 2_800, 1_000]);
  });

  it('passes its deadline to every call, except to shared reads, which have none', {
    tags: 'whole',
  }, async () => {
    const { clock } = service;
    const { db } = service.stack.effects;
    const seen: Record<string, number> = {};
    const watched: Database = {
      ...db,
      write(write, returning) {
        seen[write.table] = clock.deadline() - clock.now();
        return db.write(write, returning);
      },
      query(query) {
        seen[query.table] = clock.deadline();
        return db.query(query);
      },
    };
    const { name, event } = bidRequest();
    const handlers = await createHandlers({ ...service.stack.effects, db: watched });
    expect((await handlers[name](event)).statusCode).toBe(200);
    expect(seen).toEqual({ 'api-keys': 900, bids: 900, campaigns: Number.POSITIVE_INFINITY });
  });

  it('responds to a click with 503 after 1,000 ms if the store hangs', { tags: 'whole' }, async () => {
    const click = () => httpEvent('GET', '/api/v1/click/00000000-0000-4000-8000-000000000000');
    expect(await responseWithin(999, click(), hanging('write'))).toBeUndefined();
    expect(await responseAfter(1_000, click(), hanging('write'))).toMatchObject({ statusCode: 503 });
  });
});
