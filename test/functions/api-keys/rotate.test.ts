import { describe, expect, it } from 'vitest';
import { generateRotatedSecret, keyFingerprint } from '../../../shared/keys/credential.ts';
import { DAY_MS } from '../../../shared/platform/clock.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const user = (name = 'publisher') => service.user(name);
const create = async () => (await user()('POST', '/auth/api-keys', { name: 'Rotated', bidFloor: 0.5 })).body;
const rotate = (id: string, body?: object, by = 'publisher') => user(by)('POST', `/auth/api-keys/${id}/rotate`, body);
const status = async (key: string) => (await service.bid(key, 'hello')).status;
const statuses = (...keys: string[]) => Promise.all(keys.map(status));
const getKey = async (id: string) =>
  (await user()('GET', '/auth/api-keys')).body.find((key: { id: string }) => key.id === id);
const toTime = (ms: number) => new Date(ms).toISOString();
const HOUR_MS = DAY_MS / 24;

/** A key's first secret and the secrets of the given number of rotations, oldest first. */
async function rotated(times: number): Promise<{ id: string; secrets: string[] }> {
  const { id, key } = await create();
  const secrets = [key];
  for (let n = 0; n < times; n++) secrets.push((await rotate(id)).body.key);
  return { id, secrets };
}

describe('POST /auth/api-keys/{id}/rotate', () => {
  it('returns a new secret; the old one works for another 24 hours', async () => {
    const { key, ...created } = await create();
    const until = new Date(service.clock.now() + DAY_MS).toISOString();
    const { status, body } = await rotate(created.id);
    const key55 = expect.stringMatching(/^ak_live_[0-9A-Za-z]{55}$/);
    expect([status, body]).toEqual([200, { ...created, key: key55, oldKeyUntil: until, oldKeysUntil: [until] }]);
    expect(await getKey(created.id)).toEqual({ ...body, key: `ak_live_****${body.key.slice(-4)}` });
    expect(await statuses(key, body.key)).toEqual([200, 200]);
    service.clock.advance(DAY_MS - 1);
    expect(await statuses(key, body.key)).toEqual([200, 200]);
    service.clock.advance(1);
    expect(await statuses(key, body.key)).toEqual([401, 200]);
  });

  it('keeps each replaced secret for its own 24 hours despite later rotations', async () => {
    const start = service.clock.now();
    const { id, key: first } = await create();
    const { key: second } = (await rotate(id)).body;
    service.clock.advance(10 * HOUR_MS);
    const { key: third, ...body } = (await rotate(id)).body;
    expect(body.oldKeysUntil).toEqual([toTime(start + 34 * HOUR_MS), toTime(start + DAY_MS)]);
    expect(await statuses(first, second, third)).toEqual([200, 200, 200]);
    service.clock.advance(14 * HOUR_MS - 1);
    expect(await statuses(first, second, third)).toEqual([200, 200, 200]);
    service.clock.advance(1);
    expect(await statuses(first, second, third)).toEqual([401, 200, 200]);
    expect((await getKey(id)).oldKeysUntil).toEqual([toTime(start + 34 * HOUR_MS)]);
    service.clock.advance(10 * HOUR_MS);
    expect(await statuses(first, second, third)).toEqual([401, 401, 200]);
    expect(await getKey(id)).toMatchObject({ oldKeyUntil: toTime(start + 34 * HOUR_MS), oldKeysUntil: [] });
  });

  it('keeps five replaced secrets and rejects a sixth rotation until one expires', async () => {
    const start = service.clock.now();
    const { id, key } = await create();
    const secrets = [key];
    for (let n = 0; n < 5; n++) {
      secrets.push((await rotate(id)).body.key);
      service.clock.advance(HOUR_MS);
    }
    const refused = await rotate(id);
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        error: 'Conflict',
        message: 'Five replaced secrets are still valid; wait for one to expire, or revoke them all with revokeOld',
        statusCode: 409,
        details: [
          {
            path: 'revokeOld',
            message: `The next one expires at ${toTime(start + DAY_MS)}; true revokes all of them now`,
          },
        ],
      },
    ]);
    expect(await statuses(...secrets)).toEqual([200, 200, 200, 200, 200, 200]);
    service.clock.advance(start + DAY_MS - service.clock.now());
    const { status: after, body } = await rotate(id);
    expect([after, body.oldKeysUntil.length]).toEqual([200, 5]);
    expect(await statuses(...secrets, body.key)).toEqual([401, 200, 200, 200, 200, 200, 200]);
  });

  it('revokes every earlier secret at once with `revokeOld`', async () => {
    const { id, secrets } = await rotated(5);
    const { status, body } = await rotate(id, { revokeOld: true });
    expect([status, body.oldKeyUntil, body.oldKeysUntil]).toEqual([200, null, []]);
    expect(await statuses(...secrets, body.key)).toEqual([401, 401, 401, 401, 401, 401, 200]);
    expect((await rotate(id)).status).toBe(200);
    expect(await statuses(...secrets, body.key)).toEqual([401, 401, 401, 401, 401, 401, 200]);
  });

  it('revokes all secrets when the key is turned off or deleted', async () => {
    const { id, secrets } = await rotated(3);
    await user()('PATCH', `/auth/api-keys/${id}/toggle`);
    expect(await statuses(...secrets)).toEqual([401, 401, 401, 401]);
    await user()('PATCH', `/auth/api-keys/${id}/toggle`);
    expect(await statuses(...secrets)).toEqual([200, 200, 200, 200]);
    await user()('DELETE', `/auth/api-keys/${id}`);
    expect(await statuses(...secrets)).toEqual([401, 401, 401, 401]);
  });

  it('answers 429 to a live secret with a full window and 401 to an expired one', async () => {
    const { id, secrets } = await rotated(2);
    await Promise.all(Array.from({ length: 15 }, () => service.bid(secrets[0]!, 'hello')));
    expect(await statuses(...secrets)).toEqual([429, 429, 429]);
    await rotate(id, { revokeOld: true });
    expect(await statuses(...secrets)).toEqual([401, 401, 401]);
  });

  it('shares the limit, the floor, bids, toggle, and deletion between both secrets', async () => {
    await service.campaign();
    const { id, key } = await create();
    const { key: rotated } = (await rotate(id)).body;
    const { bidId } = (await service.bid(key)).body;
    expect((await service.ad(rotated, bidId)).status).toBe(200);
    service.clock.advance(1_000);
    const many = await Promise.all(Array.from({ length: 20 }, (_, at) => service.bid(at % 2 ? key : rotated, 'hello')));
    expect(many.filter((answer) => answer.status === 200)).toHaveLength(15);
    const unknown = generateRotatedSecret('live', (count) => new Uint8Array(count).fill(7), id);
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

  it('rejects a secret that names a key without belonging to it, before and after a rotation', async () => {
    const { id } = await create();
    const forged = generateRotatedSecret('live', (count) => new Uint8Array(count).fill(9), id);
    expect(await status(forged)).toBe(401);
    for (let n = 0; n < 2; n++) {
      await rotate(id);
      expect(await status(forged)).toBe(401);
    }
  });

  it('loses no secret in concurrent rotations and keeps at most five', async () => {
    const { id, key } = await create();
    const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(id)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 200, 200, 200, 200, 409]);
    const secrets = answers.flatMap(({ body }) => body.key ?? []);
    expect(await statuses(key, ...secrets)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  it("returns 404 for another user's key", async () => {
    const { id } = await create();
    expect(await rotate(id, {}, 'stranger')).toMatchObject({ status: 404, body: { message: 'API key not found' } });
  });
});

describe('Key rotation during a rollout', () => {
  const stored = async (id: string) => (await service.stack.effects.db.get('api-keys', { id }))!;
  const write = (id: string, update: string, values?: Record<string, unknown>) =>
    service.stack.effects.db.write({ table: 'api-keys', key: { id }, update, ...(values && { values }) });
  /** A secret, and a rotation to it as the previous version stores it. */
  async function rotateAsBefore(id: string, byte: number, revokeOld = false): Promise<string> {
    const secret = generateRotatedSecret('live', (count) => new Uint8Array(count).fill(byte), id);
    const { secret: oldSecret = id } = await stored(id);
    const fingerprint = keyFingerprint(secret);
    if (revokeOld) await write(id, 'SET #secret = :secret REMOVE #oldSecret, #oldUntil', { secret: fingerprint });
    else {
      const values = { secret: fingerprint, oldSecret, oldUntil: service.clock.now() + DAY_MS };
      await write(id, 'SET #secret = :secret, #oldSecret = :oldSecret, #oldUntil = :oldUntil', values);
    }
    return secret;
  }

  it('keeps the secret that the previous version replaced for 24 hours when this version rotates', async () => {
    const { id, key } = await create();
    const second = await rotateAsBefore(id, 1);
    expect(await statuses(key, second)).toEqual([200, 200]);
    service.clock.advance(HOUR_MS);
    const { key: third, oldKeysUntil } = (await rotate(id)).body;
    expect(oldKeysUntil).toHaveLength(2);
    service.clock.advance(23 * HOUR_MS - 1);
    expect(await statuses(key, second, third)).toEqual([200, 200, 200]);
    service.clock.advance(1);
    expect(await statuses(key, second, third)).toEqual([401, 200, 200]);
  });

  it('stores the last replaced secret where the previous version reads it', async () => {
    const { id, secrets } = await rotated(3);
    expect(await stored(id)).toMatchObject({
      secret: keyFingerprint(secrets[3]!),
      oldSecret: keyFingerprint(secrets[2]!),
      oldUntil: service.clock.now() + DAY_MS,
    });
  });

  it('lets the previous version revoke secrets, and none of them works again later', async () => {
    const { id, secrets } = await rotated(3);
    service.clock.advance(1);
    const fifth = await rotateAsBefore(id, 2);
    expect(await statuses(...secrets, fifth)).toEqual([401, 401, 401, 200, 200]);
    expect((await getKey(id)).oldKeysUntil).toHaveLength(1);
    const { key: sixth } = (await rotate(id)).body;
    expect(await statuses(...secrets, fifth, sixth)).toEqual([401, 401, 401, 200, 200, 200]);

    const revoking = await rotated(3);
    const last = await rotateAsBefore(revoking.id, 3, true);
    expect(await statuses(...revoking.secrets, last)).toEqual([401, 401, 401, 401, 200]);
    await rotateAsBefore(revoking.id, 4);
    expect(await statuses(...revoking.secrets, last)).toEqual([401, 401, 401, 401, 200]);
  });
});
