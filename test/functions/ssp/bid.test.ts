import { describe, expect, it } from 'vitest';
import type { Database } from '../../../shared/platform/database.ts';
import { isUuid } from '../../../shared/platform/ids.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { noBidReasons, OUTCOMES } from '../../../shared/platform/values/outcomes.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createCaller, createHandlers } from '../../service.ts';

// @module-tag whole
const service = useServiceInMemory();

describe('POST /ssp/bid', () => {
  it('returns a CPM bid and a bid id for a conversation', async () => {
    const key = await service.key();
    await service.campaign({ maxCpb: 4.321 });
    const { status, body, headers } = await service.bid(key);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['bid', 'bidId']);
    expect(body.bid).toBe(4.321);
    expect(isUuid(body.bidId)).toBe(true);
    expect(headers['x-request-id']).toBe('request-1');
    expect(headers['ratelimit-limit']).toBe('15');
    expect(headers['ratelimit-remaining']).toBe('14');
    expect(headers['ratelimit-reset']).toBe('1');
  });

  it('returns null if no campaign matches the conversation', async () => {
    const { status, body } = await service.bid(await service.key(), 'Tell me a joke about penguins');
    expect(status).toBe(200);
    expect(body).toBeNull();
  });

  it('accepts a country in either case and respects the countries of campaigns', async () => {
    const key = await service.key();
    const name = 'Only for Swiss mountaineers';
    await service.campaign({ name, targetAudience: { keywords: ['icezoom'], countries: ['ch', 'AT', 'xk'] } });
    const ask = (countryCode: string) => service.bid(key, 'I need an icezoom', { countryCode });
    expect((await ask('ch')).body.bid).toBe(4);
    expect((await ask('AT')).body.bid).toBe(4);
    expect((await ask('XK')).body.bid).toBe(4); // Kosovo has no ISO 3166-1 code
    expect((await ask('US')).body).toBeNull();
  });

  it('excludes a bid below the floor and allows one at the floor', async () => {
    await service.campaign({ maxCpb: 2.5, targetAudience: { keywords: ['zorbulator'] } });
    const ask = async (bidFloor: number) =>
      (await service.bid(await service.key({ bidFloor }), 'a warm zorbulator')).body;
    expect(await ask(2.501)).toBeNull();
    expect((await ask(2.5)).bid).toBe(2.5);
  });

  it('excludes a campaign by its excluded keyword, whatever else matches', async () => {
    const key = await service.key();
    await service.campaign({ targetAudience: { keywords: ['camping tent'], excludedKeywords: ['bear attack'] } });
    expect((await service.bid(key, 'Which camping tent is light?')).body.bid).toBe(4);
    expect((await service.bid(key, 'Which camping tent survives bear attacks?')).body).toBeNull();
  });

  it.each([
    ['draft', { status: 'draft' }],
    ['paused', { status: 'paused' }],
    ['cancelled', { status: 'cancelled' }],
    ['without budget', { budget: 0 }],
    ['without budget for the day', { dailyBudget: 0 }],
    ['without a headline', { creative: { landingUrl: 'https://a.example/' } }],
    ['without an address', { creative: { headline: 'Hi' } }],
    ['with maxCpb 0', { maxCpb: 0 }],
    ['not begun', { startDate: '2026-11-21' }],
    ['ended', { endDate: '2026-11-19' }],
  ])('excludes a campaign that is %s', async (what, overrides) => {
    const text = `grapefruit ${what.replaceAll(' ', '')}`;
    await service.campaign({ targetAudience: { keywords: [text] }, ...overrides });
    expect((await service.bid(await service.key(), text)).body).toBeNull();
  });

  it('lets a campaign bid on its first and its last day', async () => {
    await service.campaign({
      targetAudience: { keywords: ['pumpzoom'] },
      startDate: '2026-11-20',
      endDate: '2026-11-20',
    });
    expect((await service.bid(await service.key(), 'pumpzoom')).body.bid).toBe(4);
  });

  it('selects the highest bid times relevance and alternates between equal campaigns', async () => {
    const key = await service.key();
    const low = await service.campaign({ maxCpb: 3, targetAudience: { keywords: ['violinzoom'] } });
    const one = await service.campaign({ maxCpb: 5, targetAudience: { keywords: ['violinzoom'] } });
    const two = await service.campaign({ maxCpb: 5, targetAudience: { keywords: ['violinzoom'] } });
    const winners: string[] = [];
    for (let i = 0; i < 6; i++) {
      const { body } = await service.call('POST', '/api/v1/ssp/bid', {
        headers: { 'x-api-key': key, 'x-debug': 'true' },
        body: { countryCode: 'US', messages: [{ role: 'user', content: 'violinzoom' }] },
      });
      winners.push(body.debug.campaignId);
      expect(body.debug.candidates.at(-1)).toMatchObject({ campaignId: low.id, outcome: 'lower_rank' });
    }
    expect(winners.filter((id) => id === one.id)).toHaveLength(3);
    expect(winners.filter((id) => id === two.id)).toHaveLength(3);
    expect(new Set(winners.slice(0, 2)).size).toBe(2);
  });

  it("applies a campaign's change to the next bid", async () => {
    const key = await service.key();
    const { id } = await service.campaign({ targetAudience: { keywords: ['accordizoom'] } });
    expect((await service.bid(key, 'accordizoom')).body.bid).toBe(4);
    await service.user()('PATCH', `/campaigns/${id}`, { maxCpb: 6 });
    expect((await service.bid(key, 'accordizoom')).body.bid).toBe(6);
    await service.user()('PATCH', `/campaigns/${id}`, { status: 'paused' });
    expect((await service.bid(key, 'accordizoom')).body).toBeNull();
  });
});

describe('POST /ssp/bid rejects', () => {
  const messages = [{ role: 'user', content: 'hello' }];
  const content = (length: number) => 'x'.repeat(length);
  const bad: [string, unknown, string][] = [
    ['an empty body', undefined, 'countryCode'],
    ['no countryCode', { messages }, 'countryCode'],
    ['an unknown country', { countryCode: 'XX', messages }, 'countryCode'],
    ['a country of three letters', { countryCode: 'USA', messages }, 'countryCode'],
    ['no messages', { countryCode: 'US' }, 'messages'],
    ['an empty list of messages', { countryCode: 'US', messages: [] }, 'messages'],
    ['1,001 messages', { countryCode: 'US', messages: Array(1001).fill(messages[0]) }, 'messages'],
    ['a message that is a text', { countryCode: 'US', messages: ['hello'] }, 'messages.0'],
    ['an unknown role', { countryCode: 'US', messages: [{ role: 'system', content: 'x' }] }, 'messages.0.role'],
    ['a message without content', { countryCode: 'US', messages: [{ role: 'user' }] }, 'messages.0.content'],
    [
      'content over 32,768 characters',
      { countryCode: 'US', messages: [{ role: 'user', content: content(32_769) }] },
      'messages.0.content',
    ],
    ['a list', [], ''],
  ];
  it.each(bad)('%s, naming the field', async (_, body, path) => {
    const headers = { 'x-api-key': await service.key() };
    const response = await service.call('POST', '/api/v1/ssp/bid', { headers, body });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ statusCode: 400, message: 'Validation failed', error: 'Bad Request' });
    expect(Object.keys(response.body)).toEqual(['statusCode', 'message', 'error', 'details']);
    expect(response.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  it('nothing at the bounds: 1,000 messages, 32,768 characters, an empty text', async () => {
    const key = await service.key();
    expect((await service.bid(key, content(32_768))).status).toBe(200);
    expect((await service.bid(key, '')).status).toBe(200);
    expect((await service.bid(key, '', { messages: Array(1000).fill(messages[0]) })).status).toBe(200);
  });

  it('malformed JSON, another content type and more than 1 MiB', async () => {
    const headers = { 'x-api-key': await service.key(), 'content-type': 'application/json' };
    const post = (body: string, type = headers['content-type']) =>
      service.call('POST', '/api/v1/ssp/bid', { headers: { ...headers, 'content-type': type }, body });
    expect((await post('{"countryCode":')).body).toMatchObject({ statusCode: 400, message: 'Validation failed' });
    expect((await post('a=1', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await post('{}', '')).status).toBe(415);
    expect((await post(`{"x":"${content(1024 * 1024)}"}`)).status).toBe(413);
    expect((await post('[null]')).status).toBe(400);
    expect((await post('null', 'application/json; charset=utf-8')).status).toBe(400);
  });

  it('a missing key with 401, naming the header for the key', async () => {
    const { status, body } = await service.call('POST', '/api/v1/ssp/bid', { body: {} });
    expect([status, body]).toEqual([
      401,
      {
        statusCode: 401,
        message: 'Invalid API key',
        error: 'Unauthorized',
        details: [{ path: 'X-API-Key', message: 'Send the API key in the header X-API-Key' }],
      },
    ]);
  });

  it.each([
    ['garbage', { 'x-api-key': 'garbage' }],
    ['a key with a wrong checksum', { 'x-api-key': `ak_live_${'a'.repeat(33)}` }],
    ['a key that was never made', { 'x-api-key': 'ak_live_EJ2fuIxEjaXs7PxjF65pXvpDIeq1td3t8' }],
  ])('%s with 401', async (_, headers) => {
    const { status, body } = await service.call('POST', '/api/v1/ssp/bid', { headers, body: {} });
    expect(status).toBe(401);
    expect(body).toEqual({ statusCode: 401, message: 'Invalid API key', error: 'Unauthorized' });
  });
});

describe('X-Debug', () => {
  const debug = async (text: string, floor = 0, owner = 'publisher') => {
    const { body: key } = await service.user(owner)('POST', '/auth/api-keys', { name: 'Key', bidFloor: floor });
    return service.call('POST', '/api/v1/ssp/bid', {
      headers: { 'x-api-key': key.key, 'x-debug': 'true' },
      body: {
        countryCode: 'US',
        messages: [
          { role: 'assistant', content: 'Hello' },
          { role: 'user', content: text },
        ],
      },
    });
  };

  it('explains a bid in the body: terms, messages, price, and outcome of each candidate', async () => {
    const mine = await service.campaign({ name: 'Cellozoom strings', targetAudience: { keywords: ['cellozoom'] } });
    const paused = await service.campaign({ targetAudience: { keywords: ['cellozoom'] }, status: 'paused' });
    const { body } = await debug('I play the cellozoom', 0, 'alice');
    expect(body.debug).toMatchObject({
      requestId: 'request-1',
      campaignId: mine.id,
      timingsMs: { match: 0, total: 0 },
    });
    expect(body.debug.candidates[0]).toEqual({
      campaignId: mine.id,
      name: 'Cellozoom strings',
      relevance: expect.any(Number),
      matched: [{ term: 'cellozoom', kind: 'keyword', message: 1, positions: [{ start: 11, end: 20 }] }],
      price: { strategy: 'manual', maxCpb: 4, bid: 4, value: expect.any(Number) },
      outcome: 'won',
    });
    expect(body.debug.reason).toBeNull();
    expect(body.debug.candidates[1]).toMatchObject({ campaignId: paused.id, outcome: 'paused' });
    expect(JSON.stringify(body.debug)).not.toMatch(/budget|spent/i);
  });

  it('explains a no-bid in an ASCII header under 4 KB', async () => {
    for (let i = 0; i < 25; i++)
      await service.campaign({
        name: `Bratschen für Anfänger ${'ü'.repeat(150)} ${i}`,
        targetAudience: { keywords: ['violazoom'] },
      });
    const { body, headers } = await debug('violazoom', 900);
    expect(body).toBeNull();
    const header = headers['x-debug-info']!;
    expect(header.length).toBeLessThan(4096);
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    const parsed = JSON.parse(header);
    expect(parsed.campaignId).toBeNull();
    expect(parsed.candidates.length).toBeGreaterThan(0);
    expect(parsed.candidates[0].outcome).toBe('below_floor');
  });

  it("reveals only name, relevance, terms, bid, and outcome of other owners' campaigns", async () => {
    const targetAudience = { keywords: ['lutezoom'] };
    const targets = { bidStrategy: 'target_cpa', targetCpa: 77.125, maxCpb: 3.125 };
    const { id } = await service.campaign({ name: 'Lutezoom strings', targetAudience, ...targets });
    await service.campaign({ targetAudience, maxCpb: 0 });
    await service.campaign({ targetAudience, budget: 0.5, dailyBudget: 0 });
    await service.campaign({ targetAudience, bidStrategy: 'auto', maxCpb: 6 }, 'bob');
    const { candidates } = (await debug('I play the lutezoom')).body.debug;
    expect(candidates).toHaveLength(4);
    for (const candidate of candidates) {
      expect(candidate).toEqual({
        campaignId: expect.any(String),
        name: expect.any(String),
        relevance: expect.any(Number),
        matched: [{ term: 'lutezoom', kind: 'keyword', message: 1, positions: [{ start: 11, end: 19 }] }],
        price: { bid: expect.any(Number) },
        outcome: expect.any(String),
      });
    }
    expect(new Set(candidates.map(({ outcome }: { outcome: string }) => outcome))).toEqual(
      new Set(['won', 'lower_rank', 'incomplete', 'daily_budget']),
    );
    expect(JSON.stringify(candidates)).not.toMatch(/77\.125|strategy|maxCpb|pace|Rate/);

    const own = (await debug('I play the lutezoom', 0, 'alice')).body.debug.candidates;
    expect(own.find((one: { campaignId: string }) => one.campaignId === id).price).toMatchObject({
      strategy: 'target_cpa',
      maxCpb: 3.125,
      targetCpa: 77.125,
    });
    expect(own.find((one: { outcome: string }) => one.outcome === 'incomplete').field).toBe('maxCpb');
  });

  it('explains a no-bid by what excluded the best campaign, not by unknown words', async () => {
    await service.campaign({ targetAudience: { keywords: ['theorbozoom'] }, creative: { headline: 'x' } });
    const { body, headers } = await debug('theorbozoom', 0, 'alice');
    expect(body).toBeNull();
    expect(JSON.parse(headers['x-debug-info']!)).toMatchObject({
      reason: 'incomplete',
      candidates: [{ outcome: 'incomplete', field: 'creative.landingUrl' }],
    });
    const hello = await debug('Hi! How are you today?');
    expect(JSON.parse(hello.headers['x-debug-info']!)).toMatchObject({ reason: 'no_commercial_context' });
  });

  it.each([
    ['no message of a user', []],
    ['an empty message of the user', [{ role: 'user', content: ' \n' }]],
    ['a user who sends only punctuation', [{ role: 'user', content: '…?!' }]],
  ])('returns no bid for a conversation with %s, and explains why', async (_, more) => {
    await service.campaign({ targetAudience: { keywords: ['dulcimerzoom'] } });
    const key = await service.key();
    const ask = async (messages: object[]) => {
      const headers = { 'x-api-key': key, 'x-debug': 'true' };
      return service.call('POST', '/api/v1/ssp/bid', { headers, body: { countryCode: 'US', messages } });
    };
    const spoken = [{ role: 'assistant', content: 'Have you thought of a dulcimerzoom?' }, ...more];
    const { status, body, headers } = await ask(spoken);
    expect([status, body]).toEqual([200, null]);
    expect(JSON.parse(headers['x-debug-info']!)).toMatchObject({ reason: 'no_user_message', candidates: [] });
    expect((await ask([...spoken, { role: 'user', content: 'Where do I buy a dulcimerzoom?' }])).body.bid).toBe(4);
  });

  it.each(['draft', 'completed', 'cancelled', 'ended'])(
    'shows a matching ineligible campaign only to its owner: %s',
    async (code) => {
      const keyword = `harmonium${code}zoom`;
      const endDate = new Date(service.clock.now() + 1_000).toISOString();
      const state = code === 'ended' ? { endDate } : { status: code };
      const { id } = await service.campaign({ targetAudience: { keywords: [keyword] }, ...state });
      if (code === 'ended') service.clock.advance(2_000); // before any schedule has stored it
      const own = await debug(keyword, 0, 'alice');
      expect(own.body).toBeNull();
      expect(JSON.parse(own.headers['x-debug-info']!)).toMatchObject({
        reason: code,
        candidates: [{ campaignId: id, outcome: code, matched: [{ term: keyword }] }],
      });
      const others = JSON.parse((await debug(keyword)).headers['x-debug-info']!);
      expect(others).toMatchObject(
        code === 'ended'
          ? { reason: 'ended', candidates: [{ campaignId: id, outcome: 'ended' }] }
          : { reason: 'no_commercial_context', candidates: [] },
      );
    },
  );

  it('shows such a campaign in addition to the winner', async () => {
    const targetAudience = { keywords: ['celestazoom'] };
    const won = await service.campaign({ targetAudience });
    const draft = await service.campaign({ targetAudience, status: 'draft', maxCpb: 9 });
    const { candidates } = (await debug('celestazoom', 0, 'alice')).body.debug;
    expect(candidates).toMatchObject([
      { campaignId: won.id, outcome: 'won' },
      { campaignId: draft.id, outcome: 'draft', field: 'status' },
    ]);
  });

  it('omits ineligible campaigns while the store cannot be read', async () => {
    const { db } = service.stack.effects;
    const refusing: Database = {
      ...db,
      async *query(query) {
        if (query.newestFirst) throw new Unavailable('throttled');
        yield* db.query(query);
      },
    };
    const throttled = await createHandlers({ ...service.stack.effects, db: refusing });
    const { id } = await service.campaign({ targetAudience: { keywords: ['ocarinazoom'] } });
    const { body: key } = await service.user('alice')('POST', '/auth/api-keys', { name: 'Key' });
    const { status, body } = await createCaller(() => throttled)('POST', '/api/v1/ssp/bid', {
      headers: { 'x-api-key': key.key, 'x-debug': 'true' },
      body: { countryCode: 'US', messages: [{ role: 'user', content: 'ocarinazoom' }] },
    });
    expect([status, body.debug.campaignId]).toEqual([200, id]);
  });

  it('omits their keywords while the store does not return them', async () => {
    const { id } = await service.campaign({ targetAudience: { keywords: ['spinetzoom'] } });
    const { body: key } = await service.user('alice')('POST', '/auth/api-keys', { name: 'Key' });
    const { effects } = service.stack;
    const getAll: Database['getAll'] = (table, keys) =>
      table === 'campaigns' ? Promise.reject(new Unavailable('throttled')) : effects.db.getAll(table, keys);
    const throttled = await createHandlers({ ...effects, db: { ...effects.db, getAll } });
    const { status, body } = await createCaller(() => throttled)('POST', '/api/v1/ssp/bid', {
      headers: { 'x-api-key': key.key, 'x-debug': 'true' },
      body: { countryCode: 'US', messages: [{ role: 'user', content: 'spinetzoom' }] },
    });
    expect([status, body.debug.campaignId]).toEqual([200, id]);
    expect(body.debug.candidates[0].matched).toEqual([]);
  });

  it('reports outranked for a matching campaign behind a better one, whatever it pays', async () => {
    const targetAudience = { keywords: ['marathon training'] };
    const { id: rich } = await service.campaign({ targetAudience, maxCpb: 90 });
    const { id: paused } = await service.campaign({ targetAudience, maxCpb: 90, status: 'paused' });
    await service.campaign();
    const { body } = await debug('Which running shoes should I buy?');
    const getOutcome = (id: string) =>
      body.debug.candidates.find(({ campaignId }: { campaignId: string }) => campaignId === id)?.outcome;
    expect([getOutcome(rich), getOutcome(paused)]).toEqual(['outranked', 'paused']);
  });

  it('reports every candidate of a sensitive conversation as withheld', async () => {
    const { id } = await service.campaign({ targetAudience: { keywords: ['fagottozoom'] } });
    const { body, headers } = await debug('I want to kill myself. Where can I buy a fagottozoom?');
    expect(body).toBeNull();
    expect(JSON.parse(headers['x-debug-info']!)).toMatchObject({
      campaignId: null,
      reason: 'sensitive_context',
      candidates: [{ campaignId: id, matched: [{ term: 'fagottozoom' }], outcome: 'sensitive_context' }],
    });
  });

  it('is absent from responses by default', async () => {
    const { body, headers } = await service.bid(await service.key(), 'cellozoom');
    expect(body.debug).toBeUndefined();
    expect(headers['x-debug-info']).toBeUndefined();
  });
});

describe('The record of a bid', () => {
  it('contains no conversation text, and neither do the logs', async () => {
    await service.campaign({ targetAudience: { keywords: ['obozoom'] } });
    const secret = 'My name is Rumpelstiltskin.';
    const { body } = await service.bid(await service.key(), `Where do I buy an obozoom? ${secret}`);
    const stored = await service.stack.effects.db.get('bids', { id: body.bidId });
    expect(stored).toMatchObject({ state: 'issued', terms: {}, keywords: [0] });
    expect(JSON.stringify(stored) + service.lines.join()).not.toContain('Rumpelstiltskin');
  });

  it('is at most 1 KB, however long its terms and names are', async () => {
    const keywords = Array.from({ length: 60 }, (_, i) => `${'alto saxophone and clarinet '.repeat(3)}${i}`);
    await service.campaign({ targetAudience: { keywords } }, 'a'.repeat(128));
    const { body } = await service.bid(await service.key(), keywords.join(' and '));
    const stored = await service.stack.effects.db.get('bids', { id: body.bidId });
    expect(Buffer.byteLength(JSON.stringify(stored))).toBeLessThanOrEqual(1024);
  });
});

describe('x-no-bid-reason', () => {
  it('names why there is no bid, by the code that the metrics and the debug information have, also in test mode', async () => {
    await service.campaign({ maxCpb: 2, targetAudience: { keywords: ['tubazoom'] } });
    const cases = [
      [{}, 'Tell me a joke about penguins', 'no_commercial_context: Nothing commercial is being discussed.'],
      [{}, '…', 'no_user_message: No message from the user contains a word.'],
      [{}, 'I want to kill myself. A tubazoom?', 'sensitive_context: The conversation is sensitive, so it gets no ad.'],
      [{ bidFloor: 3 }, 'tubazoom', "below_floor: The bid is below the publisher's floor, or rounds down to 0."],
    ] as const;
    for (const [settings, text, expected] of cases)
      for (const mode of ['live', 'test']) {
        const headers = { 'x-api-key': await service.key({ ...settings, mode }), 'x-debug': 'true' };
        service.measured.length = 0;
        const body = { countryCode: 'US', messages: [{ role: 'user', content: text }] };
        const answer = await service.call('POST', '/api/v1/ssp/bid', { headers, body });
        const { reason } = JSON.parse(answer.headers['x-debug-info']!);
        expect([answer.body, answer.headers['x-no-bid-reason']]).toEqual([null, expected]);
        expect(expected.startsWith(`${reason}: `)).toBe(true);
        if (mode === 'live') expect(service.measured).toContainEqual({ name: `NoBids.${reason}`, value: 1 });
      }
  });

  it('is absent from bids and errors', async () => {
    const key = await service.key();
    const { body, headers } = await service.bid(key, 'tubazoom');
    expect([body.bid, headers['x-no-bid-reason']]).toEqual([2, undefined]);
    const refused = await service.bid(key, 'tubazoom', { countryCode: 'XX' });
    expect([refused.status, refused.headers['x-no-bid-reason']]).toEqual([400, undefined]);
  });

  it('can carry the meaning of every reason, because all are ASCII', () => {
    for (const reason of noBidReasons) expect(OUTCOMES[reason].means, reason).toMatch(/^[ -~]+$/);
  });
});
