import { beforeEach, describe, expect, it } from 'vitest';
import { changeWebhook, findWebhook } from '../../../shared/webhooks/webhook-store.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
let tests = 0;
let me: string; // a new user for every test, because a user may have only 20 webhooks
beforeEach(() => {
  me = `user-${++tests}`;
});

const user = (name = me) => service.user(name);
const create = async (more = {}, owner?: string) =>
  (
    await user(owner)('POST', '/webhooks', {
      url: 'https://public.test/a',
      events: ['ad.click'],
      description: 'First',
      ...more,
    })
  ).body;
const get = async (id: string) => (await user()('GET', `/webhooks/${id}`)).body;
const update = (id: string, body: unknown) => user()('PATCH', `/webhooks/${id}`, body);
const rotate = (id: string, body?: object) => user()('POST', `/webhooks/${id}/rotate-secret`, body);
const stored = (id: string) => findWebhook(service.stack.effects, me, id);
const NOT_FOUND = { status: 404, body: { error: 'Not found', message: 'Webhook not found', statusCode: 404 } };

describe('GET /webhooks', () => {
  it('lists webhooks in creation order, without secrets', async () => {
    const created = [];
    for (const description of ['one', 'two', 'three']) created.push(await create({ description }, 'lister'));
    const { body } = await user('lister')('GET', '/webhooks');
    expect(body).toEqual(created.map(({ secret, ...shown }) => shown));
    for (const { secret } of created) expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('is empty without webhooks, also after the last one was deleted', async () => {
    expect((await user('nobody')('GET', '/webhooks')).body).toEqual([]);
    const { id } = await create({}, 'leaver');
    await user('leaver')('DELETE', `/webhooks/${id}`);
    expect((await user('leaver')('GET', '/webhooks')).body).toEqual([]);
  });
});

describe('PATCH /webhooks/{id}', () => {
  it.each([
    ['url', { url: 'https://public.test/b' }],
    ['events', { events: ['ad.conversion', 'account.billing'] }],
    ['description', { description: 'Second' }],
    ['status', { status: 'disabled' }],
    ['all of them', { url: 'https://public.test/c', events: ['ad.click'], description: '', status: 'active' }],
    ['nothing', {}],
  ])('changes %s and keeps the rest', async (_, changes) => {
    const { secret, ...before } = await create();
    service.clock.advance(5);
    const updatedAt = new Date(service.clock.now()).toISOString();
    const { status, body } = await update(before.id, changes);
    expect([status, body]).toEqual([200, { ...before, ...changes, updatedAt }]);
    expect(await get(before.id)).toEqual(body);
    expect((await stored(before.id))!.secret).toBe(secret);
  });

  it('resets the description by null and rejects null for the other fields', async () => {
    const { id } = await create();
    expect((await update(id, { description: null })).body.description).toBe('');
    for (const field of ['url', 'events', 'status'])
      expect((await update(id, { [field]: null })).status, field).toBe(400);
  });

  it('accepts its own whole response, including the secret of the creation', async () => {
    const created = await create();
    const before = await get(created.id);
    const { status, body } = await update(created.id, { ...created, secret: 'whsec_mine' });
    expect([status, { ...body, updatedAt: before.updatedAt }]).toEqual([200, before]);
    expect((await stored(created.id))!.secret).toBe(created.secret);
  });

  it.each(['failed', 'disabled'] as const)('reactivates a webhook that is %s by status active', async (status) => {
    const { id } = await create();
    await changeWebhook(service.stack.effects, me, id, { status });
    expect((await get(id)).status).toBe(status);
    expect((await update(id, await get(id))).body.status).toBe(status); // sending the whole object back changes nothing
    expect((await update(id, { description: 'x' })).body.status).toBe(status);
    expect((await update(id, { status: 'active' })).body.status).toBe('active');
  });

  it('ignores the status failed, which only deliveries set', async () => {
    const { id } = await create();
    expect((await update(id, { status: 'failed' })).body.status).toBe('active');
  });

  it.each([
    ['a url that leads to a private address', { url: 'https://private.test/' }, /^url must not lead to/],
    ['an invalid url', { url: 'x' }, /^url must be an absolute https URL/],
    ['no events', { events: [] }, /^events must be a list/],
    ['an event twice', { events: ['ad.click', 'ad.click'] }, 'events must not list a type twice'],
    ['an unknown status', { status: 'on' }, 'status must be active, failed, or disabled'],
    [
      'a bad one among good ones',
      { description: 'new', events: ['ad.click'], url: 'ftp://public.test' },
      /^url must be an https URL/,
    ],
  ])('rejects %s and changes nothing', async (_, changes, message) => {
    const { secret: _secret, ...before } = await create();
    service.clock.advance(5);
    const { status, body } = await update(before.id, changes);
    expect([status, body.error]).toEqual([400, 'Validation failed']);
    expect(body.message).toMatch(message);
    expect(await get(before.id)).toEqual(before);
  });

  it('applies all of four concurrent changes', async () => {
    const { id } = await create();
    const changes = { url: 'https://public.test/z', events: ['ad.impression'], description: 'z', status: 'disabled' };
    await Promise.all(Object.entries(changes).map(([field, value]) => update(id, { [field]: value })));
    expect(await get(id)).toMatchObject(changes);
  });

  it('does not restore a webhook that is deleted concurrently', async () => {
    for (let round = 0; round < 4; round++) {
      const { id } = await create();
      await Promise.all([user()('DELETE', `/webhooks/${id}`), update(id, { description: 'late' }), rotate(id)]);
      expect(await user()('GET', `/webhooks/${id}`)).toMatchObject(NOT_FOUND);
    }
  });
});

describe('POST /webhooks/{id}/rotate-secret', () => {
  it('returns a new secret once and keeps the old one for 24 hours', async () => {
    const { secret: old, ...before } = await create();
    service.clock.advance(5);
    const { status, body } = await rotate(before.id);
    const { secret, ...shown } = body;
    expect(status).toBe(200);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(old);
    expect(shown).toEqual({ ...before, updatedAt: new Date(service.clock.now()).toISOString() });
    expect(await stored(before.id)).toMatchObject({
      secret,
      previous: [{ secret: old, until: service.clock.now() + 24 * 3_600_000 }],
    });
    expect(JSON.stringify([await get(before.id), await user()('GET', '/webhooks')])).not.toContain('whsec_');
  });

  it('loses no secret in concurrent rotations and keeps at most five', async () => {
    const { id, secret: first } = await create();
    const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 409]);
    const secrets = answers.flatMap(({ body }) => body.secret ?? []);
    expect(new Set([first, ...secrets]).size).toBe(6);
    const { secret, previous } = (await stored(id))!;
    expect([secret, ...previous.map((past) => past.secret)].sort()).toEqual([first, ...secrets].sort());
    expect(previous.at(-1)!.secret).toBe(first);
  });

  it('rejects a sixth rotation within 24 hours with the time of the next expiry, and revokes all with `revokeOld`', async () => {
    const until = new Date(service.clock.now() + 24 * 3_600_000).toISOString();
    const { id } = await create();
    for (let n = 0; n < 5; n++) expect((await rotate(id)).status).toBe(200);
    expect(await rotate(id)).toMatchObject({
      status: 409,
      body: {
        error: 'Conflict',
        message: 'Five replaced secrets are still valid; wait for one to expire, or revoke them all with revokeOld',
        details: [{ path: 'revokeOld', message: `The next one expires at ${until}; true revokes all of them now` }],
      },
    });
    expect((await stored(id))!.previous).toHaveLength(5);
    expect((await rotate(id, { revokeOld: 1 })).status).toBe(400);
    const { status, body } = await rotate(id, { revokeOld: true });
    expect(status).toBe(200);
    expect(await stored(id)).toMatchObject({ secret: body.secret, previous: [] });
  });

  it('keeps the ten secrets of the previous version and adds none until four are left', async () => {
    const { id } = await create();
    const now = service.clock.now();
    const previous = Array.from({ length: 10 }, (_, n) => ({ secret: `whsec_${n}`, until: now + 10_000 - n * 1_000 }));
    const update = 'SET #previous = :previous';
    await service.stack.effects.db.write({ table: 'webhooks', key: { owner: me, id }, update, values: { previous } });
    const refused = await rotate(id);
    expect([refused.status, refused.body.details[0].message]).toEqual([
      409,
      `The next one expires at ${new Date(now + 6_000).toISOString()}; true revokes all of them now`,
    ]);
    service.clock.advance(6_000);
    expect((await rotate(id)).status).toBe(200);
    expect((await stored(id))!.previous.slice(1)).toEqual(previous.slice(0, 4));
  });
});

describe('DELETE /webhooks/{id}', () => {
  it('confirms the deletion once; afterwards every operation returns 404', async () => {
    const { id } = await create();
    const remove = () => user()('DELETE', `/webhooks/${id}`);
    expect(await remove()).toMatchObject({ status: 200, body: { message: 'Webhook deleted successfully' } });
    for (const answer of [
      await remove(),
      await update(id, {}),
      await rotate(id),
      await user()('GET', `/webhooks/${id}`),
    ]) {
      expect(answer).toMatchObject(NOT_FOUND);
    }
  });
});
