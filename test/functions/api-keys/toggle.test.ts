import { describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const user = () => service.user('publisher');
const create = async (name = 'Switched') => (await user()('POST', '/auth/api-keys', { name })).body;
const toggle = (id: string) => user()('PATCH', `/auth/api-keys/${id}/toggle`);
const isActive = async (id: string) =>
  (await user()('GET', '/auth/api-keys')).body.find((key: { id: string }) => key.id === id)?.isActive;

describe('PATCH /auth/api-keys/{id}/toggle', () => {
  it('returns the masked key with isActive flipped, and flips it back the second time', async () => {
    const { key, ...created } = await create();
    const masked = `ak_live_****${key.slice(-4)}`;
    expect(await toggle(created.id)).toMatchObject({ status: 200, body: { ...created, key: masked, isActive: false } });
    expect(await toggle(created.id)).toMatchObject({ status: 200, body: { ...created, key: masked, isActive: true } });
    expect(Object.keys((await toggle(created.id)).body)).toEqual([
      'id',
      'name',
      'key',
      ...Object.keys(created).slice(2),
    ]);
  });

  it('flips the key whatever the body contains, and reports the ignored fields', async () => {
    const { id } = await create();
    const path = `/api/v1/auth/api-keys/${id}/toggle`;
    const headers = { 'x-user-id': 'publisher' };
    for (const [body, ignored] of [
      [{ isActive: true }, 'isActive'],
      [{ isActive: true, 'a b': 1 }, 'isActive, a\\u0020b'],
      [[], undefined],
      ['not an object', undefined],
      [undefined, undefined],
    ] as const) {
      const before = await isActive(id);
      const answer = await service.call('PATCH', path, { headers, body });
      expect([answer.status, answer.body.isActive]).toEqual([200, !before]);
      expect(answer.headers['x-ignored-fields']).toBe(ignored);
    }
    const raw = { headers: { ...headers, 'content-type': 'text/plain' }, body: { isActive: true } };
    expect((await service.call('PATCH', path, raw)).status).toBe(200);
  });

  it('takes effect on the next request of both operations', async () => {
    await service.campaign();
    const { key, id } = await create();
    const { bidId } = (await service.bid(key)).body;
    await toggle(id);
    for (const refused of [await service.bid(key), await service.ad(key, bidId)]) {
      expect(refused).toMatchObject({ status: 401, body: { error: 'Unauthorized', message: 'Invalid API key' } });
    }
    await toggle(id);
    expect([(await service.bid(key)).status, (await service.ad(key, bidId)).status]).toEqual([200, 200]);
  });

  it('answers 401, not 429, to an inactive key whose window was full', async () => {
    const { key, id } = await create();
    await Promise.all(Array.from({ length: 15 }, () => service.bid(key)));
    await toggle(id);
    expect((await service.bid(key)).status).toBe(401);
  });

  it('does not count the requests of an inactive key', async () => {
    const { key, id } = await create();
    await toggle(id);
    await service.bid(key);
    expect((await toggle(id)).body).toMatchObject({ requestCount: 0, lastUsedAt: null });
  });

  it.each([2, 7, 10])('flips exactly %i times for that many concurrent requests', async (count) => {
    service.clock.advance(60_000);
    const { id } = await create();
    const answers = await Promise.all(Array.from({ length: count }, () => toggle(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const off = answers.filter(({ body }) => !body.isActive).length;
    expect(off).toBe(Math.ceil(count / 2));
    expect(await isActive(id)).toBe(count % 2 === 0);
  });

  it('does not restore a key that is deleted concurrently', async () => {
    service.clock.advance(60_000);
    for (let round = 0; round < 5; round++) {
      const { id } = await create();
      const [toggled, deleted] = await Promise.all([toggle(id), user()('DELETE', `/auth/api-keys/${id}`)]);
      expect([200, 404]).toContain(toggled.status);
      expect(deleted.status).toBe(200);
      expect(await isActive(id)).toBeUndefined();
    }
  });
});
