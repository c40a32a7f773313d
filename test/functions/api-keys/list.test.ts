import { describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const list = async (user: string) => (await service.user(user)('GET', '/auth/api-keys')).body;

async function create(user: string, body: object) {
  service.clock.advance(1000); // keys are ordered by creation time; also leaves the previous test's rate windows
  return (await service.user(user)('POST', '/auth/api-keys', body)).body;
}

describe('GET /auth/api-keys', () => {
  it('returns an empty list to a user without keys', async () => {
    expect(await list('nobody')).toEqual([]);
  });

  it('lists keys in creation order, masked after the prefix, with the fields of their creation', async () => {
    const created = [
      await create('carol', { name: 'First' }),
      await create('carol', { name: 'Second', mode: 'test', bidFloor: 1.25 }),
      await create('carol', { name: 'First' }), // key names need not be unique
    ];
    const listed = await list('carol');
    expect(listed).toEqual(created.map((key) => ({ ...key, key: `${key.key.slice(0, 8)}****${key.key.slice(-4)}` })));
    expect(listed[1]).toMatchObject({
      mode: 'test',
      bidFloor: 1.25,
      key: expect.stringMatching(/^ak_test_\*{4}[0-9A-Za-z]{4}$/),
    });
    expect(Object.keys(listed[0])).toEqual(Object.keys(created[0]));
  });

  it('keeps the order with 60 keys', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Key ${index}`);
    for (const name of names) await create('collector', { name });
    expect((await list('collector')).map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('hides the keys of other users', async () => {
    await create('dave', { name: 'Private' });
    expect(JSON.stringify(await list('eve'))).not.toContain('Private');
  });

  it('reports the number of authenticated requests and the time of the last one', async () => {
    const { key, id } = await create('frank', { name: 'Counted' });
    const mine = async () => (await list('frank')).find((one: { id: string }) => one.id === id);
    expect(await mine()).toMatchObject({ requestCount: 0, lastUsedAt: null });
    await service.bid(key);
    service.clock.advance(250);
    const last = new Date(service.clock.now()).toISOString();
    await service.ad(key, 'unknown'); // a 404 counts as a request
    await Promise.all(Array.from({ length: 20 }, () => service.bid(key))); // 14 are accepted
    expect(await mine()).toMatchObject({ requestCount: 16, lastUsedAt: last });
    service.clock.advance(100);
    await service.bid(`${key.slice(0, -1)}!`);
    expect((await service.bid(key)).status).toBe(429);
    expect(await mine()).toMatchObject({ requestCount: 16, lastUsedAt: last });
  });
});
