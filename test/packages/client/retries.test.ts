import { describe, expect, it, vi } from 'vitest';
import {
  AdsError,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Route,
} from '../../../packages/client/src/index.ts';
import { pauseBefore } from '../../../packages/client/src/retry.ts';
import { endpointRow } from '../../../shared/http/operations/endpoints.ts';
import { answering } from '../../../shared/http/operations/responses.ts';

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const ok = () => json(200, { status: 'ok' });
const limited = (headers = {}) =>
  json(429, { error: 'Rate limit exceeded', message: 'Too many requests' }, { 'x-request-id': 'r1', ...headers });

/** Creates a client whose service returns the given responses in order, and records the requests. */
function createService(
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
/** Never responds; rejects like fetch when its signal is aborted. */
const silence = ({ signal }: RequestInit) =>
  new Promise<Response>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));

/** Every operation, and those that honor an Idempotency-Key. */
const rows = answering.flatMap((name) => endpointRow(name).methods.map((method) => ({ ...endpointRow(name), method })));
const toRoute = ({ method, path }: { method: string; path: string | null }) => `${method} ${path}` as Route;
const routes = rows.filter(({ method }) => method !== 'HEAD').map(toRoute);
const keyed = rows.filter(({ idempotent }) => idempotent).map(toRoute);
const harmless: Route[] = ['POST /api/v1/campaigns/preview', 'POST /api/v1/conversions/test'];

describe('Retries', () => {
  const faults = [networkFault, () => json(503, { error: 'E', message: 'M' })];
  /** Calls a route with placeholder input, which the fake service ignores. */
  function any(ads: Client, route: Route, body?: object, options?: CallOptions) {
    const params = Object.fromEntries([...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x']));
    return ads(route as 'POST /api/v1/campaigns', { params, body } as never, options);
  }

  it.each([
    ['429', limited],
    ['503', () => json(503, { error: 'Service unavailable', message: 'Try again' })],
    ["a gateway's own 502", () => new Response('<html>', { status: 502 })],
    ['a lost connection', networkFault],
  ])('retries a read after %s', async (_, fault) => {
    const { ads, asked } = createService([fault, fault, ok]);
    expect(await ads('GET /api/v1/health')).toEqual({ status: 'ok' });
    expect(asked).toHaveLength(3);
  });

  it('retries a deletion, and treats a 404 on the retry as success', async () => {
    const { ads, asked } = createService([networkFault, () => json(200, { message: 'M' })]);
    expect(await ads('DELETE /api/v1/campaigns/{id}', { params: { id: 'x' } })).toEqual({ message: 'M' });
    expect(asked).toHaveLength(2);
  });

  const gone = (message: string) => () => json(404, { error: 'Not found', message, statusCode: 404 });
  const deletions = routes.filter((route) => route.startsWith('DELETE '));

  it.each(deletions.flatMap((route) => faults.map((fault) => [route, fault] as const)))(
    'succeeds if an earlier attempt of the deletion took effect but its response was lost: %s',
    async (route, fault) => {
      const words = { campaigns: 'Campaign', webhooks: 'Webhook', 'api-keys': 'API key' };
      const [, thing = ''] = /(campaigns|webhooks|api-keys)/.exec(route)!;
      const { ads, asked } = createService([fault, gone(`${words[thing as keyof typeof words]} not found`)]);
      expect(await any(ads, route)).toEqual({ message: 'Deleted by an attempt whose response was lost' });
      expect(asked).toHaveLength(2);
    },
  );

  it.each([
    ['no earlier attempt failed', [gone('Campaign not found')]],
    ['the earlier attempt was rate-limited', [limited, gone('Campaign not found')]],
    ['the URL is wrong', [networkFault, gone('Route not found')]],
    ['a gateway responds', [networkFault, () => new Response('<html>', { status: 404 })]],
  ])('throws not_found if %s', async (_, answers) => {
    const { ads } = createService([...answers]);
    const deleted = ads('DELETE /api/v1/campaigns/{id}', { params: { id: 'x' } });
    await expect(deleted).rejects.toMatchObject({ code: 'not_found' });
  });

  it('throws not_found for a read, also on a retry', async () => {
    const { ads } = createService([networkFault, gone('Campaign not found')]);
    const read = ads('GET /api/v1/campaigns/{id}', { params: { id: 'x' } });
    await expect(read).rejects.toMatchObject({ code: 'not_found' });
  });

  it('throws the last error with all its details if the failure persists', async () => {
    const { ads, asked } = createService([limited, limited, limited]);
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

  it('does not retry if the caller sets retries to 0', async () => {
    const { ads, asked } = createService([networkFault]);
    const error = await ads('GET /api/v1/health', undefined, { retries: 0 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(AdsError);
    expect(error).toMatchObject({ status: 0, code: 'network', cause: new TypeError('fetch failed') });
    expect(asked).toHaveLength(1);
  });

  const getKeys = (asked: { init: RequestInit }[]) =>
    asked.map(({ init }) => new Headers(init.headers).get('idempotency-key'));
  it.each(routes.filter((route) => /^(POST|PATCH)/.test(route) && ![...keyed, ...harmless].includes(route)))(
    'does not retry a request that could take effect twice: %s',
    async (route) => {
      for (const options of [{}, { idempotencyKey: 'ignored by the service' }]) {
        for (const fault of faults) {
          const { ads, asked } = createService([fault, ok]);
          await expect(any(ads, route, {}, options)).rejects.toBeInstanceOf(AdsError);
          expect(asked).toHaveLength(1);
        }
      }
    },
  );

  it.each(routes)('retries a rate-limited request, which had no effect: %s', async (route) => {
    const { ads, asked } = createService([limited, limited, ok]);
    expect(await any(ads, route, {})).toEqual({ status: 'ok' });
    expect(asked).toHaveLength(3);
    expect(new Set(getKeys(asked)).size).toBe(1);
  });

  it.each(keyed.filter((route) => !route.includes('{id}')))(
    'retries a creation with a key that the client generates for each call: %s',
    async (route) => {
      const { ads, asked } = createService([...faults, () => json(201, { id: '1' }), () => json(201, { id: '2' })]);
      expect(await any(ads, route, { name: 'x' })).toMatchObject({ id: '1' });
      expect(await any(ads, route, { name: 'x' })).toMatchObject({ id: '2' });
      const [first, second, third, other] = getKeys(asked);
      expect([second, third]).toEqual([first, first]);
      expect(first).toMatch(/^[0-9a-f]{32}$/);
      expect(other).not.toBe(first);
    },
  );

  it.each(keyed)("retries with the caller's own idempotency key: %s", async (route) => {
    const { ads, asked } = createService([...faults, () => json(201, { id: 'key_1' })]);
    expect(await any(ads, route, { name: 'x' }, { idempotencyKey: 'order-7' })).toMatchObject({ id: 'key_1' });
    expect(getKeys(asked)).toEqual(['order-7', 'order-7', 'order-7']);
  });

  it('does not retry a rotation without a key, because the repeated response would have no secret', async () => {
    for (const route of keyed.filter((one) => one.includes('{id}'))) {
      const { ads, asked } = createService([networkFault, ok]);
      await expect(any(ads, route, {})).rejects.toMatchObject({ code: 'network' });
      expect(getKeys(asked)).toEqual([null]);
    }
  });

  it('retries requests that count nothing, and a conversion with its own ID', async () => {
    for (const [route, body, times] of [
      ['POST /api/v1/campaigns/preview', {}, 2],
      ['POST /api/v1/conversions/test', { campaignId: 'c', conversionType: 'purchase' }, 2],
      ['POST /api/v1/conversions', { clickId: 'c', conversionId: 'order-7' }, 2],
      ['POST /api/v1/conversions', { clickId: 'c' }, 1],
    ] as const) {
      const { ads, asked } = createService([networkFault, ok]);
      await any(ads, route, body).catch(() => {});
      expect(asked).toHaveLength(times);
    }
  });

  it('reports a secret that was lost with the response of the first attempt', async () => {
    const replayed = (body: object) => () => json(201, body, { 'idempotency-replayed': 'true', 'x-request-id': 'r2' });
    for (const [route, body] of [
      ['POST /api/v1/auth/api-keys', { id: 'key_1', key: 'ak_live_****1a2B' }],
      ['POST /api/v1/webhooks', { id: 'wh_1' }],
    ] as const) {
      const error = await any(createService([networkFault, replayed(body)]).ads, route, {}).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(AdsError);
      expect(error).toMatchObject({ code: 'secret_lost', status: 201, requestId: 'r2' });
      expect(error.message).toBe(
        `${body.id} was created, but the response with its secret was lost: rotate its secret to get a new one`,
      );
      // A caller that chose the key expects a repeat without a secret.
      const own = createService([networkFault, replayed(body)]);
      expect(await any(own.ads, route, {}, { idempotencyKey: 'k' })).toEqual(body);
    }
    const campaign = createService([networkFault, replayed({ id: 'cmp_1' })]);
    expect(await any(campaign.ads, 'POST /api/v1/campaigns', {})).toEqual({ id: 'cmp_1' });
  });

  it('throws other errors at once', async () => {
    for (const [status, code] of [
      [400, 'invalid'],
      [401, 'unauthorized'],
      [404, 'not_found'],
      [409, 'conflict'],
    ]) {
      const { ads, asked } = createService([() => json(Number(status), { error: 'E', message: 'M' })]);
      await expect(ads('GET /api/v1/health')).rejects.toMatchObject({ status, code, message: 'M' });
      expect(asked).toHaveLength(1);
    }
  });
});

describe('The retry delay', () => {
  it('is at least Retry-After', async () => {
    const { ads, asked } = createService([() => limited({ 'retry-after': '1' })]);
    vi.useFakeTimers();
    try {
      const answered = ads('GET /api/v1/health');
      await vi.advanceTimersByTimeAsync(999);
      expect(asked).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await answered).toEqual({ status: 'ok' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('is skipped if it would exceed the timeout: the error is thrown at once', async () => {
    const { ads, asked } = createService([() => limited({ 'retry-after': '60' })]);
    await expect(ads('GET /api/v1/health')).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 60 });
    expect(asked).toHaveLength(1);
  });

  it('is random, up to a bound that doubles up to a maximum', () => {
    const fault = new AdsError({ status: 503, code: 'unavailable', error: 'E', message: 'M' });
    const pauses = (random: number) => [1, 2, 3, 4, 10].map((failed) => pauseBefore(failed, fault, () => random));
    expect(pauses(1)).toEqual([250, 500, 1_000, 2_000, 8_000]);
    expect(pauses(0.5)).toEqual([125, 250, 500, 1_000, 4_000]);
    expect(pauses(0)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('The timeout of a call', () => {
  it('ends the call with a timeout error, which is not retried', async () => {
    const { ads, asked } = createService([silence], { timeoutMs: 20 });
    await expect(ads('GET /api/v1/health')).rejects.toMatchObject({
      code: 'timeout',
      message: 'No response within 20 ms',
    });
    expect(asked).toHaveLength(1);
  });

  it('may be infinite', async () => {
    const later = () => new Promise<Response>((resolve) => setImmediate(() => resolve(ok())));
    const { ads } = createService([later], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(await ads('GET /api/v1/health')).toEqual({ status: 'ok' });
  });

  it("yields to the caller's abort reason at once, before, during, and between attempts", async () => {
    const reason = new Error('the visitor left');
    await expect(
      createService([]).ads('GET /api/v1/health', undefined, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);

    const during = new AbortController();
    const first = createService([silence]);
    const waiting = first.ads('GET /api/v1/health', undefined, { signal: during.signal });
    during.abort(reason);
    await expect(waiting).rejects.toBe(reason);

    const between = new AbortController();
    const second = createService([() => limited({ 'retry-after': '5' })]);
    const pausing = second.ads('GET /api/v1/health', undefined, { signal: between.signal });
    await expect.poll(() => second.asked).toHaveLength(1);
    between.abort(reason);
    await expect(pausing).rejects.toBe(reason);
    expect(second.asked).toHaveLength(1);
  });
});

describe('The URL', () => {
  it.each([
    ['https://ads.test/', 'https://ads.test/api/v1/health'],
    ['https://ads.test/base', 'https://ads.test/base/api/v1/health'],
    ['https://ads.test/base//', 'https://ads.test/base/api/v1/health'],
    ['', '/api/v1/health'],
  ])('keeps the path of %j and gets no second slash', async (baseUrl, url) => {
    const { ads, asked } = createService([], { baseUrl });
    await ads('GET /api/v1/health');
    expect(asked[0]!.url).toBe(url);
  });
});

describe('Missing input throws at once, without a request:', () => {
  it.each([
    ['left out', undefined, 'GET /api/v1/campaigns/{id} needs params.id'],
    ['null', null, 'GET /api/v1/campaigns/{id} needs params.id'],
    ['empty (would list all)', '', 'GET /api/v1/campaigns/{id} needs params.id, which is ""'],
    ['another path', '..', 'GET /api/v1/campaigns/{id} needs params.id, which is ".."'],
  ])('a path variable that is %s', async (_, id, message) => {
    const { ads, asked } = createService([]);
    for (const params of [{ id: id as string }, ...(id === undefined ? [undefined as never] : [])]) {
      await expect(ads('GET /api/v1/campaigns/{id}', { params })).rejects.toThrow(new TypeError(message));
    }
    expect(asked).toEqual([]);
  });

  it.each([
    [
      undefined,
      'baseUrl is missing. Set it, or the environment variable ADS_URL, to the URL of the service, such as https://ads.example',
    ],
    ['', 'baseUrl must start with https:// or http://, but it is ""'],
    ['/ads', 'baseUrl must start with https:// or http://, but it is "/ads"'],
    ['ads.example', 'baseUrl must start with https:// or http://, but it is "ads.example"'],
    ['localhost:3000', 'baseUrl must start with https:// or http://, but it is "localhost:3000"'],
  ])('a base URL of %j', (baseUrl, message) => {
    expect(() => createClient({ baseUrl })).toThrow(new TypeError(message));
  });

  it.each(['apiKey', 'userId'])('an empty %s, as from an empty environment variable', (name) => {
    expect(() => createClient({ baseUrl: 'https://ads.test', [name]: '' })).toThrow(`${name} is empty`);
    expect(() => createClient({ baseUrl: 'https://ads.test', [name]: undefined })).not.toThrow();
  });

  it.each(['bot/1\nx: y', 'bot – 1'])('a user agent that no header can contain: %j', (userAgent) => {
    const message = 'userAgent may contain only printable ASCII characters';
    expect(() => createClient({ baseUrl: 'https://ads.test', userAgent })).toThrow(new TypeError(message));
  });
});

describe('A list without x-total-count', () => {
  const page =
    (...ids: string[]) =>
    () =>
      json(
        200,
        ids.map((id) => ({ id })),
      );
  async function idsOf(answers: (() => Response)[]) {
    const { ads, asked } = createService(answers);
    const ids: string[] = [];
    for await (const { id } of ads.list('GET /api/v1/campaigns', { query: { limit: 2 } })) ids.push(id);
    return { ids, offsets: asked.map(({ url }) => new URL(url).searchParams.get('offset')) };
  }

  it('ends at an empty page, and continues after pages with fewer items than the limit', async () => {
    expect(await idsOf([page('a', 'b'), page('c'), page('d', 'e'), page()])).toEqual({
      ids: ['a', 'b', 'c', 'd', 'e'],
      offsets: ['0', '2', '3', '5'],
    });
    expect(await idsOf([page()])).toEqual({ ids: [], offsets: ['0'] });
  });

  it('ends at a repeated page, as from a proxy that drops the offset', async () => {
    const same = page('a', 'b');
    expect((await idsOf([same, same, same, same])).ids).toEqual(['a', 'b']);
  });

  it.each(['', 'many', '-1'])('ignores a count of %j', async (total) => {
    const counted =
      (...ids: string[]) =>
      () =>
        json(
          200,
          ids.map((id) => ({ id })),
          { 'x-total-count': total },
        );
    expect((await idsOf([counted('a', 'b'), counted('c'), counted()])).ids).toEqual(['a', 'b', 'c']);
  });
});

it('passes the response to onResponse', async () => {
  const { ads } = createService([() => json(201, { id: 'key_1' }, { 'idempotency-replayed': 'true' })]);
  const seen: (string | null)[] = [];
  const onResponse = ({ headers }: Response) => seen.push(headers.get('idempotency-replayed'));
  await ads('POST /api/v1/auth/api-keys', { body: { name: 'x' } }, { idempotencyKey: 'k', onResponse });
  expect(seen).toEqual(['true']);
});

it('throws an unreadable error if the response is not JSON, as from a wrong URL', async () => {
  const { ads } = createService([() => new Response('<!doctype html>')]);
  await expect(ads('GET /api/v1/health')).rejects.toMatchObject({ status: 200, code: 'unreadable' });
});

it("derives the message from the status if the error body is not the service's", async () => {
  const { ads } = createService([() => new Response('null', { status: 403, statusText: 'Forbidden' })]);
  await expect(ads('GET /api/v1/health')).rejects.toMatchObject({ code: 'forbidden', message: 'Forbidden' });
});
