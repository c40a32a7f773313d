import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createCaller, createHandlers, runningShoes } from '../../service.ts';
import { createPublisher } from './legacy.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeEach(() => service.clock.advance(MINUTE_MS));

const PATH = '/api/v1/ad-serving/request';
const NO_ADS = {
  error: 'No ads available',
  message: 'No matching ads found for the given context',
  statusCode: 503,
};
const creative = runningShoes().creative;
const IMAGE = { imageUrl: 'https://shoes.example/shoe.png' };
const VIDEO = { videoUrl: 'https://shoes.example/run.mp4', thumbnailUrl: 'https://shoes.example/run.png' };

/** Campaigns with one keyword and different properties, and a publisher who requests their ads. */
async function market(word: string, ...campaigns: Record<string, unknown>[]) {
  const ids: string[] = [];
  for (const { targetAudience = {}, ...campaign } of campaigns) {
    const audience = { keywords: [word], ...(targetAudience as object) };
    ids.push((await service.campaign({ ...campaign, targetAudience: audience })).id);
  }
  const { request } = createPublisher(service, await service.key());
  const ask = async (preferences: object = {}, more: object = {}) => {
    const { status, body } = await request(word, { preferences, ...more });
    return status === 503 ? [] : body.ads.map((ad: { campaignId: string }) => ids.indexOf(ad.campaignId));
  };
  return { ids, ask, request: (more: object = {}, headers = {}) => request(word, more, headers) };
}

describe('POST /ad-serving/request', () => {
  it('returns an ad with our URLs as the contract specifies, and a URL for feedback', async () => {
    const { ids, request } = await market('saffronoom', { creative: { ...creative, ...IMAGE, ...VIDEO } });
    const { status, body } = await request();
    expect(status).toBe(200);
    const [{ id }] = body.ads;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(body).toEqual({
      ads: [
        {
          id,
          campaignId: ids[0],
          type: 'text',
          content: {
            headline: 'Run further',
            description: 'Shoes that last.',
            callToAction: 'Buy now',
            landingUrl: `https://ads.test/api/v1/click/${id}`,
          },
          tracking: {
            impressionUrl: `https://ads.test/api/v1/ad-serving/impression/${id}`,
            clickUrl: `https://ads.test/api/v1/ad-serving/click/${id}`,
            feedbackUrl: expect.stringMatching(
              new RegExp(`^https://ads.test/api/v1/feedback/${id.replaceAll('-', '')}[\\w-]{22}$`),
            ),
          },
          metadata: { relevanceScore: expect.any(Number), bidAmount: 4, category: expect.any(String) },
        },
      ],
      requestId: 'request-1',
      timestamp: new Date(service.clock.now()).toISOString(),
    });
    const { relevanceScore } = body.ads[0].metadata;
    expect(relevanceScore > 0 && relevanceScore <= 1).toBe(true);
  });

  it.each([
    ['image', IMAGE],
    ['video', VIDEO],
  ])('returns an %s only for campaigns that have one, with its URLs', async (adFormat, has) => {
    const lacking = adFormat === 'video' ? { videoUrl: VIDEO.videoUrl } : {};
    const word = `cumin${adFormat}oom`;
    const { ask, request } = await market(
      word,
      { creative: { ...creative, ...lacking }, maxCpb: 9 },
      { creative: { ...creative, ...has } },
    );
    expect(await ask({ adFormat, maxAds: 5 })).toEqual([1]);
    const [ad] = (await request({ preferences: { adFormat } })).body.ads;
    expect(ad).toMatchObject({ type: adFormat, content: { headline: 'Run further', ...has } });
    expect(Object.keys(ad.content).sort()).toEqual(
      ['headline', 'description', 'callToAction', 'landingUrl', ...Object.keys(has)].sort(),
    );
    expect(await ask({ adFormat: 'text', maxAds: 5 })).toEqual([0, 1]);
  });

  it('returns as many ads as requested, the best first, from different campaigns, and fewer if fewer match', async () => {
    const { ask } = await market('turmericoom', ...[3, 7, 5, 1, 2, 4].map((maxCpb) => ({ maxCpb })));
    expect(await ask()).toEqual([1]);
    expect(await ask({ maxAds: 3 })).toEqual([1, 2, 5]);
    expect(await ask({ maxAds: 5 })).toEqual([1, 2, 5, 0, 4]);
    const few = await market('caperoom', {}, { maxCpb: 3 });
    expect(await few.ask({ maxAds: 5 })).toEqual([0, 1]);
  });

  it('alternates between equal campaigns', async () => {
    const { ask } = await market('anisoom', {}, {}, {});
    const turns = [await ask(), await ask(), await ask()].flat();
    expect(turns.sort()).toEqual([0, 1, 2]);
  });

  it("puts preferred categories first and excludes blocked ones, by IAB names and by the campaigns' own", async () => {
    const { ask } = await market(
      'nutmegoom',
      { maxCpb: 9, targetAudience: { categories: ['Alcoholic Beverages'] } },
      { maxCpb: 5, targetAudience: { categories: ['Soccer'] } },
      { maxCpb: 7, targetAudience: { categories: ['Garden gnomes'] } },
    );
    expect(await ask({ maxAds: 5 })).toEqual([0, 2, 1]);
    expect(await ask({ maxAds: 5, categories: ['soccer'] })).toEqual([1, 0, 2]);
    expect(await ask({ categories: ['Sports'] })).toEqual([1]);
    expect(await ask({ maxAds: 5, categories: ['GARDEN GNOMES', 'Soccer'] })).toEqual([2, 1, 0]);
    expect(await ask({ maxAds: 5, excludeCategories: ['Alcoholic Beverages'] })).toEqual([2, 1]);
    expect(await ask({ maxAds: 5, excludeCategories: ['Food & Drink', 'garden gnomes'] })).toEqual([1]);
    expect(await ask({ categories: ['Soccer'], excludeCategories: ['Sports'] })).toEqual([0]);
    expect(await ask({ maxAds: 5, categories: ['__proto__', 'constructor'], excludeCategories: ['toString'] })).toEqual(
      [0, 2, 1],
    );
    expect(await ask({ maxAds: 5, categories: null, excludeCategories: [] })).toEqual([0, 2, 1]);
  });

  it('excludes campaigns for certain countries, because the request has no country', async () => {
    const { ask } = await market('fenugreekoom', { targetAudience: { countries: ['US'] }, maxCpb: 9 }, {});
    expect(await ask({ maxAds: 5 })).toEqual([1]);
  });

  it("excludes bids below the key's floor", async () => {
    const { ids } = await market('juniperoom', { maxCpb: 3 }, { maxCpb: 2.999 });
    const { request } = createPublisher(service, await service.key({ bidFloor: 3 }));
    const { body } = await request('juniperoom', { preferences: { maxAds: 5 } });
    expect(body.ads.map((ad: { campaignId: string }) => ad.campaignId)).toEqual([ids[0]]);
  });

  it("reads the speakers' lines with the current query last, and null as absent", async () => {
    const { request } = createPublisher(service, await service.key());
    await service.campaign({ targetAudience: { keywords: ['tarragonoom'], excludedKeywords: ['marjoram'] } });
    const transcript = 'User: hello\nAssistant: Good morning!\nUser: I want tarragonoom';
    expect((await request(transcript)).status).toBe(200);
    expect((await request('hello', { context: { userQuery: 'Where do I buy tarragonoom?' } })).status).toBe(200);
    expect((await request('User: I want tarragonoom and marjoram')).status).toBe(503);
    const nothing = { placement: null, preferences: null, context: { userQuery: null, metadata: null } };
    expect((await request('tarragonoom', nothing)).status).toBe(200);
  });

  it('returns no ad for a sensitive conversation', async () => {
    const { request } = createPublisher(service, await service.key());
    await service.campaign({ targetAudience: { keywords: ['chervilom'] } });
    expect((await request('I want to kill myself, chervilom')).body).toEqual(NO_ADS);
  });

  it('stores the ad with its creative version and placement, the redacted conversation, and the truncated address', async () => {
    const { request } = await market('sorreloom', {});
    const { body } = await request({
      context: {
        userQuery: 'I want sorreloom. Mail me at jane@example.com',
        metadata: { userAgent: 'Reader/1', sessionId: 'session-1', userId: 'reader-1' },
      },
      placement: { type: 'sidebar', position: 'middle', dimensions: { width: 300, height: 250 } },
    });
    const record = await service.stack.effects.db.get('bids', { id: body.ads[0].id });
    expect(record).toMatchObject({
      state: 'issued',
      creativeVersion: expect.any(String),
      shown: {
        conversation: 'sorreloom',
        userQuery: 'I want sorreloom. Mail me at [redacted]',
        placement: { type: 'sidebar', position: 'middle' },
        userId: 'reader-1',
        sessionId: 'session-1',
        userAgent: 'Reader/1',
        ip: '203.0.113.0',
      },
    });
  });

  it('limits the size of the record for the largest possible request', async () => {
    const wide = '€'.repeat(1_000);
    const link = (name: string) => `https://a.example/${name}${'ü'.repeat(330)}`;
    const { request } = await market('savoryoom', {
      creative: {
        headline: wide.slice(0, 200),
        description: wide,
        callToAction: wide.slice(0, 50),
        ...{ landingUrl: link('l'), imageUrl: link('i'), videoUrl: link('v'), thumbnailUrl: link('t') },
      },
    });
    const { status, body } = await request({
      context: {
        conversation: `savoryoom ${'€ '.repeat(65_000)}`,
        userQuery: 'savoryoom',
        metadata: { userAgent: wide.slice(0, 512), sessionId: wide.slice(0, 128), userId: wide.slice(0, 128) },
      },
      preferences: { maxAds: 5, adFormat: 'video', categories: Array.from({ length: 50 }, () => wide.slice(0, 100)) },
    });
    expect(status).toBe(200);
    const record = await service.stack.effects.db.get('bids', { id: body.ads[0].id });
    expect(Buffer.byteLength(JSON.stringify(record))).toBeLessThan(40_000);
  });
});

describe('A request without a matching ad', () => {
  it('ignores a conversation without a user message', async () => {
    const { request } = createPublisher(service, await service.key());
    await service.campaign({ targetAudience: { keywords: ['angelicoom'] } });
    const { status, body } = await request('Assistant: I recommend angelicoom', {}, { 'x-debug': 'true' });
    expect(status).toBe(503);
    expect(body.debug).toMatchObject({ reason: 'no_user_message', candidates: [] });
    expect((await request('Assistant: I recommend angelicoom\nUser: I want angelicoom')).status).toBe(200);
  });

  it('returns 503 with the message of the contract', async () => {
    const { request } = createPublisher(service, await service.key());
    const { status, body } = await request('zzgrmpf');
    expect([status, body]).toEqual([503, NO_ADS]);
  });

  it('explains the result with X-Debug', async () => {
    const { ids, request } = await market('lovageoom', { maxCpb: 2 });
    const { body } = await request({ preferences: { adFormat: 'image' } }, { 'x-debug': 'true' });
    expect(body).toMatchObject({ ...NO_ADS, debug: { requestId: 'request-1', campaignId: null } });
    expect(body.debug.candidates).toMatchObject([{ campaignId: ids[0], outcome: 'format' }]);
  });

  it.each([
    ['deleted', 'chervilloom', undefined],
    [
      'changed to a creative that fails its review',
      'hyssopoom',
      { review: { field: 'creative.headline', passage: 'Assistant' } },
    ],
    [
      'changed to a creative that leads to another domain',
      'borageseedoom',
      { creative: { landingUrl: 'https://other.example/' } },
    ],
  ])(
    'reports catalog_stale, and no winner, if the winning campaign was %s in the meantime',
    async (_, word, change) => {
      await market(word, {});
      const { db } = service.stack.effects;
      const get = async (table: never, ...key: never[]) => {
        const item = await db.get(table, ...(key as [never]));
        return table !== 'campaigns' ? item : change && { ...(item as object | undefined), ...change };
      };
      const handlers = await createHandlers({ ...service.stack.effects, db: { ...db, get: get as typeof db.get } });
      const { status, body } = await createCaller(() => handlers)('POST', PATH, {
        headers: { 'x-api-key': await service.key(), 'x-debug': 'true' },
        body: { context: { conversation: word } },
      });
      expect(status).toBe(503);
      expect(body).toMatchObject({ ...NO_ADS, debug: { campaignId: null, reason: 'catalog_stale', candidates: [] } });
    },
  );
});

describe('X-Debug', () => {
  it('reports every returned ad as won, including preferred ones', async () => {
    const { ids, request } = await market(
      'borageoom',
      { maxCpb: 9 },
      { maxCpb: 5, targetAudience: { categories: ['Gnomes'] } },
      { maxCpb: 3 },
    );
    const preferences = { maxAds: 2, categories: ['Gnomes'] };
    const { body } = await request({ preferences }, { 'x-debug': 'true' });
    expect(body.ads.map((ad: { campaignId: string }) => ad.campaignId)).toEqual([ids[1], ids[0]]);
    expect(body.debug.campaignId).toBe(ids[1]);
    const outcomes = body.debug.candidates.map((one: { outcome: string }) => one.outcome);
    expect(outcomes).toEqual(['won', 'won', 'lower_rank']);
  });
});

describe('An invalid request', () => {
  const refused = async (body: unknown) => {
    const key = await service.key();
    const { status, body: answer } = await service.call('POST', PATH, { headers: { 'x-api-key': key }, body });
    expect([status, answer.error]).toEqual([400, 'Invalid request']);
    return answer.message;
  };

  it.each([
    {},
    { context: null },
    { context: {} },
    { context: { conversation: null } },
    { context: { conversation: '' } },
    { context: { conversation: ' \n\t\u3000' } },
    ...['\u200b', '\u00ad', '\u2800', '\u3164', '\ufeff\n\u200e', '\0'].map((conversation) => ({
      context: { conversation },
    })),
    { context: { conversation: ' ', userQuery: 'running shoes' } },
    { context: { userQuery: 'x' }, preferences: { maxAds: 9 } },
  ])('is rejected for its missing conversation first: %j', async (body) => {
    expect(await refused(body)).toBe('Context conversation is required');
  });

  const LIST = 'must be a list of at most 50 entries of 1 to 100 characters each';
  it.each<[string, object, string]>([
    ['conversation', { context: { conversation: 7 } }, 'conversation must be a string'],
    [
      'conversation',
      { context: { conversation: 'x'.repeat(131_073) } },
      'conversation must have at most 131,072 characters',
    ],
    ['conversation', { context: { conversation: '\ud800' } }, 'conversation must be well-formed Unicode'],
    ['context', { context: 'x' }, 'context must be an object'],
    [
      'userQuery',
      { context: { conversation: 'x', userQuery: 'x'.repeat(32_769) } },
      'userQuery must be text of at most 32,768 characters',
    ],
    [
      'userId',
      { context: { conversation: 'x', metadata: { userId: 'x'.repeat(129) } } },
      'userId must be text of at most 128 characters',
    ],
    ['metadata', { context: { conversation: 'x', metadata: [] } }, 'metadata must be an object'],
    ['placement', { placement: { type: 'popup' } }, 'placement type must be one of inline, sidebar, overlay'],
    [
      'position',
      { placement: { position: 'top' } },
      'placement position must be one of before_response, after_response, middle',
    ],
    ['width', { placement: { dimensions: { width: -1 } } }, 'width must be at least 0'],
    ['height', { placement: { dimensions: { height: '250' } } }, 'height must be a number'],
    ['adFormat', { preferences: { adFormat: 'native' } }, 'adFormat must be one of text, image, video'],
    ...[0, 6, 1.5, '2'].map((maxAds): [string, object, string] => [
      'maxAds',
      { preferences: { maxAds } },
      'maxAds must be a whole number from 1 to 5',
    ]),
    ...[['x'.repeat(101)], [''], 'Sports', Array.from({ length: 51 }, () => 'x')].map(
      (categories): [string, object, string] => ['categories', { preferences: { categories } }, `categories ${LIST}`],
    ),
    ['excludeCategories', { preferences: { excludeCategories: [7] } }, `excludeCategories ${LIST}`],
  ])('is rejected with the rule of %s', async (_, body, rule) => {
    expect(await refused({ context: { conversation: 'x' }, ...body })).toBe(rule);
  });
});

describe('The API key', () => {
  const ask = (headers: Record<string, string>, query = '') =>
    service.call('POST', PATH, { headers, query, body: { context: { conversation: 'zzgrmpf' } } });

  it('is accepted in any one of three places', async () => {
    const key = await service.key();
    const accepted = [
      await ask({ authorization: `Bearer ${key}` }),
      await ask({ authorization: `bearer  ${key}` }),
      await ask({ 'X-API-Key': key }),
      await ask({}, `api_key=${key}`),
      await ask({ authorization: 'Basic dXNlcjpwYXNz', 'x-api-key': key }),
      await ask({ authorization: 'Bearer of-the-proxy' }, `x=1&api_key=${key}`),
      await ask({ 'x-api-key': '' }, `api_key=${key}`),
    ];
    expect(accepted.map(({ status }) => status)).toEqual(accepted.map(() => 503));
  });

  it('is rejected if it is missing, malformed, unknown, or elsewhere in the request', async () => {
    const key = await service.key();
    const other = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
    const refused = [
      await ask({}),
      await ask({ authorization: key }),
      await ask({ authorization: `Basic ${key}` }),
      await ask({ authorization: `Bearer ${key} ${key}` }),
      await ask({ authorization: 'Bearer ' }),
      await ask({ 'x-user-id': 'publisher', 'api-key': key }),
      await ask({ 'x-api-key': ` ${key}` }),
      await ask({ 'x-api-key': `${key},${key}` }),
      await ask({}, `apiKey=${key}`),
      await ask({}, `API_KEY=${key}`),
      ...[other, 'garbage', '__proto__'].map((bad) => ask({ authorization: `Bearer ${bad}` })),
      ask({}, `api_key=${other}`),
    ];
    for (const { status, body, headers } of await Promise.all(refused)) {
      const { details, ...words } = body;
      expect([status, words]).toEqual([401, { error: 'Unauthorized', message: 'Invalid API key', statusCode: 401 }]);
      if (details) expect(details[0].message).toMatch(/Bearer.*x-api-key.*api_key/);
      expect(headers).toMatchObject({ deprecation: '@1767225600', 'ratelimit-limit': '1000' });
    }
  });

  it('counts the requests of all three operations', async () => {
    const user = service.user('counts');
    const { key, id } = (await user('POST', '/auth/api-keys', { name: 'Counted' })).body;
    const { request, impression, click } = createPublisher(service, key);
    await request('zzgrmpf');
    await impression('x');
    await click('x');
    const [record] = (await user('GET', '/auth/api-keys')).body;
    expect(record).toMatchObject({ id, requestCount: 3, lastUsedAt: new Date(service.clock.now()).toISOString() });
  });
});

describe('Deprecation', () => {
  it('is announced on every response of the legacy API', async () => {
    const key = await service.key();
    const headers = { 'x-api-key': key };
    const ad = '/api/v1/ad-serving/click/x';
    const calls = [
      await service.call('POST', PATH, { headers, body: { context: { conversation: 'hello' } } }),
      await service.call('POST', PATH, { headers, body: {} }),
      await service.call('POST', PATH, { headers: { ...headers, 'content-type': 'application/json' }, body: '{' }),
      await service.call('POST', PATH, { headers, body: 'x'.repeat(2 ** 20 + 1) }),
      await service.call('POST', PATH, { headers: { ...headers, 'content-type': 'text/plain' }, body: 'x' }),
      await service.call('POST', PATH, { body: {} }),
      await service.call('GET', PATH),
      await service.call('GET', ad, { headers }),
      await service.call('GET', ad.replace('click', 'impression'), { headers }),
      await service.call('POST', ad, { headers }),
      await service.call('GET', '/api/v1/ad-serving/unknown', { headers }),
    ];
    expect(calls.map(({ status }) => status)).toEqual([503, 400, 400, 413, 415, 401, 405, 404, 404, 405, 404]);
    for (const response of calls) {
      expect(response.headers).toMatchObject({
        deprecation: '@1767225600', // RFC 9745: a structured-field date, here 2026-01-01
        link: '<https://ads.test/api/v1/ssp/bid>; rel="successor-version"',
      });
    }
    const modern = await service.bid(key);
    expect(modern.headers).not.toHaveProperty('deprecation');
  });
});
