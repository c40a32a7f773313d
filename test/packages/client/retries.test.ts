import { describe, expect, it } from 'vitest';
import { AdsError, type ClientOptions, createClient } from '../../../packages/client/src/index.ts';
import { pauseBefore } from '../../../packages/client/src/retry.ts';

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const ok = () => json(200, { status: 'ok' });
const limited = (headers = {}) =>
  json(429, { error: 'Rate limit exceeded', message: 'Too many requests' }, { 'x-request-id': 'r1', ...headers });

/** A client whose service gives these answers, one after the other, and what it was asked. */
function serviceOf(
  answers: ((init: RequestInit) => Response | Promise<Response>)[],
  options: Partial<ClientOptions> = {},
) {
  const asked: { url: string; init: RequestInit }[] = [];
  const ads = createClient({
    baseUrl: 'https://ads.test',
    random: () => 0,
    ...options,
    fetch: async (url, init = {}) => {
      asked.push({ url: String(url), init });
      return (answers.shift() ?? ok)(init);
    },
  });
  return { ads, asked };
}

const networkFault = () => Promise.reject(new TypeError('fetch failed'));
/** Never answers; ends as fetch does when its signal is aborted. */
const silence = ({ signal }: RequestInit) =>
  new Promise<Response>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));

describe('What failed for now', () => {
  it.each([
    ['429', limited],
    ['503', () => json(503, { error: 'Service unavailable', message: 'Try again' })],
    ["a gateway's own 502", () => new Response('<html>', { status: 502 })],
    ['a lost connection', networkFault],
  ])('is tried again where it is read: %s', async (_, fault) => {
    const { ads, asked } = serviceOf([fault, fault, ok]);
    expect(await ads('GET /api/v1/health')).toEqual({ status: 'ok' });
    expect(asked).toHaveLength(3);
  });

  it('is tried again where a thing is deleted: gone twice is gone', async () => {
    const { ads, asked } = serviceOf([networkFault, () => json(200, { message: 'M' })]);
    expect(await ads('DELETE /api/v1/campaigns/{id}', { params: { id: 'x' } })).toEqual({ message: 'M' });
    expect(asked).toHaveLength(2);
  });

  it('is thrown when it lasts, with all that is known of it', async () => {
    const { ads, asked } = serviceOf([limited, limited, limited]);
    await expect(ads('GET /api/v1/health')).rejects.toMatchObject({
      name: 'AdsError',
      status: 429,
      code: 'rate_limited',
      error: 'Rate limit exceeded',
      message: 'Too many requests',
      requestId: 'r1',
      retryAfter: null,
    });
    expect(asked).toHaveLength(3);
  });

  it('is not tried again for good when the caller wants no repeats', async () => {
    const { ads, asked } = serviceOf([networkFault]);
    const error = await ads('GET /api/v1/health', undefined, { retries: 0 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(AdsError);
    expect(error).toMatchObject({ status: 0, code: 'network', cause: new TypeError('fetch failed') });
    expect(asked).toHaveLength(1);
  });

  it('is not tried again where a repeat could do a thing twice', async () => {
    for (const act of ['POST /api/v1/auth/api-keys', 'POST /api/v1/webhooks/{id}/rotate-secret'] as const) {
      const { ads, asked } = serviceOf([networkFault]);
      await expect(ads(act, { params: { id: 'x' }, body: { name: 'x' } })).rejects.toMatchObject({ code: 'network' });
      expect(asked).toHaveLength(1);
    }
    const { ads, asked } = serviceOf([limited]);
    await expect(ads('PATCH /api/v1/campaigns/{id}', { params: { id: 'x' }, body: {} })).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });

  it('is tried again for a creation that has an idempotency key, with the same key', async () => {
    const { ads, asked } = serviceOf([networkFault, () => json(201, { id: 'key_1' })]);
    const made = await ads('POST /api/v1/auth/api-keys', { body: { name: 'x' } }, { idempotencyKey: 'order-7' });
    expect(made).toMatchObject({ id: 'key_1' });
    expect(asked.map(({ init }) => new Headers(init.headers).get('idempotency-key'))).toEqual(['order-7', 'order-7']);
  });

  it('is what the service says it is: other refusals are thrown at once', async () => {
    for (const [status, code] of [
      [400, 'invalid'],
      [401, 'unauthorized'],
      [404, 'not_found'],
      [409, 'conflict'],
    ]) {
      const { ads, asked } = serviceOf([() => json(Number(status), { error: 'E', message: 'M' })]);
      await expect(ads('GET /api/v1/health')).rejects.toMatchObject({ status, code, message: 'M' });
      expect(asked).toHaveLength(1);
    }
  });
});

describe('The pause before a repeat', () => {
  it('is as long as the service asks for', async () => {
    const { ads } = serviceOf([() => limited({ 'retry-after': '1' })]);
    const startedAt = performance.now();
    await ads('GET /api/v1/health');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it('is not begun when it would outlast the call: the refusal is thrown at once', async () => {
    const { ads, asked } = serviceOf([() => limited({ 'retry-after': '60' })]);
    await expect(ads('GET /api/v1/health')).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 60 });
    expect(asked).toHaveLength(1);
  });

  it('is chance, up to a bound that doubles and has an end', () => {
    const fault = new AdsError({ status: 503, code: 'unavailable', error: 'E', message: 'M' });
    const pauses = (random: number) => [1, 2, 3, 4, 10].map((failed) => pauseBefore(failed, fault, () => random));
    expect(pauses(1)).toEqual([250, 500, 1_000, 2_000, 8_000]);
    expect(pauses(0.5)).toEqual([125, 250, 500, 1_000, 4_000]);
    expect(pauses(0)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('The time of a call', () => {
  it('ends it with a timeout, which is no repeatable fault', async () => {
    const { ads, asked } = serviceOf([silence], { timeoutMs: 20 });
    await expect(ads('GET /api/v1/health')).rejects.toMatchObject({
      code: 'timeout',
      message: 'No answer within 20 ms',
    });
    expect(asked).toHaveLength(1);
  });

  it('may be without end', async () => {
    const later = () => new Promise<Response>((resolve) => setTimeout(() => resolve(ok()), 20));
    const { ads } = serviceOf([later], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(await ads('GET /api/v1/health')).toEqual({ status: 'ok' });
  });

  it("ends at once with the caller's own reason, before, during, and between attempts", async () => {
    const reason = new Error('the visitor left');
    await expect(
      serviceOf([]).ads('GET /api/v1/health', undefined, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);

    const during = new AbortController();
    const first = serviceOf([silence]);
    const waiting = first.ads('GET /api/v1/health', undefined, { signal: during.signal });
    during.abort(reason);
    await expect(waiting).rejects.toBe(reason);

    const between = new AbortController();
    const second = serviceOf([() => limited({ 'retry-after': '5' })]);
    const pausing = second.ads('GET /api/v1/health', undefined, { signal: between.signal });
    setTimeout(() => between.abort(reason), 10);
    await expect(pausing).rejects.toBe(reason);
    expect(second.asked).toHaveLength(1);
  });
});

describe('The address', () => {
  it.each([
    ['https://ads.test/', 'https://ads.test/api/v1/health'],
    ['https://ads.test/base', 'https://ads.test/base/api/v1/health'],
    ['https://ads.test/base//', 'https://ads.test/base/api/v1/health'],
    ['', '/api/v1/health'],
  ])('of %j keeps its path and gets no second slash', async (baseUrl, url) => {
    const { ads, asked } = serviceOf([], { baseUrl });
    await ads('GET /api/v1/health');
    expect(asked[0]!.url).toBe(url);
  });
});

it('An answer shows its headers to who asks for them', async () => {
  const { ads } = serviceOf([() => json(201, { id: 'key_1' }, { 'idempotency-replayed': 'true' })]);
  const seen: (string | null)[] = [];
  const onResponse = ({ headers }: Response) => seen.push(headers.get('idempotency-replayed'));
  await ads('POST /api/v1/auth/api-keys', { body: { name: 'x' } }, { idempotencyKey: 'k', onResponse });
  expect(seen).toEqual(['true']);
});

it('An answer that is not JSON, as of a wrong address, is an error of its own', async () => {
  const { ads } = serviceOf([() => new Response('<!doctype html>')]);
  await expect(ads('GET /api/v1/health')).rejects.toMatchObject({ status: 200, code: 'unreadable' });
});

it('A refusal that the service did not write says what its status means', async () => {
  const { ads } = serviceOf([() => new Response('null', { status: 403, statusText: 'Forbidden' })]);
  await expect(ads('GET /api/v1/health')).rejects.toMatchObject({ code: 'forbidden', message: 'Forbidden' });
});
