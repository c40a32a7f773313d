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

/** Every operation, and those of which the service carries out one for each Idempotency-Key. */
const rows = answering.flatMap((name) => endpointRow(name).methods.map((method) => ({ ...endpointRow(name), method })));
const routeOf = ({ method, path }: { method: string; path: string | null }) => `${method} ${path}` as Route;
const routes = rows.filter(({ method }) => method !== 'HEAD').map(routeOf);
const keyed = rows.filter(({ idempotent }) => idempotent).map(routeOf);
const harmless: Route[] = ['POST /api/v1/campaigns/preview'];

describe('What failed for now', () => {
  const faults = [networkFault, () => json(503, { error: 'E', message: 'M' })];
  /** A call by its name alone: what is sent does not matter to a service that is not there. */
  function any(ads: Client, route: Route, body?: object, options?: CallOptions) {
    const params = Object.fromEntries([...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x']));
    return ads(route as 'POST /api/v1/campaigns', { params, body } as never, options);
  }

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

  const gone = (message: string) => () => json(404, { error: 'Not found', message, statusCode: 404 });
  const deletions = routes.filter((route) => route.startsWith('DELETE '));

  it.each(deletions.flatMap((route) => faults.map((fault) => [route, fault] as const)))(
    'is a success where the deletion was carried out and its response lost: %s',
    async (route, fault) => {
      const words = { campaigns: 'Campaign', webhooks: 'Webhook', 'api-keys': 'API key' };
      const [, thing = ''] = /(campaigns|webhooks|api-keys)/.exec(route)!;
      const { ads, asked } = serviceOf([fault, gone(`${words[thing as keyof typeof words]} not found`)]);
      expect(await any(ads, route)).toEqual({ message: 'Deleted by an attempt whose response was lost' });
      expect(asked).toHaveLength(2);
    },
  );

  it.each([
    ['nothing was deleted before', [gone('Campaign not found')]],
    ['the attempt before was refused for its rate', [limited, gone('Campaign not found')]],
    ['the address is wrong', [networkFault, gone('Route not found')]],
    ['a gateway answers', [networkFault, () => new Response('<html>', { status: 404 })]],
  ])('is not found where %s', async (_, answers) => {
    const { ads } = serviceOf([...answers]);
    const deleted = ads('DELETE /api/v1/campaigns/{id}', { params: { id: 'x' } });
    await expect(deleted).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not found where it is read, however often it is tried', async () => {
    const { ads } = serviceOf([networkFault, gone('Campaign not found')]);
    const read = ads('GET /api/v1/campaigns/{id}', { params: { id: 'x' } });
    await expect(read).rejects.toMatchObject({ code: 'not_found' });
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

  const keysOf = (asked: { init: RequestInit }[]) =>
    asked.map(({ init }) => new Headers(init.headers).get('idempotency-key'));
  it.each(routes.filter((route) => /^(POST|PATCH)/.test(route) && ![...keyed, ...harmless].includes(route)))(
    'is not tried again where a repeat could do a thing twice: %s',
    async (route) => {
      for (const options of [{}, { idempotencyKey: 'the service does not look at it' }]) {
        for (const fault of faults) {
          const { ads, asked } = serviceOf([fault, ok]);
          await expect(any(ads, route, {}, options)).rejects.toBeInstanceOf(AdsError);
          expect(asked).toHaveLength(1);
        }
      }
    },
  );

  it.each(routes)('is tried again when it was refused for its rate, as it was not carried out: %s', async (route) => {
    const { ads, asked } = serviceOf([limited, limited, ok]);
    expect(await any(ads, route, {})).toEqual({ status: 'ok' });
    expect(asked).toHaveLength(3);
    expect(new Set(keysOf(asked)).size).toBe(1);
  });

  it.each(keyed.filter((route) => !route.includes('{id}')))(
    'is tried again for a creation, under a key that the client makes up for each call: %s',
    async (route) => {
      const { ads, asked } = serviceOf([...faults, () => json(201, { id: '1' }), () => json(201, { id: '2' })]);
      expect(await any(ads, route, { name: 'x' })).toMatchObject({ id: '1' });
      expect(await any(ads, route, { name: 'x' })).toMatchObject({ id: '2' });
      const [first, second, third, other] = keysOf(asked);
      expect([second, third]).toEqual([first, first]);
      expect(first).toMatch(/^[0-9a-f]{32}$/);
      expect(other).not.toBe(first);
    },
  );

  it.each(keyed)("is tried again under the caller's own key: %s", async (route) => {
    const { ads, asked } = serviceOf([...faults, () => json(201, { id: 'key_1' })]);
    expect(await any(ads, route, { name: 'x' }, { idempotencyKey: 'order-7' })).toMatchObject({ id: 'key_1' });
    expect(keysOf(asked)).toEqual(['order-7', 'order-7', 'order-7']);
  });

  it('is not tried again for a rotation without a key: the response of a repeat would have no secret', async () => {
    for (const route of keyed.filter((one) => one.includes('{id}'))) {
      const { ads, asked } = serviceOf([networkFault, ok]);
      await expect(any(ads, route, {})).rejects.toMatchObject({ code: 'network' });
      expect(keysOf(asked)).toEqual([null]);
    }
  });

  it('is tried again for what stores nothing, and for a conversion that has its own id', async () => {
    for (const [route, body, times] of [
      ['POST /api/v1/campaigns/preview', {}, 2],
      ['POST /api/v1/conversions', { clickId: 'c', conversionId: 'order-7' }, 2],
      ['POST /api/v1/conversions', { clickId: 'c' }, 1],
    ] as const) {
      const { ads, asked } = serviceOf([networkFault, ok]);
      await any(ads, route, body).catch(() => {});
      expect(asked).toHaveLength(times);
    }
  });

  it('does not hide that a secret was lost with the response of the first attempt', async () => {
    const replayed = (body: object) => () => json(201, body, { 'idempotency-replayed': 'true', 'x-request-id': 'r2' });
    for (const [route, body] of [
      ['POST /api/v1/auth/api-keys', { id: 'key_1', key: 'ak_live_****1a2B' }],
      ['POST /api/v1/webhooks', { id: 'wh_1' }],
    ] as const) {
      const error = await any(serviceOf([networkFault, replayed(body)]).ads, route, {}).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(AdsError);
      expect(error).toMatchObject({ code: 'secret_lost', status: 201, requestId: 'r2' });
      expect(error.message).toBe(
        `${body.id} was created, but the response with its secret was lost: rotate its secret to get a new one`,
      );
      // A caller who chose the key knows what a repeat shows.
      const own = serviceOf([networkFault, replayed(body)]);
      expect(await any(own.ads, route, {}, { idempotencyKey: 'k' })).toEqual(body);
    }
    const campaign = serviceOf([networkFault, replayed({ id: 'cmp_1' })]);
    expect(await any(campaign.ads, 'POST /api/v1/campaigns', {})).toEqual({ id: 'cmp_1' });
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
    const { ads, asked } = serviceOf([() => limited({ 'retry-after': '1' })]);
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
      message: 'No response within 20 ms',
    });
    expect(asked).toHaveLength(1);
  });

  it('may be without end', async () => {
    const later = () => new Promise<Response>((resolve) => setImmediate(() => resolve(ok())));
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
    await expect.poll(() => second.asked).toHaveLength(1);
    between.abort(reason);
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

describe('What is missing is named at once, without a request', () => {
  it.each([
    ['left out', undefined, 'GET /api/v1/campaigns/{id} needs params.id'],
    ['null', null, 'GET /api/v1/campaigns/{id} needs params.id'],
    ['empty, which would list all', '', 'GET /api/v1/campaigns/{id} needs params.id, which is ""'],
    ['another path', '..', 'GET /api/v1/campaigns/{id} needs params.id, which is ".."'],
  ])('a variable of the path that is %s', async (_, id, message) => {
    const { ads, asked } = serviceOf([]);
    for (const params of [{ id: id as string }, ...(id === undefined ? [undefined as never] : [])]) {
      await expect(ads('GET /api/v1/campaigns/{id}', { params })).rejects.toThrow(new TypeError(message));
    }
    expect(asked).toEqual([]);
  });

  it.each([
    [undefined, 'baseUrl is missing. Set it to the URL of the service, such as https://ads.example'],
    ['', 'baseUrl must start with https:// or http://, but it is ""'],
    ['/ads', 'baseUrl must start with https:// or http://, but it is "/ads"'],
    ['ads.example', 'baseUrl must start with https:// or http://, but it is "ads.example"'],
    ['localhost:3000', 'baseUrl must start with https:// or http://, but it is "localhost:3000"'],
  ])('the address of the service: %j', (baseUrl, message) => {
    expect(() => createClient({ baseUrl: baseUrl as string })).toThrow(new TypeError(message));
  });

  it.each(['apiKey', 'userId'])('%s, where its environment variable is empty', (name) => {
    expect(() => createClient({ baseUrl: 'https://ads.test', [name]: '' })).toThrow(`${name} is empty`);
    expect(() => createClient({ baseUrl: 'https://ads.test', [name]: undefined })).not.toThrow();
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
    const { ads, asked } = serviceOf(answers);
    const ids: string[] = [];
    for await (const { id } of ads.list('GET /api/v1/campaigns', { query: { limit: 2 } })) ids.push(id);
    return { ids, offsets: asked.map(({ url }) => new URL(url).searchParams.get('offset')) };
  }

  it('ends with an empty page, after pages that hold fewer than were asked for', async () => {
    expect(await idsOf([page('a', 'b'), page('c'), page('d', 'e'), page()])).toEqual({
      ids: ['a', 'b', 'c', 'd', 'e'],
      offsets: ['0', '2', '3', '5'],
    });
    expect(await idsOf([page()])).toEqual({ ids: [], offsets: ['0'] });
  });

  it('ends when the same page comes again, as from something that does not know offsets', async () => {
    const same = page('a', 'b');
    expect((await idsOf([same, same, same, same])).ids).toEqual(['a', 'b']);
  });

  it.each(['', 'many', '-1'])('takes %j for no count', async (total) => {
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
