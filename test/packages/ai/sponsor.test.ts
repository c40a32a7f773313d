import type { Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { createSponsor, type SponsorEvent, type SponsorOptions } from '../../../packages/ai/src/index.ts';
import type { LogEntry } from '../../../packages/client/src/index.ts';
import { useService } from '../../service.ts';
import { cannedModel, majors } from './canned.ts';

const service = useService();
const QUESTION = [{ role: 'user', content: [{ type: 'text', text: 'Which running shoes should I buy?' }] }];
let server: Server;
let options: SponsorOptions;

beforeAll(async () => {
  server = createGateway(service.stack.apps);
  await service.campaign();
  options = { baseUrl: `http://localhost:${await listen(server, 0)}`, apiKey: await service.key() };
});
afterAll(() => server.close());
// A key may request 15 bids per second.
beforeEach(() => service.clock.advance(1_000));

function sponsorWith(more: Partial<SponsorOptions> = {}) {
  const asked: string[] = [];
  const errors: unknown[] = [];
  const events: SponsorEvent[] = [];
  const sponsor = createSponsor({
    ...options,
    deadlineMs: 10_000,
    onError: (error) => errors.push(error),
    onEvent: (event) => events.push(event),
    ...more,
    fetch(url, init) {
      asked.push(`${init?.method} ${new URL(String(url)).pathname}`);
      return (more.fetch ?? fetch)(url, init);
    },
  });
  return { turn: sponsor.turn({ countryCode: 'US' }), route: sponsor.route, asked, errors, events };
}

/** Never responds, until it is aborted. */
const stalled: typeof fetch = (_, init) =>
  new Promise((_, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)));

interface Chunk {
  type: string;
  data?: { token: string; disclosure: string; expiresAt: string };
}
const getTypes = (chunks: Chunk[]) => chunks.map(({ type }) => type);

async function all(stream: ReadableStream<Chunk>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

describe.each(majors)('With major $major of the AI SDK', ({ streamed }) => {
  it('adds one part after the answer, and requests no ad', async () => {
    const { turn, asked, errors } = sponsorWith();
    const before = Date.now();
    const chunks = await all(streamed(turn, cannedModel({ before: turn.part })));
    expect(getTypes(chunks).slice(-4)).toEqual(['text-end', 'finish-step', 'data-sponsored', 'finish']);
    expect(chunks.at(-2)).toEqual({
      type: 'data-sponsored',
      id: expect.stringMatching(/^sponsored-/),
      data: {
        disclosure: 'Sponsored',
        token: expect.stringMatching(/^[\w-]{36}\.[0-9a-f]{64}$/),
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    const expiresAt = Date.parse(chunks.at(-2)!.data!.expiresAt);
    expect(expiresAt).toBeGreaterThanOrEqual(before + 300_000);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 300_000);
    expect([asked, errors]).toEqual([['POST /api/v1/ssp/bid'], []]);
  });

  it('does not delay an answer that ends before its bid, and adds no ad', async () => {
    const { turn } = sponsorWith({ fetch: () => new Promise(() => {}) });
    const chunks = await all(streamed(turn, cannedModel()));
    expect(getTypes(chunks)).not.toContain('data-sponsored');
    expect(getTypes(chunks).at(-1)).toBe('finish');
  });

  it.each([
    ['rejects the request', async () => Response.json({ message: 'M' }, { status: 500 })],
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['returns invalid JSON', async () => new Response('<html>')],
    ['does not bid', async () => Response.json(null)],
  ])('leaves the answer intact if the service %s', async (what, fault) => {
    const { turn, errors } = sponsorWith({ fetch: fault });
    const chunks = await all(streamed(turn, cannedModel({ before: turn.part })));
    expect(getTypes(chunks)).not.toContain('data-sponsored');
    expect(getTypes(chunks)).toContain('text-end');
    expect(getTypes(chunks).at(-1)).toBe('finish');
    expect(errors.length).toBe(what === 'does not bid' ? 0 : 1);
  });

  it('leaves the answer intact if onError throws too', async () => {
    const onError = () => {
      throw new Error('no log');
    };
    const { turn } = sponsorWith({ fetch: () => Promise.reject(new Error('x')), onError });
    const chunks = await all(streamed(turn, cannedModel({ before: turn.part })));
    expect(getTypes(chunks).at(-1)).toBe('finish');
  });

  it('reports exactly one event per turn: filled, no_fill with its code, or error', async () => {
    const getEvents = async (more: Partial<SponsorOptions>, canned: Parameters<typeof cannedModel>[0] = {}) => {
      const { turn, events } = sponsorWith(more);
      await all(streamed(turn, cannedModel({ before: turn.part, ...canned })));
      await turn.part();
      return events;
    };
    expect(await getEvents({})).toEqual([{ type: 'filled', bidId: expect.any(String), bid: 4 }]);

    const reply = (reason: string) => async () => Response.json(null, { headers: { 'x-no-bid-reason': reason } });
    const why = { code: 'no_match', meaning: 'No running campaign matches: none.' };
    expect(await getEvents({ fetch: reply(`no_match: ${why.meaning}`) })).toEqual([{ type: 'no_fill', ...why }]);
    const unknown = [{ type: 'no_fill', code: 'unknown', meaning: 'The service did not say why.' }];
    for (const reason of ['', 'no reason']) expect(await getEvents({ fetch: reply(reason) })).toEqual(unknown);

    const down = () => Promise.reject(new TypeError('fetch failed'));
    expect(await getEvents({ fetch: down })).toMatchObject([{ type: 'error', error: { code: 'network' } }]);
    const hangs: typeof fetch = () => new Promise(() => {});
    const never = async () => undefined;
    expect(await getEvents({ fetch: stalled, deadlineMs: 20 })).toMatchObject([
      { type: 'error', error: { code: 'timeout' } },
    ]);

    const { turn, events } = sponsorWith({ fetch: hangs });
    await all(streamed(turn, cannedModel({ before: never })));
    expect(events).toMatchObject([{ type: 'no_fill', code: 'late' }]);
  });

  it('reports a bid without a part if its answer fails, is filtered, or is left by the user', async () => {
    const getCodes = async (canned: Parameters<typeof cannedModel>[0], leave = false) => {
      const abort = new AbortController();
      const { turn, asked, events } = sponsorWith();
      const before = async () => {
        await expect.poll(() => asked.length).toBe(1);
        if (leave) abort.abort();
      };
      await all(streamed(turn, cannedModel({ before, ...canned }), abort.signal));
      return events.map((event) => (event.type === 'no_fill' ? event.code : event.type));
    };
    expect(await getCodes({ fault: 'overloaded' })).toEqual(['no_answer']);
    expect(await getCodes({ finish: 'content-filter' })).toEqual(['no_answer']);
    expect(await getCodes({}, true)).toEqual(['aborted']);

    const { turn, events } = sponsorWith();
    const stream = streamed(turn, cannedModel({ before: () => new Promise(() => {}) }));
    await stream.cancel();
    expect(events).toMatchObject([{ code: 'aborted' }]);
  });

  it('adds no ad to a failed, aborted, filtered, or unfinished answer', async () => {
    const failed = sponsorWith().turn;
    const broken = await all(streamed(failed, cannedModel({ before: failed.part, fault: 'overloaded' })));
    expect(getTypes(broken)).toContain('error');
    expect(getTypes(broken)).not.toContain('data-sponsored');

    for (const finish of ['content-filter', 'tool-calls'] as const) {
      const { turn } = sponsorWith();
      const chunks = await all(streamed(turn, cannedModel({ before: turn.part, finish })));
      expect(getTypes(chunks)).not.toContain('data-sponsored');
    }

    const abort = new AbortController();
    const { turn } = sponsorWith();
    const before = async () => {
      await turn.part();
      abort.abort();
    };
    const aborted = await all(streamed(turn, cannedModel({ before }), abort.signal));
    expect(getTypes(aborted)).toContain('abort');
    expect(getTypes(aborted)).not.toContain('data-sponsored');
  });
});

it('throws a TypeError that names a missing option', () => {
  for (const apiKey of ['', undefined as never]) {
    expect(() => createSponsor({ ...options, apiKey })).toThrow(/^apiKey is missing/);
  }
  expect(() => createSponsor({ ...options, baseUrl: undefined as never })).toThrow(/^baseUrl is missing/);
  expect(() => createSponsor({ ...options, baseUrl: '' })).toThrow(/^baseUrl must start with/);
});

it('reads the URL and the key from the environment by default, and logs each attempt', async () => {
  vi.stubEnv('ADS_URL', options.baseUrl);
  vi.stubEnv('ADS_KEY', options.apiKey);
  const entries: LogEntry[] = [];
  const { turn } = createSponsor({ deadlineMs: 10_000, log: (entry) => entries.push(entry) });
  vi.unstubAllEnvs();
  const { middleware, part } = turn({ countryCode: 'US' });
  await middleware.transformParams({ params: { prompt: QUESTION } });
  expect(await part()).toBeDefined();
  expect(entries).toMatchObject([{ route: 'POST /api/v1/ssp/bid', attempt: 1, status: 200, code: null }]);
});

it('labels events with the conversation and the variant of their turn, and survives handlers that fail', async () => {
  const events: SponsorEvent[] = [];
  const onEvent = async (event: SponsorEvent) => {
    events.push(event);
    throw new Error('no analytics');
  };
  const onError = () => Promise.reject(new Error('no log'));
  for (const handlers of [{ onEvent }, { onEvent, onError, fetch: () => Promise.reject(new TypeError('x')) }]) {
    const sponsor = createSponsor({ ...options, deadlineMs: 10_000, ...handlers });
    const { middleware, part } = sponsor.turn({ countryCode: 'US', conversation: { id: 'c' }, variant: 'B' });
    await middleware.transformParams({ params: { prompt: QUESTION } });
    await part();
  }
  const labels = { conversation: { id: 'c' }, variant: 'B' };
  expect(events).toMatchObject([
    { type: 'filled', ...labels },
    { type: 'error', ...labels },
  ]);
});

it('reports a bid whose answer fails or is left before anyone asks for its part', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const abort = new AbortController();
    const codes: unknown[] = [];
    const sponsor = createSponsor({
      ...options,
      fetch: async () => Response.json({ bid: 4, bidId: 'b' }),
      onEvent: (event) => codes.push(event.type === 'no_fill' ? event.code : event.type),
    });
    const params = { prompt: QUESTION };
    const left = sponsor.turn({ countryCode: 'US', signal: abort.signal });
    await left.middleware.transformParams({ params });
    await sponsor.turn({ countryCode: 'US' }).middleware.transformParams({ params });
    const shown = sponsor.turn({ countryCode: 'US' });
    await shown.middleware.transformParams({ params });
    await shown.part();
    expect(codes).toEqual(['filled']);
    abort.abort();
    expect(codes).toEqual(['filled', 'aborted']);
    vi.advanceTimersByTime(300_000);
    expect(codes).toEqual(['filled', 'aborted', 'no_answer']);
  } finally {
    vi.useRealTimers();
  }
});

it('gives up on a bid at its deadline', async () => {
  const { turn, errors } = sponsorWith({ fetch: stalled, deadlineMs: 20 });
  await turn.middleware.transformParams({ params: { prompt: QUESTION } });
  expect(await turn.part()).toBeUndefined();
  expect(errors).toMatchObject([{ code: 'timeout', message: 'No response within 20 ms' }]);
});

it('requests one bid for an answer of several steps, and no bid for a prompt without a user', async () => {
  const { turn, asked } = sponsorWith();
  const params = { prompt: QUESTION, temperature: 0 };
  for (let step = 0; step < 3; step++) expect(await turn.middleware.transformParams({ params })).toBe(params);
  expect(await turn.part()).toBeDefined();
  expect(asked).toEqual(['POST /api/v1/ssp/bid']);

  const silent = sponsorWith();
  await silent.turn.middleware.transformParams({ params: { prompt: [{ role: 'system', content: 'Hello' }] } });
  expect([await silent.turn.part(), silent.asked]).toEqual([undefined, []]);
  expect(silent.events).toMatchObject([{ type: 'no_fill', code: 'no_user_message' }]);
});

it('says that no bid was requested for a model without the middleware of its turn', async () => {
  const streamed = sponsorWith();
  const answer = new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'finish' });
      controller.close();
    },
  });
  for await (const { type } of streamed.turn.stream(answer)) expect(type).toBe('finish');
  const whole = sponsorWith();
  expect(await whole.turn.part()).toBeUndefined();
  for (const { events } of [streamed, whole]) expect(events).toMatchObject([{ type: 'no_fill', code: 'not_asked' }]);
});

it('requests one bid for a conversation that is passed without the AI SDK', async () => {
  const { turn, asked } = sponsorWith();
  const messages = [{ role: 'user', content: 'Which running shoes should I buy?' }];
  const [first, second] = await Promise.all([turn.part(messages), turn.part(messages)]);
  expect(first).toMatchObject({ type: 'data-sponsored', data: { disclosure: 'Sponsored' } });
  expect([second, asked]).toEqual([first, ['POST /api/v1/ssp/bid']]);
  expect(await sponsorWith().turn.part([])).toBeUndefined();
});

it("applies the key's ad spacing to a turn that names its conversation", async () => {
  const user = service.user('spaced');
  const { key: apiKey, id } = (await user('POST', '/auth/api-keys', { name: 'Spaced' })).body;
  await user('PATCH', `/auth/api-keys/${id}`, { turnSpacing: 2 });
  const sponsor = createSponsor({ ...options, apiKey, deadlineMs: 10_000 });
  const getPart = async (conversation: { id: string; turn?: number } | undefined, prompt = QUESTION) => {
    const turn = sponsor.turn({ countryCode: 'US', ...(conversation && { conversation }) });
    await turn.middleware.transformParams({ params: { prompt } });
    return turn.part();
  };
  const show = async (part: Awaited<ReturnType<typeof getPart>>) => {
    const body = JSON.stringify({ token: part!.data.token });
    expect((await sponsor.route(new Request('http://chat.test/', { method: 'POST', body }))).status).toBe(200);
  };
  await show(await getPart({ id: 'a' }));
  expect(await getPart({ id: 'a' }, [...QUESTION, ...QUESTION])).toBeUndefined();
  expect(await getPart({ id: 'a', turn: 2 })).toBeUndefined();
  for (const other of [{ id: 'a', turn: 3 }, { id: 'b' }, undefined]) expect(await getPart(other)).toBeDefined();
});

describe('The route of the card', () => {
  const post = (body: string, more: RequestInit = {}) =>
    new Request('http://chat.test/api/sponsored', { method: 'POST', body, ...more });

  async function getToken({ turn }: Pick<ReturnType<typeof sponsorWith>, 'turn'>): Promise<string> {
    await turn.middleware.transformParams({ params: { prompt: QUESTION } });
    return (await turn.part())!.data.token;
  }

  it('returns the ad of its own bid, also repeatedly, and never reveals the API key', async () => {
    const made = sponsorWith();
    const body = JSON.stringify({ token: await getToken(made) });
    const first = await made.route(post(body));
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const text = await first.text();
    expect(JSON.parse(text)).toMatchObject({
      disclosure: 'Sponsored',
      headline: expect.any(String),
      url: expect.stringContaining('/api/v1/click/'),
      feedbackUrl: expect.stringContaining('/api/v1/feedback/'),
      viewableUrl: expect.stringContaining('/api/v1/viewable/'),
    });
    expect(text).not.toContain(options.apiKey);
    expect(await (await made.route(post(body))).text()).toBe(text);
  });

  it('requests no ad for a bid that it did not receive', async () => {
    const made = sponsorWith();
    const token = await getToken(made);
    const [bidId, signature] = token.split('.');
    const forged = [
      `00000000-0000-4000-8000-000000000000.${signature}`,
      `${bidId}.${'0'.repeat(64)}`,
      bidId,
      '',
      7,
      '../health',
    ];
    for (const wrong of forged) expect((await made.route(post(JSON.stringify({ token: wrong })))).status).toBe(404);
    for (const wrong of ['', '{', 'null', '[]']) expect((await made.route(post(wrong))).status).toBe(404);
    const stranger = createSponsor({ ...options, apiKey: 'another' });
    expect((await stranger.route(post(JSON.stringify({ token })))).status).toBe(404);
    expect(made.asked).toEqual(['POST /api/v1/ssp/bid']);
  });

  it('hands what the card reports to onEvent, with the bid of the turn, and requests no ad for it', async () => {
    const made = sponsorWith();
    const token = await getToken(made);
    const report = (event: unknown) => made.route(post(JSON.stringify({ token, event })));
    const ad = await made.route(post(JSON.stringify({ token })));
    expect(await ad.json()).toMatchObject({ reportsEvents: true });
    for (const event of ['viewed', 'clicked']) expect((await report(event)).status).toBe(204);
    for (const wrong of ['filled', '', 7, null]) expect((await report(wrong)).status).toBe(400);
    const forged = await made.route(post(JSON.stringify({ token: `${token}0`, event: 'viewed' })));
    expect(forged.status).toBe(404);
    const bidId = token.replace(/\..*/, '');
    expect(made.events).toMatchObject([
      { type: 'filled', bidId },
      { type: 'viewed', bidId },
      { type: 'clicked', bidId },
    ]);
    expect(made.asked).toEqual(['POST /api/v1/ssp/bid', `GET /api/v1/ssp/ad/${bidId}`]);
  });

  it('asks the card for no reports if nobody listens', async () => {
    const sponsor = createSponsor({ ...options, deadlineMs: 10_000 });
    const turn = sponsor.turn({ countryCode: 'US' });
    const token = await getToken({ turn });
    const ad = await sponsor.route(post(JSON.stringify({ token })));
    expect(await ad.json()).not.toHaveProperty('reportsEvents');
    expect((await sponsor.route(post(JSON.stringify({ token, event: 'viewed' })))).status).toBe(204);
  });

  it('accepts only POST, and rejects large bodies', async () => {
    const { route } = sponsorWith();
    const read = await route(new Request('http://chat.test/api/sponsored'));
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
    const body = 'x'.repeat(2_000);
    expect((await route(post(body, { headers: { 'content-length': '2000' } }))).status).toBe(413);
  });

  it('stops reading a body of unannounced length once it is too large', async () => {
    let chunks = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        chunks += 1;
        controller.enqueue(new TextEncoder().encode('x'.repeat(500)));
      },
    });
    const request = new Request('http://chat.test/api/sponsored', { method: 'POST', body, duplex: 'half' });
    expect((await sponsorWith().route(request)).status).toBe(413);
    expect(chunks).toBeLessThan(10);
  });

  it('reports an expired bid and an unreachable service', async () => {
    const made = sponsorWith();
    const body = JSON.stringify({ token: await getToken(made) });
    const down = sponsorWith({ fetch: () => Promise.reject(new TypeError('fetch failed')) });
    const refused = await down.route(post(body));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(down.errors).toMatchObject([{ code: 'network' }]);
    service.clock.advance(5 * 60_000 + 1);
    expect((await made.route(post(body))).status).toBe(404);
  });
});
