import { createHmac } from 'node:crypto';
import { Webhook as Receiver } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createSampleEvent } from '../../../shared/webhooks/events/samples.ts';
import { EVENT_TYPES } from '../../../shared/webhooks/events/types.ts';
import { generateSecret, getSigningSecrets, signatureHeaders } from '../../../shared/webhooks/signature.ts';
import type { Webhook } from '../../../shared/webhooks/webhook.ts';
import { addWebhook, findWebhook, rotateSecret } from '../../../shared/webhooks/webhook-store.ts';
import { createMemoryDatabase } from '../../memory/database.ts';
import { createTestClock, createTestIds } from '../../service.ts';

const HOUR = 3_600_000;
const secretOf = (byte: number) => generateSecret((count) => new Uint8Array(count).fill(byte));
const [first, second] = [secretOf(1), secretOf(2)];
const hmac = (secret: string, body: string) =>
  createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex');

describe('service-signature', () => {
  it('is the lowercase hex HMAC-SHA256 of the raw body, keyed with the UTF-8 bytes of the secret', () => {
    const headers = signatureHeaders('evt_1', '{"a":"ü"}', ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], 0);
    // printf '{"a":"ü"}' | openssl dgst -sha256 -hmac whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
    expect(headers['service-signature']).toBe(`sha256=${hmac('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '{"a":"ü"}')}`);
    expect(headers['service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
  });

  it('differs for another body or secret', () => {
    const of = (body: string, secret: string) => signatureHeaders('evt_1', body, [secret], 0)['service-signature'];
    expect(new Set([of('{}', first), of('{} ', first), of('{}', second)]).size).toBe(3);
  });

  it('lists the signatures of both secrets, the current one first', () => {
    expect(signatureHeaders('evt_1', '{}', [second, first], 0)['service-signature']).toBe(
      `sha256=${hmac(second, '{}')},sha256=${hmac(first, '{}')}`,
    );
  });
});

describe('the headers of Standard Webhooks', () => {
  const now = Date.now();
  it.each(EVENT_TYPES)('verify with the official package: %s', (type) => {
    const event = createSampleEvent(type, 'signature', now);
    const body = JSON.stringify(event);
    expect(new Receiver(first).verify(body, signatureHeaders(event.id, body, [first], now))).toEqual(event);
  });

  it('verify with either of two signing secrets, and with no other', () => {
    const headers = signatureHeaders('evt_1', '{}', [second, first], now);
    for (const secret of [first, second]) expect(new Receiver(secret).verify('{}', headers)).toEqual({});
    expect(() => new Receiver(secretOf(3)).verify('{}', headers)).toThrow('No matching signature found');
  });

  it('do not verify with a changed byte, another id, or ten minutes later', () => {
    const headers = signatureHeaders('evt_1', '{"a":1}', [first], now);
    const receiver = new Receiver(first);
    expect(() => receiver.verify('{"a":2}', headers)).toThrow();
    expect(() => receiver.verify('{"a":1}', { ...headers, 'webhook-id': 'evt_2' })).toThrow();
    expect(() => receiver.verify('{"a":1}', signatureHeaders('evt_1', '{"a":1}', [first], now - 600_000))).toThrow();
  });
});

describe('after a rotation', () => {
  const clock = createTestClock();
  const effects = { db: createMemoryDatabase(), clock, ids: createTestIds('rotation', clock.now) };
  async function create(): Promise<Webhook> {
    const receiver = { url: 'https://public.test/', events: ['ad.click' as const], description: '' };
    const added = await addWebhook(effects, 'alice', receiver);
    if (added.outcome !== 'added') throw new Error(added.outcome);
    return added.webhook;
  }
  const rotate = async ({ id }: Webhook) => {
    const rotation = await rotateSecret(effects, 'alice', id);
    return rotation.outcome === 'rotated' ? rotation.webhook : undefined;
  };
  const signing = async ({ id }: Webhook) => getSigningSecrets((await findWebhook(effects, 'alice', id))!, clock.now());

  it('both secrets sign for exactly 24 hours, then only the new one', async () => {
    const hook = await create();
    expect(await signing(hook)).toEqual([hook.secret]);
    const { secret } = (await rotate(hook))!;
    expect(await signing(hook)).toEqual([secret, hook.secret]);
    clock.advance(24 * HOUR - 1);
    expect(await signing(hook)).toEqual([secret, hook.secret]);
    clock.advance(1);
    expect(await signing(hook)).toEqual([secret]);
  });

  it('a second rotation within the day leaves every secret its 24 hours', async () => {
    const hook = await create();
    const one = (await rotate(hook))!.secret;
    clock.advance(10 * HOUR);
    const two = (await rotate(hook))!.secret;
    expect(await signing(hook)).toEqual([two, one, hook.secret]);
    clock.advance(14 * HOUR);
    expect(await signing(hook)).toEqual([two, one]);
    const three = (await rotate(hook))!.secret;
    clock.advance(10 * HOUR);
    expect(await signing(hook)).toEqual([three, two]);
    clock.advance(14 * HOUR);
    expect(await signing(hook)).toEqual([three]);
  });

  it('at most five old secrets sign: a sixth rotation is rejected, so that no secret loses its 24 hours', async () => {
    const hook = await create();
    for (let n = 0; n < 5; n++) expect(await rotate(hook)).toBeDefined();
    const until = clock.now() + 24 * HOUR;
    expect(await rotateSecret(effects, 'alice', hook.id)).toEqual({ outcome: 'too_many', until });
    const secrets = await signing(hook);
    expect([secrets.length, secrets.at(-1)]).toEqual([6, hook.secret]);
    const bytes = JSON.stringify(signatureHeaders('evt_1', '{}', secrets, 0)).length;
    expect(bytes).toBeLessThan(1_024);
    clock.advance(24 * HOUR);
    expect(await rotate(hook)).toBeDefined();
    expect(await signing(hook)).toHaveLength(2);
  });
});
