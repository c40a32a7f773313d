import { describe, expect, it } from 'vitest';
import { seedFixtures } from '../../infra/local/fixtures.ts';
import { demoKey } from '../../infra/local/seed.ts';
import { generateKey } from '../../shared/keys/credential.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import {
  type ContractRow,
  expectRefusal,
  fixture,
  selectRows,
  send,
  withHeaders,
  withKey,
  withoutCredential,
} from './rows.ts';

// @module-tag whole
const service = useServiceInMemory();
const ofUsers = selectRows(({ credential }) => credential === 'owner');
const ofKeys = selectRows(({ credential }) => credential !== 'owner' && credential !== 'none');

/** @param wanted the header that the error names; undefined for a wrong credential */
const expectUnauthorized = async (
  row: ContractRow,
  event: ReturnType<typeof fixture>,
  message: string,
  wanted?: string,
) => {
  const sent = await send(service.stack.handlers, row.name, event);
  expectRefusal(row, sent, 401);
  const details = wanted && { details: [{ path: wanted, message: expect.stringContaining(wanted) }] };
  const said =
    row.area === 'trusted-match'
      ? { type: 'error', request_id: '', code: 'invalid_request', message }
      : { error: 'Unauthorized', message, statusCode: 401 };
  expect(sent.body).toEqual({ ...said, ...details });
  if (row.limit) expect(sent.headers).toMatchObject({ 'ratelimit-limit': String(row.limit.max) });
};

const wantedBy = ({ credential }: ContractRow) => (credential === 'key' ? 'X-API-Key' : 'Authorization');

describe('A request without a credential', () => {
  it.each(ofUsers)('gets 401 from %s with the name of the user header', (name, row) =>
    expectUnauthorized(row, withoutCredential(fixture(name)), 'User ID is required', 'x-user-id'),
  );

  it.each(ofKeys)('gets 401 from %s with the name of the key header', (name, row) =>
    expectUnauthorized(row, withoutCredential(fixture(name)), 'Invalid API key', wantedBy(row)),
  );

  it('gets an error about a credential in the wrong place, which does not repeat it', async () => {
    const key = await service.key();
    const tell = async (name: ContractRow['name'], headers: Record<string, string>, query = '') => {
      const event = withHeaders({ ...withoutCredential(fixture(name)), rawQueryString: query }, headers);
      const { status, body, text } = await send(service.stack.handlers, name, event);
      expect(status).toBe(401);
      expect(text).not.toContain(key);
      return body.details[0].message;
    };
    expect(await tell('ssp/bid', { authorization: `Bearer ${key}` })).toBe(
      'Send the API key in the header X-API-Key, not in Authorization',
    );
    expect(await tell('ssp/ad', {}, `api_key=${key}`)).toBe(
      'Send the API key in the header X-API-Key, not in the query',
    );
    expect(await tell('campaigns/list', { 'x-api-key': key })).toBe(
      'Send the user ID in the header x-user-id, not an API key',
    );
    expect(await tell('legacy/request', { authorization: key })).toMatch(/Bearer.*x-api-key.*api_key/);
  });

  it.each(selectRows(({ credential, path }) => credential === 'none' && path))('is accepted by %s', async (name) => {
    await seedOnce();
    const { status } = await send(service.stack.handlers, name, withoutCredential(fixture(name)));
    expect(status).toBeLessThan(400);
  });
});

describe('An invalid user id', () => {
  const MALFORMED = ['', ' ', 'two words', 'tab\there', 'ü', 'жук', '\u007f', 'x'.repeat(129), `${'x'.repeat(128)}ü`];

  it.each(ofUsers)('is rejected by %s', async (name, row) => {
    for (const user of MALFORMED) {
      const wanted = user.trim() === '' ? 'x-user-id' : undefined;
      await expectUnauthorized(row, withHeaders(fixture(name), { 'x-user-id': user }), 'User ID is required', wanted);
    }
  });

  it('does not include 128 printable characters, or only punctuation', async () => {
    for (const user of ['x', '~'.repeat(128), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '%C3%BC', '__proto__']) {
      const event = withHeaders(fixture('campaigns/list'), { 'x-user-id': user });
      expect((await send(service.stack.handlers, 'campaigns/list', event)).status, user).toBe(200);
    }
  });

  it('includes an API key, and a user id is not accepted as a key', async () => {
    const key = await service.key();
    const keyed = withHeaders(withoutCredential(fixture('campaigns/list')), { 'x-api-key': key });
    expect((await send(service.stack.handlers, 'campaigns/list', keyed)).status).toBe(401);
    const named = withHeaders(withoutCredential(fixture('ssp/bid')), { 'x-user-id': 'alice' });
    expect((await send(service.stack.handlers, 'ssp/bid', named)).status).toBe(401);
  });
});

describe('An invalid key', () => {
  it.each(ofKeys)('is rejected by %s alike, whether garbage, unknown, inactive, or deleted', async (name, row) => {
    const user = service.user(`owner of ${name}`.replaceAll(' ', '-'));
    const make = async () => (await user('POST', '/auth/api-keys', { name: 'Short-lived' })).body;
    const [inactive, deleted] = [await make(), await make()];
    await user('PATCH', `/auth/api-keys/${inactive.id}/toggle`);
    await user('DELETE', `/auth/api-keys/${deleted.id}`);
    const unknown = generateKey('live', (count) => new Uint8Array(count).fill(7));
    const garbage = [
      '',
      'garbage',
      'ак_live_ключ',
      `${unknown.slice(0, -1)}!`,
      `${unknown}0`,
      `${unknown.slice(0, -6)}000000`,
    ];
    for (const key of [...garbage, unknown, inactive.key, deleted.key, deleted.id]) {
      await expectUnauthorized(
        row,
        withKey(fixture(name), key),
        'Invalid API key',
        key === '' ? wantedBy(row) : undefined,
      );
    }
  });
});

describe('A key allowed in three places', () => {
  const inPlaces = (name: ContractRow['name'], key: string) => {
    const bare = withoutCredential(fixture(name));
    return {
      bearer: withHeaders(bare, { authorization: `Bearer ${key}` }),
      header: withHeaders(bare, { 'x-api-key': key }),
      query: { ...bare, rawQueryString: `${bare.rawQueryString}&api_key=${key}` },
    };
  };

  it.each(selectRows(({ credential }) => credential === 'any-key'))(
    'is accepted in each by %s, and rejected in each if invalid',
    async (name, row) => {
      await seedOnce();
      const [key, unknown] = [KEY_OF_FIXTURES, generateKey('live', (count) => new Uint8Array(count).fill(8))];
      for (const [place, event] of Object.entries(inPlaces(name, key)))
        expect((await send(service.stack.handlers, name, event)).status, place).toBe(200);
      for (const wrong of [unknown, 'garbage', '', `${key}x`])
        for (const event of Object.values(inPlaces(name, wrong)))
          await expectUnauthorized(row, event, 'Invalid API key', wrong === '' ? 'Authorization' : undefined);
    },
  );

  it.each(selectRows(({ credential }) => credential === 'key'))(
    'is accepted only in its header by %s',
    async (name, row) => {
      const { bearer, query } = inPlaces(name, KEY_OF_FIXTURES);
      for (const event of [bearer, query]) await expectUnauthorized(row, event, 'Invalid API key', 'X-API-Key');
    },
  );
});

const KEY_OF_FIXTURES = demoKey();
let seeded: Promise<void> | undefined;
const seedOnce = () => {
  seeded ??= seedFixtures(service.stack.effects);
  return seeded;
};
