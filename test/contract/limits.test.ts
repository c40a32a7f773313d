import { beforeAll, describe, expect, it } from 'vitest';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { addApiKey } from '../../shared/keys/create-key.ts';
import { generateKey, keyFingerprint } from '../../shared/keys/credential.ts';
import { MINUTE_MS } from '../../shared/platform/clock.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { type ContractRow, expectRefusal, fixture, selectRows, send, type TestResponse, withCaller } from './rows.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeAll(() => seedFixtures(service.stack.effects));
const MESSAGES = {
  ssp: ['Rate Limit Exceeded', 'Too Many Requests'],
  other: ['Rate limit exceeded', 'Too many requests, please try again later'],
};

/** A caller without earlier requests. */
let count = 0;
const newcomer = async () => {
  const { secret } = await addApiKey(service.stack.effects, 'publisher', {
    name: 'New',
    mode: 'live',
    bidFloor: 0,
  });
  return { user: `newcomer-${++count}`, key: secret };
};
type Who = Awaited<ReturnType<typeof newcomer>>;
const ask = (row: ContractRow, who: Who) =>
  send(service.stack.handlers, row.name, withCaller(row, fixture(row.name), who));

function expectLimited(row: ContractRow, sent: TestResponse, waitSeconds: number): void {
  expectRefusal(row, sent, 429);
  const [error, message] = MESSAGES[row.area === 'ssp' ? 'ssp' : 'other'];
  expect(sent.body).toEqual({ error, message, statusCode: 429 });
  expect(sent.headers).toMatchObject({
    'retry-after': String(waitSeconds),
    'ratelimit-limit': String(row.limit!.max),
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(waitSeconds),
  });
}

describe('The limit per second', () => {
  it.each(selectRows(({ limit }) => limit && 'register' in limit))(
    'lets %s respond to 15 requests and then reports when to retry',
    async (_, row) => {
      const who = await newcomer();
      for (let left = 14; left >= 0; left--) {
        const sent = await ask(row, who);
        expect(sent.status).not.toBe(429);
        expect(sent.headers).toMatchObject({
          'ratelimit-limit': '15',
          'ratelimit-remaining': String(left),
          'ratelimit-reset': '1',
        });
        expect(sent.headers).not.toHaveProperty('retry-after');
      }
      service.clock.advance(1);
      expectLimited(row, await ask(row, who), 1);
      service.clock.advance(999);
      expect((await ask(row, who)).status).not.toBe(429);
    },
  );
});

const groups = new Map<string, ContractRow[]>();
for (const [, row] of selectRows(({ limit }) => limit && 'group' in limit)) {
  const { group } = row.limit as { group: string };
  groups.set(group, [...(groups.get(group) ?? []), row]);
}

describe.each([...groups])('The limit per minute of %s', (_, members) => {
  const { max, group } = members[0]!.limit as { max: number; group: string };
  const skip = (who: Who, places: number) => {
    const subject = `${group} ${members[0]!.credential === 'owner' ? who.user : keyFingerprint(who.key)}`;
    const values = { places };
    return service.stack.effects.db.write({ table: 'limits', key: { subject }, update: 'ADD #count :places', values });
  };
  /** Sends requests to all operations. Those in the middle only take places directly in the store. */
  const spend = async (who: Who, times: number, from = 0) => {
    const last = from + times;
    const first = Math.max(5, members.length);
    for (let i = from; i < last; i++) {
      if (i === from + first && times > first + 5) {
        await skip(who, times - first - 5);
        i = last - 5;
      }
      const sent = await ask(members[i % members.length]!, who);
      expect(sent.status).not.toBe(429);
      expect(sent.headers).toMatchObject({
        'ratelimit-limit': String(max),
        'ratelimit-remaining': String(max - 1 - i),
      });
      expect(Number(sent.headers['ratelimit-reset'])).toBeGreaterThanOrEqual(1);
    }
  };

  it('is the same for all its operations', () => {
    expect(new Set(members.map(({ limit }) => limit!.max)).size).toBe(1);
  });

  it('counts all its operations together, and then rejects each of them', async () => {
    const who = await newcomer();
    await spend(who, max);
    for (const row of members) expectLimited(row, await ask(row, who), 60);
  });

  it('starts with the first request and lasts 60 seconds, however it is filled', async () => {
    const who = await newcomer();
    const [row] = members as [ContractRow];
    await spend(who, 1);
    service.clock.advance(MINUTE_MS - 1500);
    await spend(who, max - 1, 1);
    expectLimited(row, await ask(row, who), 2);
    service.clock.advance(1499);
    expectLimited(row, await ask(row, who), 1);
    service.clock.advance(1);
    await spend(who, max);
    expectLimited(row, await ask(row, who), 60);
  });

  it('does not count rejected requests', async () => {
    const who = await newcomer();
    const [row] = members as [ContractRow];
    await spend(who, max);
    for (let i = 0; i < 20; i++) expectLimited(row, await ask(row, who), 60);
    service.clock.advance(MINUTE_MS);
    await spend(who, max);
  });

  it('is separate for every caller', async () => {
    const [who, other] = [await newcomer(), await newcomer()];
    await spend(who, max);
    await spend(other, 1);
  });

  it('accepts exactly the limit of concurrent requests', async () => {
    const who = await newcomer();
    const [row] = members as [ContractRow];
    await spend(who, max - 90);
    const crowd = await Promise.all(Array.from({ length: 110 }, () => ask(row, who)));
    expect(crowd.filter(({ status }) => status === 429)).toHaveLength(20);
    expect(crowd.filter(({ status }) => status >= 500)).toHaveLength(0);
  });
});

describe('A request without a credential', () => {
  it('is neither counted nor limited', async () => {
    const key = generateKey('live', (length) => new Uint8Array(length).fill(9));
    for (const [, row] of selectRows(({ limit }) => limit)) {
      for (let i = 0; i < 20; i++) expect((await ask(row, { user: 'no body', key })).status).toBe(401);
    }
  });
});
