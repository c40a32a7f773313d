import { describe, expect, it } from 'vitest';
import { isKey, keyFingerprint } from '../../../shared/keys/credential.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const create = (body: unknown) => service.user()('POST', '/auth/api-keys', body);

describe('POST /auth/api-keys', () => {
  it('keeps the judge setting of the request', async () => {
    expect((await create({ name: 'x', judge: false })).body.judge).toBe(false);
    expect((await create({ name: 'x', judge: 'no' })).body.details).toEqual([
      { path: 'judge', message: 'judge must be true or false' },
    ]);
  });

  it('returns 201 with the whole key and the defaults', async () => {
    const { status, body } = await create({ name: '  My bot  ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: keyFingerprint(body.key),
      name: 'My bot',
      judge: true,
      blockedDomains: [],
      blockedCategories: [],
      billing: 'burl',
      turnSpacing: 0,
      adsPerConversation: null,
      adStrictness: 'balanced',
      auction: 'first',
      sellerAgentUrl: null,
      publicName: null,
      key: expect.stringMatching(/^ak_live_[0-9A-Za-z]{33}$/),
      mode: 'live',
      bidFloor: 0,
      isActive: true,
      createdAt: new Date(service.clock.now()).toISOString(),
      lastUsedAt: null,
      requestCount: 0,
      oldKeyUntil: null,
      oldKeysUntil: [],
    });
    expect(isKey(body.key)).toBe(true);
  });

  it('stores and logs the fingerprint, not the key', async () => {
    const { body } = await create({ name: 'Secretive', mode: 'test', bidFloor: 0.5 });
    const item = await service.stack.effects.db.get('api-keys', { id: body.id });
    expect(item).toMatchObject({ mode: 'test', bidFloor: 500_000, masked: `ak_test_****${body.key.slice(-4)}` });
    expect(JSON.stringify(item) + service.lines.join()).not.toContain(body.key.slice(8, 30));
  });

  it.each([
    ['no body', undefined, 'API key name is required'],
    ['no name', {}, 'API key name is required'],
    ['a null name', { name: null }, 'API key name is required'],
    ['a blank name', { name: '   ' }, 'API key name is required'],
    ['no name among other faults', { mode: 'prod', bidFloor: -1 }, 'API key name is required'],
    ['a name that is a number', { name: 7 }, 'API key name must be text'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'API key name must have at most 200 characters'],
    ['an unknown mode', { name: 'x', mode: 'prod' }, 'mode must be live or test'],
    ['a negative floor', { name: 'x', bidFloor: -1 }, /^bidFloor must be an amount in USD from 0 to 1,000/],
    ['a floor of 4 decimals', { name: 'x', bidFloor: 0.0001 }, /^bidFloor must be/],
    ['a floor that is a text', { name: 'x', bidFloor: '1' }, /^bidFloor must be/],
  ])('rejects %s', async (_, body, message) => {
    const response = await create(body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      error: 'Validation failed',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
      statusCode: 400,
    });
    expect(response.body.details.length).toBeGreaterThan(0);
  });

  it.each([undefined, '', 'with space', 'ünïcode', 'x'.repeat(129)])(
    'returns 401 for the user id "%s"',
    async (user) => {
      const headers =
        user === undefined ? {} : { 'x-user-id': encodeURI(user) === user || user === 'with space' ? user : 'a b' };
      const { status, body } = await service.call('POST', '/api/v1/auth/api-keys', {
        headers: headers as never,
        body: { name: 'x' },
      });
      const details = user
        ? {}
        : { details: [{ path: 'x-user-id', message: 'Send the user ID in the header x-user-id' }] };
      expect([status, body]).toEqual([
        401,
        { error: 'Unauthorized', message: 'User ID is required', statusCode: 401, ...details },
      ]);
    },
  );
});
