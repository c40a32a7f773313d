import { afterEach, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient, type LogEntry } from '../../../packages/client/src/index.ts';

const refusal = (status: number, headers = {}) =>
  Response.json({ error: 'E', message: 'secret message' }, { status, headers: { 'x-request-id': 'r1', ...headers } });

/** A client whose service gives these answers in order, and what it logs. */
function createService(answers: ((init: RequestInit) => Response | Promise<Response>)[], options: ClientOptions = {}) {
  const entries: LogEntry[] = [];
  const ads = createClient({
    baseUrl: 'https://ads.test',
    apiKey: 'ak_live_secret',
    random: () => 1,
    log: (entry) => entries.push(entry),
    ...options,
    fetch: async (_, init = {}) => answers.shift()!(init),
  });
  return { ads, entries };
}

afterEach(() => {
  vi.useRealTimers();
});

const AD = 'GET /api/v1/ssp/ad/{bidId}';
const bid = { params: { bidId: 'secret-bid' } };

it('gets one entry for each attempt, with its outcome, its duration, and the time until the next', async () => {
  vi.useFakeTimers();
  const { ads, entries } = createService([
    async () => {
      await vi.advanceTimersByTimeAsync(40);
      return refusal(429, { 'retry-after': '1' });
    },
    () => Promise.reject(new TypeError('fetch failed')),
    () => Response.json({}, { headers: { 'x-request-id': 'r3' } }),
  ]);
  const answered = ads(AD, bid);
  await vi.runAllTimersAsync();
  await answered;
  expect(entries).toEqual([
    { route: AD, attempt: 1, status: 429, code: 'rate_limited', ms: 40, requestId: 'r1', retryInMs: 1_250 },
    { route: AD, attempt: 2, status: 0, code: 'network', ms: 0, requestId: null, retryInMs: 500 },
    { route: AD, attempt: 3, status: 200, code: null, ms: 0, requestId: 'r3', retryInMs: null },
  ]);
});

it('says that there is no further attempt after the last', async () => {
  const once = createService([() => refusal(503)], { retries: 0 });
  await expect(once.ads(AD, bid)).rejects.toMatchObject({ code: 'unavailable' });
  const late = createService([() => refusal(429, { 'retry-after': '60' })]);
  await expect(late.ads(AD, bid)).rejects.toMatchObject({ code: 'rate_limited' });
  expect([...once.entries, ...late.entries]).toMatchObject([
    { attempt: 1, code: 'unavailable', retryInMs: null },
    { attempt: 1, code: 'rate_limited', retryInMs: null },
  ]);
});

it('tells a timeout from a call that its caller aborts', async () => {
  const silence = ({ signal }: RequestInit) =>
    new Promise<Response>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
  const { ads, entries } = createService([silence, silence]);
  await expect(ads(AD, bid, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'timeout' });
  const leaving = new AbortController();
  const waiting = ads(AD, bid, { signal: leaving.signal });
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  expect(entries).toMatchObject([
    { status: 0, code: 'timeout', retryInMs: null },
    { status: 0, code: 'aborted', retryInMs: null },
  ]);
});

it('never gets a key, an ID, a query, or a text of a request or response', async () => {
  const { ads, entries } = createService([() => refusal(400), () => Response.json(null), () => Response.json([])]);
  await ads(AD, bid).catch(() => {});
  const messages = [{ role: 'user' as const, content: 'secret question' }];
  await ads('POST /api/v1/ssp/bid', { body: { countryCode: 'US', messages } });
  await ads('GET /api/v1/campaigns', { query: { limit: 77 } });
  expect(entries.map(({ route }) => route)).toEqual([AD, 'POST /api/v1/ssp/bid', 'GET /api/v1/campaigns']);
  expect(JSON.stringify(entries)).not.toMatch(/secret|77/);
});

it.each([
  [
    'throws',
    () => {
      throw new Error('disk full');
    },
  ],
  ['rejects', () => Promise.reject(new Error('disk full'))],
])('breaks no call when it %s', async (_, log) => {
  const { ads } = createService([() => refusal(503), () => Response.json({})], { log, random: () => 0 });
  expect(await ads(AD, bid)).toEqual({});
});
