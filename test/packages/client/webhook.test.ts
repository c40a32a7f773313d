import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type EventOf,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookEventType,
} from '../../../packages/client/src/index.ts';
import type { EventData } from '../../../shared/webhooks/events/data.ts';
import { createSampleEvent } from '../../../shared/webhooks/events/samples.ts';
import { EVENT_TYPES, type EventType } from '../../../shared/webhooks/events/types.ts';
import { generateSecret, signatureHeaders } from '../../../shared/webhooks/signature.ts';

const NOW = Date.UTC(2026, 10, 20, 9);
const getSecret = (byte: number) => generateSecret((count) => new Uint8Array(count).fill(byte));
const [old, current, stranger] = [getSecret(1), getSecret(2), getSecret(3)];
const now = () => NOW;
const body = JSON.stringify(createSampleEvent('ad.click', 'x', NOW));
const signed = (secrets = [current], at = NOW) => signatureHeaders('evt_1', body, secrets, at);
const schemes = ['standard', 'service-signature'] as const;

describe.each(schemes)('A delivery, by %s', (scheme) => {
  const verify = (more: Partial<Parameters<typeof verifyWebhook>[0]> = {}) =>
    verifyWebhook({ body, headers: signed(), secret: current, scheme, now, ...more });

  it.each(EVENT_TYPES)('returns its event: %s', async (type) => {
    const event = createSampleEvent(type, 'x', NOW);
    const text = JSON.stringify(event);
    const headers = signatureHeaders(event.id, text, [current], NOW);
    expect(await verify({ body: text, headers })).toEqual(event);
  });

  it.each([
    ['secret', undefined, 'bad_secret', 'secret is missing'],
    ['secret', [undefined], 'bad_secret', 'secret is empty'],
    ['body', undefined, 'bad_body', 'body must be the raw text or bytes of the request, not parsed JSON'],
    ['body', JSON.parse(body), 'bad_body', 'body must be the raw text or bytes of the request, not parsed JSON'],
    ['headers', undefined, 'missing_header', 'headers is missing'],
  ])('names the invalid option: %s is %o', async (option, value, code, message) => {
    const error = await verify({ [option]: value }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(WebhookError);
    expect(error).toMatchObject({ code, message });
  });

  it('accepts bytes, and headers of Fetch and of Node', async () => {
    const bytes = new TextEncoder().encode(body);
    expect(await verify({ body: bytes, headers: new Headers(signed()) })).toMatchObject({ type: 'ad.click' });
    const own = { get: (name: string) => signed()[name] ?? null } as Headers;
    expect(await verify({ headers: own })).toMatchObject({ type: 'ad.click' });
    const upper = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]));
    expect(await verify({ body: Buffer.from(body), headers: upper })).toMatchObject({ type: 'ad.click' });
  });

  it('is valid during a rotation, whichever side has both secrets', async () => {
    const rotated = { headers: signed([current, old]) };
    for (const secret of [old, current])
      expect(await verify({ ...rotated, secret })).toMatchObject({ type: 'ad.click' });
    expect(await verify({ secret: [old, current] })).toMatchObject({ type: 'ad.click' });
    await expect(verify({ ...rotated, secret: stranger })).rejects.toMatchObject({ code: 'bad_signature' });
  });

  it('is rejected with a changed byte, without its signature, and with an empty or missing secret', async () => {
    await expect(verify({ body: body.replace('clk', 'CLK') })).rejects.toMatchObject({ code: 'bad_signature' });
    await expect(verify({ headers: {} })).rejects.toMatchObject({ name: 'WebhookError', code: 'missing_header' });
    for (const secret of ['', [], [current, '']]) {
      await expect(verify({ secret })).rejects.toMatchObject({ code: 'bad_secret', message: 'secret is empty' });
    }
  });
});

describe('Standard Webhooks', () => {
  const verify = (headers: Record<string, string>, more = {}) =>
    verifyWebhook({ body, headers, secret: current, now, ...more });

  it('rejects a timestamp that is too far in the past or the future', async () => {
    expect(await verify(signed([current], NOW - 300_000))).toBeDefined();
    await expect(verify(signed([current], NOW - 301_000))).rejects.toMatchObject({ code: 'too_old' });
    await expect(verify(signed([current], NOW + 302_000))).rejects.toMatchObject({ code: 'too_new' });
    await expect(verify({ ...signed(), 'webhook-timestamp': 'x' })).rejects.toMatchObject({ code: 'bad_timestamp' });
    expect(await verify(signed([current], NOW - 3_600_000), { toleranceSeconds: 7_200 })).toBeDefined();
  });

  it('rejects a changed ID and a changed timestamp', async () => {
    await expect(verify({ ...signed(), 'webhook-id': 'evt_2' })).rejects.toMatchObject({ code: 'bad_signature' });
    const later = String(NOW / 1000 + 10);
    await expect(verify({ ...signed(), 'webhook-timestamp': later })).rejects.toMatchObject({ code: 'bad_signature' });
  });

  it('does not fall back to the weaker scheme if headers are removed, which would allow replays', async () => {
    const { 'service-signature': signature } = signed();
    await expect(verify({ 'service-signature': signature! })).rejects.toMatchObject({ code: 'missing_header' });
  });

  it('ignores a signature of another version or that is not base64', async () => {
    const headers = signed();
    const list = `v1a,abc v1,%%% ${headers['webhook-signature']}`;
    expect(await verify({ ...headers, 'webhook-signature': list })).toBeDefined();
  });

  it('reports a secret that is not base64', async () => {
    await expect(verify(signed(), { secret: 'whsec_%%%' })).rejects.toMatchObject({ code: 'bad_secret' });
  });
});

it('types events like the service', () => {
  expectTypeOf<WebhookEventType>().toEqualTypeOf<EventType>();
  type Data = { [T in WebhookEventType]: EventOf<T>['data'] };
  expectTypeOf<EventData>().toExtend<Data>();
  expectTypeOf<Data>().toExtend<EventData>();
  const seen = (event: WebhookEvent) => (event.type === 'ad.click' ? event.data.click_id : '');
  expectTypeOf(seen).returns.toEqualTypeOf<string>();
});
