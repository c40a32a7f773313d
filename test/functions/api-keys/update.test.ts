import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCaller, createHandlers, useService } from '../../service.ts';

const service = useService();
const user = (name = 'publisher') => service.user(name);
const create = async (name = 'Changed') => (await user()('POST', '/auth/api-keys', { name })).body;
const change = (id: string, body: unknown, by = 'publisher') => user(by)('PATCH', `/auth/api-keys/${id}`, body);
const list = async (id: string) =>
  (await user()('GET', '/auth/api-keys')).body.find((key: { id: string }) => key.id === id);

/** The size of an item of texts, numbers, and flags as DynamoDB computes it. */
const countBytes = (item: object): number =>
  Object.entries(item)
    .map(
      ([name, value]) =>
        name.length + (typeof value === 'string' ? Buffer.byteLength(value) : String(value).length / 2 + 1),
    )
    .reduce((sum, bytes) => sum + bytes, 0);

/** The longest name, in bytes, that fits into the key's own item. */
const MAX_NAME_BYTES = 120;

describe('PATCH /auth/api-keys/{id}', () => {
  it('changes the given fields, keeps the others, and resets a field to its default on null', async () => {
    const { key, ...created } = await create();
    const settings = {
      blockedDomains: ['shop.example', 'xn--mnchen-3ya.example'],
      blockedCategories: ['Casinos & Gambling'],
    };
    const sent = { ...settings, blockedDomains: ['Shop.Example', 'münchen.example'] };
    const changed = await change(created.id, { name: ' New ', bidFloor: 1.5, judge: false, ...sent });
    const expected = { ...created, key: expect.any(String), name: 'New', bidFloor: 1.5, judge: false, ...settings };
    expect(changed).toMatchObject({ status: 200, body: expected });
    expect(changed.body).toEqual(await list(created.id));
    expect((await change(created.id, {})).body).toEqual(changed.body);
    expect((await change(created.id, changed.body)).headers).not.toHaveProperty('x-ignored-fields');
    expect((await user()('PATCH', `/auth/api-keys/${created.id}/toggle`)).body).toMatchObject(settings);
    await change(created.id, { bidFloor: null, judge: null, blockedDomains: null });
    expect(await list(created.id)).toMatchObject({ name: 'New', bidFloor: 0, judge: true, blockedDomains: [] });
    expect((await list(created.id)).blockedCategories).toEqual(['Casinos & Gambling']);
  });

  it.each([
    [{ mode: 'live', isActive: true }, undefined],
    [{ mode: 'test', isActive: true, floor: 1 }, 'mode, floor'],
    [{ mode: null, isActive: false }, 'mode, isActive'],
    [{ isActive: 'true' }, 'isActive'],
  ])('reports mode and isActive as ignored only if they differ from the key: %j', async (body, ignored) => {
    const { id } = await create();
    const before = await list(id);
    const { status, headers } = await change(id, body);
    expect([status, headers['x-ignored-fields']]).toEqual([200, ignored]);
    expect(await list(id)).toEqual(before);
  });

  it('returns at once what the creation set', async () => {
    const settings = { blockedDomains: ['shop.example'], blockedCategories: ['Casinos & Gambling'] };
    const { body } = await user()('POST', '/auth/api-keys', { name: 'Strict', ...settings });
    expect(body).toMatchObject(settings);
    expect(await list(body.id)).toMatchObject(settings);
  });

  it('applies a new floor to the next bid', async () => {
    await service.campaign();
    const { id, key } = await create();
    expect((await service.bid(key)).body).not.toBeNull();
    await change(id, { bidFloor: 900 });
    expect((await service.bid(key)).body).toBeNull();
  });

  it.each([
    ['no name', { name: null }, 'API key name is required'],
    ['a blank name', { name: ' ' }, 'API key name is required'],
    ['a floor of 4 decimals', { bidFloor: 0.0001 }, /^bidFloor must be an amount in USD/],
    ['domains that are no list', { blockedDomains: 'shop.example' }, /^blockedDomains must be a list/],
    [
      'a URL among domains, and names it',
      { blockedDomains: ['shop.example', 'https://shop.example/'] },
      /^blockedDomains must contain only domains such as.*; “https:\/\/shop\.example\/” is not a domain$/,
    ],
    ['a long text as a domain', { blockedDomains: ['x'.repeat(101)] }, /scheme, port, or path$/],
    ['an address', { blockedDomains: ['10.0.0.1'] }, /^blockedDomains must contain only domains/],
    ['501 domains', { blockedDomains: Array(501).fill('a.example') }, /at most 500/],
    ['categories that block nothing', { blockedCategories: ['Pets', 'Petz', 'IAB99'] }, /unknown: Petz, IAB99$/],
    ['an empty public name', { publicName: ' ' }, /^publicName must be text of 1 to 60 visible characters$/],
    ['a long public name', { publicName: 'x'.repeat(61) }, /^publicName must be text of 1 to 60/],
    ['a public name with invisible characters', { publicName: 'Chat\u200bbot' }, /^publicName must be text of 1 to 60/],
    [
      'a public name like a pseudonym',
      { publicName: 'Publisher 7F3K-Q2' },
      /^publicName must not look like the pseudonym/,
    ],
    [
      'a public name that reports use',
      { publicName: 'Unattributed' },
      /^publicName must not be a word that reports use/,
    ],
    ['an empty category', { blockedCategories: [''] }, /^blockedCategories must be a list/],
  ])('rejects %s', async (_, body, message) => {
    const { id } = await create();
    const refused = await change(id, body);
    expect(refused).toMatchObject({ status: 400, body: { error: 'Validation failed' } });
    expect(refused.body.message).toMatch(message);
  });

  it("returns 404 for an unknown, deleted, or other user's key, and stores nothing", async () => {
    const { id } = await create();
    const settings = { blockedDomains: ['shop.example'] };
    await change(id, settings);
    expect((await change(id, settings, 'stranger')).status).toBe(404);
    expect((await change('key_1', settings)).status).toBe(404);
    const [changed, deleted] = await Promise.all([change(id, settings), user()('DELETE', `/auth/api-keys/${id}`)]);
    expect([200, 404]).toContain(changed.status);
    expect(deleted.status).toBe(200);
    expect((await change(id, settings)).status).toBe(404);
    expect(await service.stack.effects.db.get('key-settings', { id })).toBeUndefined();
  });

  it('stores a long name with the settings, so the item that each request writes stays within a kilobyte', async () => {
    const longest = 'ƒ漢'.repeat(100);
    const owner = 'o'.repeat(128);
    const { body } = await user(owner)('POST', '/auth/api-keys', { name: longest, mode: 'test', bidFloor: 999.999 });
    expect(body.name).toBe(longest);
    await user(owner)('POST', `/auth/api-keys/${body.id}/rotate`);
    for (let request = 0; request < 15; request++) {
      await service.bid(body.key);
      await service.ad(body.key, 'none');
    }
    const item = await service.stack.effects.db.get('api-keys', { id: body.id });
    // Includes an exchange's window and the count of a day, although this key has neither.
    const exchange = { exchangeCount: 200, exchangeEndsAt: service.clock.now() };
    const busy = { day: '2026-11-20', dayRequests: 86_400_000 };
    expect(countBytes({ ...exchange, ...item!, ...busy })).toBeLessThan(1024 - MAX_NAME_BYTES);
    // Five replaced secrets take a fifth of the item. With an owner and a name of usual length they fit.
    for (let n = 0; n < 4; n++) await user(owner)('POST', `/auth/api-keys/${body.id}/rotate`);
    const { older } = (await service.stack.effects.db.get('api-keys', { id: body.id }))!;
    expect(Object.keys(older!)).toHaveLength(4);
    const olderBytes = countBytes({ ...older, older: '', olderFor: body.id });
    expect(countBytes({ ...exchange, ...item!, ...busy, owner: randomUUID() }) + olderBytes).toBeLessThan(1024 - 20);
    expect(item).toMatchObject({
      secret: expect.anything(),
      oldSecret: expect.anything(),
      lastWrite: expect.anything(),
    });
    expect(item).toMatchObject({ name: '' });
    expect((await user(owner)('GET', '/auth/api-keys')).body[0].name).toBe(longest);
    const renamed = (await change(body.id, { name: 'Short' }, owner)).body;
    expect(renamed).toMatchObject({ name: 'Short', bidFloor: 999.999 });
    expect((await user(owner)('GET', '/auth/api-keys')).body[0].name).toBe('Short');
  });

  it("reads the settings in parallel with the key's own write, once in ten seconds", async () => {
    const { key } = await create();
    const read: string[] = [];
    const { effects } = service.stack;
    const get: typeof effects.db.get = (table, countReads) => {
      read.push(table);
      return effects.db.get(table, countReads);
    };
    const handlers = await createHandlers({ ...effects, db: { ...effects.db, get } });
    const bid = () =>
      createCaller(() => handlers)('POST', '/api/v1/ssp/bid', {
        headers: { 'x-api-key': key },
        body: { messages: [{ role: 'user', content: 'Hi' }], countryCode: 'US' },
      });
    const asked = () => read.filter((table) => table === 'key-settings').length;
    await bid();
    await bid();
    service.clock.advance(9_999);
    await bid();
    expect(asked()).toBe(1);
    service.clock.advance(1);
    await bid();
    expect(asked()).toBe(2);
  });
});
