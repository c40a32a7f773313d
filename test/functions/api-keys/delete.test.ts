import { describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const user = (name = 'publisher') => service.user(name);
const create = async () => (await user()('POST', '/auth/api-keys', { name: 'Doomed' })).body;
const remove = (id: string, name?: string) => user(name)('DELETE', `/auth/api-keys/${id}`);
const NOT_FOUND = { error: 'Not found', message: 'API key not found', statusCode: 404 };

describe('DELETE /auth/api-keys/{id}', () => {
  it('confirms the deletion once, then returns 404', async () => {
    const { id } = await create();
    expect(await remove(id)).toMatchObject({ status: 200, body: { message: 'API key deleted successfully' } });
    expect(await remove(id)).toMatchObject({ status: 404, body: NOT_FOUND });
    expect(await user()('PATCH', `/auth/api-keys/${id}/toggle`)).toMatchObject({ status: 404, body: NOT_FOUND });
    expect((await user()('GET', '/auth/api-keys')).body).not.toContainEqual(expect.objectContaining({ id }));
  });

  it('takes effect on the next request of both operations', async () => {
    await service.campaign();
    const { id, key } = await create();
    const { bidId } = (await service.bid(key)).body;
    await remove(id);
    for (const refused of [await service.bid(key), await service.ad(key, bidId)]) {
      expect(refused).toMatchObject({ status: 401, body: { error: 'Unauthorized', message: 'Invalid API key' } });
    }
  });

  it('answers 401, not 429, to a deleted key whose window is full', async () => {
    const { id, key } = await create();
    const { db } = service.stack.effects;
    const request = () =>
      service.call('POST', '/api/v1/ad-serving/request', {
        headers: { 'x-api-key': key },
        body: { context: { conversation: 'shoes' } },
      });
    await Promise.all(Array.from({ length: 16 }, () => service.bid(key)));
    await db.write({
      table: 'limits',
      put: { subject: `legacy ${id}`, count: 1_000, endsAt: service.clock.now() + 30_000 },
    });
    for (const ask of [() => service.bid(key), request]) {
      expect((await ask()).status).toBe(429);
      expect((await ask()).status).toBe(429);
    }
    await remove(id);
    for (const ask of [() => service.bid(key), request]) {
      expect(await ask()).toMatchObject({ status: 401, body: { error: 'Unauthorized', message: 'Invalid API key' } });
    }
  });

  it('deletes one key and keeps the others', async () => {
    const [doomed, kept] = [await create(), await create()];
    await remove(doomed.id);
    expect((await service.bid(kept.key)).status).toBe(200);
  });

  it('succeeds once when ten requests delete the same key', async () => {
    const { id } = await create();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });

  it("keeps the requests of the key's last day in the figures of all keys", async () => {
    const owner = user('leaves');
    const { id, key } = (await owner('POST', '/auth/api-keys', { name: 'Doomed' })).body;
    for (let count = 0; count < 3; count++) await service.bid(key);
    const figures = async () => (await owner('GET', '/home')).body.keys.today;
    await service.stack.drain();
    const before = await figures();
    expect(before).toMatchObject({ requests: 3 });
    await owner('DELETE', `/auth/api-keys/${id}`);
    expect(await figures()).toEqual(before);
  });

  it('rejects another user, and rejects the secret or the mask as an id', async () => {
    const { id, key } = await create();
    expect(await remove(id, 'mallory')).toMatchObject({ status: 404, body: NOT_FOUND });
    for (const name of [key, `ak_live_****${key.slice(-4)}`, id.toUpperCase(), id.slice(0, -1)]) {
      expect((await remove(encodeURIComponent(name))).status).toBe(404);
    }
    expect((await service.bid(key)).status).toBe(200);
  });
});
