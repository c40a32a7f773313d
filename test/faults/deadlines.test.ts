import { setImmediate } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { patience } from '../../shared/boot.ts';
import type { Database } from '../../shared/database.ts';
import { type EndpointName, endpointNames, endpointRow } from '../../shared/endpoints.ts';
import { handlersWith, httpEvent, useService } from '../harness.ts';

const service = useService({ CAMPAIGN_REFRESH_SECONDS: '60' });
let key: string;
beforeAll(async () => {
  key = await service.key();
  await service.campaign();
});

const bidFor = () =>
  httpEvent('POST', '/api/v1/ssp/bid', {
    headers: { 'x-api-key': key },
    body: { countryCode: 'US', messages: [{ role: 'user', content: 'running shoes' }] },
  });
const adFor = (bidId: string) => httpEvent('GET', `/api/v1/ssp/ad/${bidId}`, { headers: { 'x-api-key': key } });

/** The store of the service, from which some methods never come back. */
const hanging = (...methods: (keyof Database)[]): Database => {
  const { db } = service.stack.effects;
  const never = () => new Promise<never>(() => {});
  const stuck = Object.fromEntries(
    methods.map((method) => [
      method,
      method === 'query' ? () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) : never,
    ]),
  );
  return { ...db, ...stuck };
};

/** What is answered after so much time, as the clock of the tests goes; undefined if nothing is. */
async function answerWithin(ms: number, { name, event }: ReturnType<typeof httpEvent>, db: Database) {
  const handlers = await handlersWith({ ...service.stack.effects, db });
  let answer: { statusCode?: number; body?: string } | undefined;
  handlers[name](event).then((given) => {
    answer = given;
  });
  for (let tick = 0; tick < 50; tick++) await setImmediate(); // what does not hang comes as far as it can
  service.clock.advance(ms);
  for (let tick = 0; tick < 50; tick++) await setImmediate();
  return answer;
}

describe('A store that hangs', () => {
  it.each([
    ['from the start', ['write', 'query']],
    ['at the key', ['write']],
  ] as const)('%s costs a bid 900 ms: then there is none', async (_, methods) => {
    expect(await answerWithin(899, bidFor(), hanging(...methods))).toBeUndefined();
    service.measured.length = 0;
    expect(await answerWithin(900, bidFor(), hanging(...methods))).toMatchObject({ statusCode: 200, body: 'null' });
    expect(service.measured).toContainEqual({ name: 'NoBids.late', value: 1 });
  });

  it('while it reads the campaigns costs a bid 300 ms: then it is held among those known', async () => {
    const hangs = hanging('query', 'get', 'getAll');
    expect(await answerWithin(299, bidFor(), hangs)).toBeUndefined();
    expect(await answerWithin(300, bidFor(), hangs)).toMatchObject({ statusCode: 200, body: 'null' });
  });

  it.each([
    ['from the start', ['write', 'get']],
    ['at the charge', ['transact']],
  ] as const)('%s costs an ad 2,800 ms: then it is a 503', async (_, methods) => {
    const { bidId } = (await service.bid(key)).body;
    expect(await answerWithin(2_799, adFor(bidId), hanging(...methods))).toBeUndefined();
    expect(await answerWithin(2_800, adFor(bidId), hanging(...methods))).toMatchObject({ statusCode: 503 });
  });

  it('is told in the log under the id of the request', async () => {
    await answerWithin(900, bidFor(), hanging('write'));
    const late = service.lines.map((line) => JSON.parse(line)).find(({ message }) => message === 'late');
    expect(late).toMatchObject({ level: 'warn', operation: 'ssp/bid', requestId: 'request-1', deadlineMs: 900 });
  });
});

/** How often a request waits for the store: calls at the same time are one wait. */
async function waits({ name, event }: ReturnType<typeof httpEvent>): Promise<number> {
  let [open, rounds] = [0, 0];
  const counted =
    (call: (...given: never[]) => Promise<unknown>) =>
    async (...given: never[]) => {
      if (open++ === 0) rounds++;
      try {
        return await call(...given);
      } finally {
        open--;
      }
    };
  const { db } = service.stack.effects;
  const { get, write, transact } = db;
  const watched = { ...db, get: counted(get), write: counted(write), transact: counted(transact) } as Database;
  const handlers = await handlersWith({ ...service.stack.effects, db: watched });
  expect((await handlers[name](event)).statusCode).toBe(200);
  return rounds;
}

describe('Calls of the store', () => {
  const deadlined = endpointNames.filter((name) => endpointRow(name).deadlineMs !== undefined);

  it('are of the operations that have a deadline', () => expect(deadlined).toEqual(['ssp/bid', 'ssp/ad']));

  it.each(deadlined)('end before the deadline of %s, retries and all', (name: EndpointName) => {
    const { deadlineMs, callsInARow } = endpointRow(name);
    const { maxAttempts, requestHandler } = patience(endpointRow(name));
    const pauses = (maxAttempts - 1) * 100; // the first pause of the SDK's standard retries, at most
    expect(callsInARow! * (maxAttempts * requestHandler.requestTimeout + pauses)).toBeLessThanOrEqual(deadlineMs!);
    expect(requestHandler.requestTimeout).toBeGreaterThan(100);
  });

  it('come one after the other as often as the rows say', async () => {
    expect(await waits(bidFor())).toBe(endpointRow('ssp/bid').callsInARow);
    const { bidId } = (await service.bid(key)).body;
    expect(await waits(adFor(bidId))).toBe(endpointRow('ssp/ad').callsInARow);
  });
});
