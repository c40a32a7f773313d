import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../shared/platform/clock.ts';
import type { Database } from '../../shared/platform/database.ts';
import { Unavailable } from '../../shared/platform/unavailable.ts';
import { findWebhook } from '../../shared/webhooks/webhook-store.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { createCaller, createHandlers, runningShoes } from '../service.ts';

// @module-tag whole
const service = useServiceInMemory();
let users = 0;

/** The idempotent creates, each with a body and a different one. */
const CREATES = [
  { path: '/auth/api-keys', body: { name: 'Chat' }, other: { name: 'Talk' }, secret: 'key' },
  { path: '/campaigns', body: { ...runningShoes(), name: 'One' }, other: { ...runningShoes(), name: 'Two' } },
  {
    path: '/webhooks',
    body: { url: 'https://public.test/ads', events: ['ad.click'] },
    other: { url: 'https://public.test/ads', events: ['ad.impression'] },
    secret: 'secret',
  },
];

/** A new user who creates with an idempotency key, and lists. */
function creating(path: string, handlers = () => service.stack.handlers, user = `repeater-${++users}`) {
  const call = createCaller(handlers);
  const headers = { 'x-user-id': user };
  return {
    user,
    create: (body: unknown, key: string) =>
      call('POST', `/api/v1${path}`, { headers: { ...headers, 'idempotency-key': key }, body }),
    list: async () => (await service.call('GET', `/api/v1${path}`, { headers })).body as { id: string }[],
    remove: (id: string) => service.call('DELETE', `/api/v1${path}/${id}`, { headers }),
  };
}

describe.each(CREATES)('The Idempotency-Key of POST $path', ({ path, body, other, secret }) => {
  it("returns the first request's result to a retry, without its secret", async () => {
    const records: object[] = [];
    const handlers = await createHandlers({ ...service.stack.effects, db: watched(service.stack.effects.db, records) });
    const { create, list } = creating(path, () => handlers);
    const first = await create(body, 'k1');
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
    const again = await create(body, 'k1');
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(await list()).toHaveLength(1);
    if (!secret) return expect(again.body).toEqual(first.body);
    expect(again.body.id).toBe(first.body.id);
    expect(JSON.stringify(again.body)).not.toContain(first.body[secret]);
    expect(records).toHaveLength(1);
    expect(JSON.stringify(records)).not.toContain(first.body[secret]);
  });

  it('is rejected with another body, and free again after 24 hours', async () => {
    const { create, list } = creating(path);
    expect((await create(body, 'k1')).status).toBe(201);
    const { status, body: refusal } = await create(other, 'k1');
    expect([status, refusal]).toEqual([
      409,
      { error: 'Conflict', message: 'Idempotency-Key was used with another body', statusCode: 409 },
    ]);
    service.clock.advance(DAY_MS);
    expect((await create(other, 'k1')).status).toBe(201);
    expect(await list()).toHaveLength(2);
  });

  it('is scoped to its user and its operation', async () => {
    const mine = creating(path);
    const made = await mine.create(body, 'k1');
    const others = await creating(path).create(body, 'k1');
    expect([others.status, others.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect(others.body.id).not.toBe(made.body.id);
    for (const elsewhere of CREATES.filter((one) => one.path !== path)) {
      const there = creating(elsewhere.path, undefined, mine.user);
      expect((await there.create(elsewhere.body, 'k1')).headers['idempotency-replayed']).toBeUndefined();
    }
  });

  it('creates one thing for concurrent requests', async () => {
    const { create, list } = creating(path);
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(body, 'k1')));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => !headers['idempotency-replayed'])).toHaveLength(1);
    expect(await list()).toHaveLength(1);
  });

  it('is not stored after a rejection or a crash', async () => {
    const handlers = await createHandlers({ ...service.stack.effects, db: crashing(service.stack.effects.db) });
    const failing = creating(path, () => handlers);
    expect((await failing.create({}, 'k1')).status).toBe(400);
    expect((await failing.create(body, 'k1')).status).toBe(503);
    expect(await failing.list()).toHaveLength(0);
    const { create } = creating(path, undefined, failing.user);
    const made = await create(body, 'k1');
    expect([made.status, made.headers['idempotency-replayed']]).toEqual([201, undefined]);
  });

  it('returns 404 if the created thing is gone', async () => {
    const { create, remove } = creating(path);
    const { id } = (await create(body, 'k1')).body;
    await remove(id);
    expect((await create(body, 'k1')).status).toBe(404);
  });

  it.each(['', 'a b', 'ü', 'x'.repeat(256)])('is rejected if malformed: %j', async (key) => {
    service.clock.advance(MINUTE_MS);
    const { create } = creating(path);
    const { status, body: refusal } = await create(body, key);
    expect([status, refusal.details[0].path]).toEqual([400, 'Idempotency-Key']);
    expect((await create(body, 'x'.repeat(255))).status).toBe(201);
  });
});

/** The idempotent rotations, and what creates something to rotate. */
const ROTATIONS = [
  { what: 'api-keys', create: CREATES[0]!, rotation: 'rotate', secret: 'key' },
  { what: 'webhooks', create: CREATES[2]!, rotation: 'rotate-secret', secret: 'secret' },
];

/** A user with something to rotate, and the rotation with an idempotency key. */
async function rotating({ create, rotation }: (typeof ROTATIONS)[number], handlers = () => service.stack.handlers) {
  const headers = { 'x-user-id': `rotator-${++users}` };
  const ask = (method: string, path: string, body?: object) =>
    service.call(method, `/api/v1${create.path}${path}`, { headers, body });
  const made = (await ask('POST', '', create.body)).body;
  const call = createCaller(handlers);
  return {
    made,
    ask,
    rotate: (key: string | undefined, body: object = {}, id: string = made.id, user = headers['x-user-id']) =>
      call('POST', `/api/v1${create.path}/${id}/${rotation}`, {
        headers: { 'x-user-id': user, ...(key !== undefined && { 'idempotency-key': key }) },
        body,
      }),
    /** The number of replaced secrets. */
    async replaced(): Promise<number> {
      const { db, clock } = service.stack.effects;
      if (create.path === '/webhooks') {
        const hook = await findWebhook({ db }, headers['x-user-id'], made.id);
        return hook!.previous.filter(({ until }) => clock.now() < until).length;
      }
      const keys: { id: string; oldKeysUntil: string[] }[] = (await ask('GET', '')).body;
      return keys.find(({ id }) => id === made.id)!.oldKeysUntil.length;
    },
  };
}

describe.each(ROTATIONS)('The Idempotency-Key of a rotation: $what', (kind) => {
  const { secret } = kind;

  it('rotates once, and answers a retry without the secret', async () => {
    const records: object[] = [];
    const handlers = await createHandlers({ ...service.stack.effects, db: watched(service.stack.effects.db, records) });
    const { rotate, replaced } = await rotating(kind, () => handlers);
    const first = await rotate('k1');
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([200, undefined]);
    const again = await rotate('k1');
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
    expect(again.body.id).toBe(first.body.id);
    expect(first.body[secret]).toMatch(/^(ak_live|whsec)_[\w+/=]{40,}$/);
    expect(again.body[secret] ?? '').not.toMatch(/\w{6}$/);
    expect(await replaced()).toBe(1);
    expect(records).toHaveLength(1);
    expect(JSON.stringify(records)).not.toContain(first.body[secret]);
  });

  it('is rejected with another body or id, each with its own message, and free again after 24 hours', async () => {
    const { rotate, ask, replaced, made } = await rotating(kind);
    const name = kind.what === 'api-keys' ? { name: 'Second' } : {};
    const second = (await ask('POST', '', { ...kind.create.body, ...name })).body;
    expect((await rotate('k1')).status).toBe(200);
    for (const [other, different] of [
      [await rotate('k1', { revokeOld: true }), 'with another body'],
      [await rotate('k1', {}, second.id), 'for another request'],
      [await rotate('k1', { revokeOld: true }, second.id), 'for another request'],
    ] as const) {
      expect([other.status, other.body]).toEqual([
        409,
        { error: 'Conflict', message: `Idempotency-Key was used ${different}`, statusCode: 409 },
      ]);
    }
    expect(await replaced()).toBe(1);
    service.clock.advance(DAY_MS);
    const { status, headers } = await rotate('k1', {}, made.id);
    expect([status, headers['idempotency-replayed']]).toEqual([200, undefined]);
  });

  it('is scoped to its user and to rotations', async () => {
    const one = await rotating(kind);
    const other = await rotating(kind);
    await one.ask('POST', '', kind.create.body);
    expect((await one.rotate('k1')).headers['idempotency-replayed']).toBeUndefined();
    expect((await other.rotate('k1')).headers['idempotency-replayed']).toBeUndefined();
    expect((await other.rotate('k2', {}, one.made.id)).status).toBe(404);
  });

  it('rotates once for concurrent requests', async () => {
    const { rotate, replaced } = await rotating(kind);
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate('k1')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.filter(({ headers }) => !headers['idempotency-replayed'])).toHaveLength(1);
    expect(await replaced()).toBe(1);
  });

  it('is not stored after a rejection or a crash', async () => {
    const handlers = await createHandlers({ ...service.stack.effects, db: crashing(service.stack.effects.db) });
    let current = handlers;
    const { rotate, replaced } = await rotating(kind, () => current);
    expect((await rotate('k1')).status).toBe(503);
    expect(await replaced()).toBe(0);
    current = service.stack.handlers;
    for (let n = 0; n < 5; n++) expect((await rotate(undefined)).status).toBe(200);
    expect((await rotate('k1')).status).toBe(409);
    service.clock.advance(DAY_MS);
    const { status, headers } = await rotate('k1');
    expect([status, headers['idempotency-replayed']]).toEqual([200, undefined]);
  });

  it('returns 404 if the rotated thing is gone, and 400 if malformed', async () => {
    const { rotate, ask, made } = await rotating(kind);
    expect((await rotate('k1')).status).toBe(200);
    await ask('DELETE', `/${made.id}`);
    expect((await rotate('k1')).status).toBe(404);
    expect((await rotate('a b')).status).toBe(400);
  });
});

/** A store whose transactions fail before they run. */
const crashing = (db: Database): Database => ({
  ...db,
  transact: () => Promise.reject(new Unavailable('gone')),
});

/** A store that records the idempotency writes. Each is in one transaction with the thing it creates. */
const watched = (db: Database, records: object[]): Database => ({
  ...db,
  transact(writes, ...rest) {
    records.push(...writes.filter(({ table }) => table === 'idempotency'));
    return db.transact(writes, ...rest);
  },
});
