import { describe, expect, it } from 'vitest';
import { mintRotated } from '../../../shared/api-keys/key.ts';
import { DAY_MS } from '../../../shared/platform/clock.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

const service = useServiceInMemory();
const user = (name = 'publisher') => service.user(name);
const create = async () => (await user()('POST', '/auth/api-keys', { name: 'Rotated', bidFloor: 0.5 })).body;
const rotate = (id: string, body?: object, by = 'publisher') => user(by)('POST', `/auth/api-keys/${id}/rotate`, body);
const status = async (key: string) => (await service.bid(key, 'hello')).status;
const statuses = (...keys: string[]) => Promise.all(keys.map(status));

describe('Rotate API key', () => {
  it('gives a new secret for the same key; the old one works for 24 hours more', async () => {
    const { key, ...created } = await create();
    const until = new Date(service.clock.now() + DAY_MS).toISOString();
    const { status, body } = await rotate(created.id);
    const rotated = { ...created, key: expect.stringMatching(/^ak_live_[0-9A-Za-z]{55}$/), oldKeyUntil: until };
    expect([status, body]).toEqual([200, rotated]);
    const listed = (await user()('GET', '/auth/api-keys')).body.find(({ id }: { id: string }) => id === created.id);
    expect(listed).toEqual({ ...body, key: `ak_live_****${body.key.slice(-4)}` });
    expect(await statuses(key, body.key)).toEqual([200, 200]);
    service.clock.advance(DAY_MS - 1);
    expect(await statuses(key, body.key)).toEqual([200, 200]);
    service.clock.advance(1);
    expect(await statuses(key, body.key)).toEqual([401, 200]);
  });

  it('ends the old one at once where that is asked for, and the oldest at a second rotation', async () => {
    const { id, key: first } = await create();
    const { key: second } = (await rotate(id)).body;
    const { key: third } = (await rotate(id)).body;
    expect(await statuses(first, second, third)).toEqual([401, 200, 200]);
    const { key: fourth, oldKeyUntil } = (await rotate(id, { revokeOld: true })).body;
    expect(oldKeyUntil).toBeNull();
    expect(await statuses(first, second, third, fourth)).toEqual([401, 401, 401, 200]);
  });

  it('shares limit, floor, bids, toggle and deletion between both', async () => {
    await service.campaign();
    const { id, key } = await create();
    const { key: rotated } = (await rotate(id)).body;
    const { bidId } = (await service.bid(key)).body;
    expect((await service.ad(rotated, bidId)).status).toBe(200);
    service.clock.advance(1_000);
    const many = await Promise.all(Array.from({ length: 20 }, (_, at) => service.bid(at % 2 ? key : rotated, 'hello')));
    expect(many.filter((answer) => answer.status === 200)).toHaveLength(15);
    const unknown = mintRotated('live', (count) => new Uint8Array(count).fill(7), id);
    expect(await statuses(key, rotated, unknown)).toEqual([429, 429, 401]);
    service.clock.advance(1_000);
    await user()('PATCH', `/auth/api-keys/${id}/toggle`);
    expect(await statuses(key, rotated)).toEqual([401, 401]);
    await user()('PATCH', `/auth/api-keys/${id}/toggle`);
    expect(await statuses(key, rotated)).toEqual([200, 200]);
    const legacy = { headers: { authorization: `Bearer ${rotated}` }, body: { context: { conversation: 'shoes' } } };
    expect((await service.call('POST', '/api/v1/ad-serving/request', legacy)).status).not.toBe(401);
    await user()('DELETE', `/auth/api-keys/${id}`);
    expect(await statuses(key, rotated)).toEqual([401, 401]);
  });

  it('accepts no secret that names a key and is not one of its own, rotated or not', async () => {
    const { id } = await create();
    const forged = mintRotated('live', (count) => new Uint8Array(count).fill(9), id);
    expect(await status(forged)).toBe(401);
    await rotate(id);
    expect(await status(forged)).toBe(401);
  });

  it('leaves two secrets when two rotate at once: the last two', async () => {
    const { id, key } = await create();
    const both = await Promise.all([rotate(id), rotate(id)]);
    expect(await status(key)).toBe(401);
    expect(await statuses(...both.map(({ body }) => body.key))).toEqual([200, 200]);
  });

  it("answers 404 for another user's key", async () => {
    const { id } = await create();
    expect(await rotate(id, {}, 'stranger')).toMatchObject({ status: 404, body: { message: 'API key not found' } });
  });
});
