import { describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const NOT_FOUND = { status: 404, body: { message: 'API key not found' } };

const create = async () => (await service.user('publisher')('POST', '/auth/api-keys', { name: 'Shown' })).body;
const get = (id: string, query = '', user = 'publisher') =>
  service.call('GET', `/api/v1/auth/api-keys/${id}`, { query, headers: { 'x-user-id': user } });

describe('GET /auth/api-keys/{id}', () => {
  it('returns the key as in the list', async () => {
    const { id } = await create();
    const { body: keys } = await service.user('publisher')('GET', '/auth/api-keys');
    expect(await get(id)).toMatchObject({ status: 200, body: keys.find((key: { id: string }) => key.id === id) });
    for (const query of ['', 'report=false', 'from=2026-11-19'])
      expect((await get(id, query)).body).toEqual(keys.at(-1));
  });

  it('adds the rows of its report on request, by the rules of the report', async () => {
    const { id, key } = await create();
    await service.bid(key, 'Where is a good theorbo?');
    await service.stack.drain();
    for (const query of ['', 'from=2026-11-18&to=2026-11-20', 'to=2026-11-19']) {
      const { report, ...shown } = (await get(id, `report=true&${query}`)).body;
      expect(shown).toEqual((await get(id)).body);
      expect(report).toEqual((await get(`${id}/report`, query)).body);
    }
  });

  it.each([
    ['report=yes', 'report', 'report must be true or false'],
    ['report=true&from=2026-11-20&to=2026-11-14', 'to', 'to must not be before from'],
    ['report=true&from=2025-01-01&to=2026-11-14', 'to', 'a report covers at most 366 days'],
  ])('rejects %s', async (query, path, message) => {
    const { id } = await create();
    expect(await get(id, query)).toMatchObject({ status: 400, body: { details: [{ path, message }] } });
  });

  it('is a 404 for an unknown key, for another user, and after a deletion', async () => {
    const { id } = await create();
    expect(await get('key_0')).toMatchObject(NOT_FOUND);
    expect(await get(id, 'report=true', 'someone-else')).toMatchObject(NOT_FOUND);
    await service.user('publisher')('DELETE', `/auth/api-keys/${id}`);
    expect(await get(id)).toMatchObject(NOT_FOUND);
  });
});
