import { beforeEach, describe, expect, it } from 'vitest';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { createCaller, createHandlers, type Response } from '../../service.ts';
import { contextMatchRequest, SELLER } from './request.ts';

// @module-tag whole
const service = useServiceInMemory();
beforeEach(() => service.clock.advance(1_000));

const CREATIVE = {
  headline: 'A zither for every hand',
  description: 'Made of spruce and maple.',
  callToAction: 'Choose yours',
  landingUrl: 'https://www.strings.example/zithers',
  imageUrl: 'https://strings.example/z.jpg',
  sponsoredBy: 'Strings',
};

/** A campaign with a topic of its own, a seller's key, and a router's request. */
let count = 0;
async function market({ campaign = {}, key = {} }: { campaign?: object; key?: object } = {}) {
  const word = `zither${'abcdefghijklmnopqrstuvwxyz'[count++ % 26]}${count}`;
  const made = await service.campaign({ targetAudience: { keywords: [word] }, creative: CREATIVE, ...campaign });
  const secret = await service.key({ sellerAgentUrl: SELLER, ...key });
  const signals = { keywords: [word], summary: `Where to buy a ${word}` };
  const ask = (request: object = {}, headers: Record<string, string> = {}): Promise<Response> =>
    service.call('POST', '/api/v1/trusted-match/context', {
      headers: { 'x-api-key': secret, ...headers },
      body: contextMatchRequest(signals, request),
    });
  const packages = async (request?: object) => {
    const { status, body } = await ask(request);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ status: 'completed', type: 'context_match_response', cache_ttl: 0 });
    return body.offers.map(({ package_id }: { package_id: string }) => package_id);
  };
  return { word, signals, campaign: made, key: secret, ask, packages };
}

const get = (url: string, method = 'GET', headers = { 'user-agent': BROWSER }) =>
  service.call(method, url.replace('https://ads.test', ''), { headers });
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const spentOn = async ({ campaign }: { campaign: { id: string } }) =>
  (await service.user()('GET', `/campaigns/${campaign.id}`)).body.spentBudget;

describe('A Context Match request', () => {
  it('gets the best campaign as an offer whose assets include the disclosure', async () => {
    const { campaign, ask } = await market();
    const { status, body } = await ask({
      protocol_version: '1.0',
      adcp_version: '3.1',
      context: { id: 1 },
      ext: { a: 1 },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'completed',
      type: 'context_match_response',
      request_id: 'ctx-1',
      offers: [
        {
          package_id: campaign.id,
          brand: { domain: 'strings.example' },
          price: { amount: 4, currency: 'USD', model: 'cpm' },
          summary: 'A zither for every hand. Made of spruce and maple. Choose yours',
          creative_manifest: {
            format_kind: 'native_in_feed',
            assets: {
              title: { asset_type: 'text', content: 'A zither for every hand' },
              body_text: { asset_type: 'text', content: 'Made of spruce and maple.' },
              cta: { asset_type: 'text', content: 'Choose yours' },
              advertiser_name: { asset_type: 'text', content: 'Strings' },
              sponsored_label: { asset_type: 'text', content: 'Sponsored' },
              display_url: { asset_type: 'text', content: 'strings.example' },
              landing_page_url: {
                asset_type: 'url',
                url: expect.stringMatching(/^https:\/\/ads\.test\/api\/v1\/trusted-match\/click\/[0-9a-f-]{36}$/),
                url_type: 'clickthrough',
              },
              impression_tracker: {
                asset_type: 'pixel_tracker',
                event: 'impression',
                method: 'img',
                url: expect.stringMatching(/^https:\/\/ads\.test\/api\/v1\/openrtb2\/notice\/i[\w-]+$/),
              },
            },
          },
        },
      ],
      cache_ttl: 0,
    });
  });

  it("gets no offer for an unknown seller, another key's seller, or a key without a seller", async () => {
    const { ask, packages, campaign } = await market();
    const other = await market({ key: { sellerAgentUrl: 'https://other.example/' } });
    const unnamed = await market({ key: { sellerAgentUrl: null } });
    for (const url of ['HTTPS://user@Assistant.EXAMPLE.:443/x/../%61gent#top', SELLER])
      expect(await packages({ seller_agent_url: url }), url).toEqual([campaign.id]);
    for (const url of ['https://other.example/', 'http://assistant.example/agent', `${SELLER}/`, `${SELLER}?`])
      expect(await packages({ seller_agent_url: url }), url).toEqual([]);
    expect(await other.packages()).toEqual([]);
    expect(await unnamed.packages()).toEqual([]);
    const { body } = await ask({ seller_agent_url: 'https://unknown.example' }, { 'x-debug': 'true' });
    expect(body.debug.reason).toBe('blocked');
  });

  it("accepts the key's registered seller, stored in canonical form, https only", async () => {
    const publisher = service.user('publisher');
    const { body } = await publisher('POST', '/auth/api-keys', {
      name: 'x',
      sellerAgentUrl: 'HTTPS://me@Bücher.example:443/x/../y#z',
    });
    expect(body.sellerAgentUrl).toBe('https://xn--bcher-kva.example/y');
    const change = (sellerAgentUrl: unknown) => publisher('PATCH', `/auth/api-keys/${body.id}`, { sellerAgentUrl });
    for (const url of ['http://a.example/', 'a.example', '', 7, `https://a.example/${'x'.repeat(2_048)}`]) {
      const { status, body: refused } = await change(url);
      expect([status, refused.details[0].path], String(url)).toEqual([400, 'sellerAgentUrl']);
    }
    expect((await change('https://other.example')).body.sellerAgentUrl).toBe('https://other.example/');
    expect((await change(null)).body.sellerAgentUrl).toBeNull();
  });

  it('is read by summary, keywords, IAB or own topics, and the texts of an artifact', async () => {
    const { word, packages, campaign } = await market();
    const music = await service.campaign({
      targetAudience: { keywords: ['piano lessons'], categories: ['Music'] },
      maxCpb: 3,
    });
    const text = (content: string, more: object = {}) => ({ type: 'text', content, ...more });
    const artifact = (...assets: object[]) => ({ context_signals: undefined, artifact: { assets } });
    for (const request of [
      { context_signals: { summary: `Somebody wants to buy a ${word}` } },
      { context_signals: { keywords: [word] } },
      { context_signals: { topics: [`shopping.${word}`], taxonomy_source: 'own' } },
      artifact(text('Hello'), { type: 'image', url: 'https://x.example/i' }, text(`Where do I buy a ${word}?`)),
      artifact(text(`<p>Where do I <b>buy</b> a <i>${word}</i>?</p>`, { content_format: 'text/html' })),
      { artifact: { assets: [text(`Where do I buy a ${word}?`)] }, context_signals: { summary: 'Old sounds' } },
    ])
      expect(await packages(request), JSON.stringify(request)).toEqual([campaign.id]);
    const lessons = { topics: ['338'], keywords: ['piano lessons'], summary: 'How to choose piano lessons' };
    expect(await packages({ context_signals: lessons })).toEqual([music.id]);
    for (const request of [
      { context_signals: undefined },
      { context_signals: {} },
      { context_signals: { topics: [word] } }, // not an IAB id
      { context_signals: { summary: 'Thank you, that is all.' } },
      artifact(text(`{"${word}": "where to buy"}`, { content_format: 'application/json' })),
      artifact(
        text(`<SCRIPT type="x">ads("Where do I buy a ${word}?")</script ><style>/* buy a ${word} */</style>`, {
          content_format: 'text/html',
        }),
      ),
      artifact(
        text(`<p>Hello</p><!-- Where do I buy a ${word}? --><script>buy("${word}")`, { content_format: 'text/html' }),
      ),
      artifact({ type: 'video', url: 'https://x.example/v', transcript: `Where do I buy a ${word}?` }),
      { context_signals: undefined, artifact_refs: [{ type: 'url', value: `https://x.example/${word}` }] },
    ])
      expect(await packages(request), JSON.stringify(request)).toEqual([]);
  });

  it('gets no offer for other properties, children, sensitive topics, other countries or languages, or blocked campaigns', async () => {
    const { signals, packages, campaign } = await market({
      campaign: {
        targetAudience: {
          keywords: [`zither${'abcdefghijklmnopqrstuvwxyz'[count % 26]}${count + 1}`],
          countries: ['DE'],
        },
      },
    });
    const here = { geo: { country: 'DE', region: 'DE-BE' } };
    const within = (more: object) => ({ ...here, context_signals: { ...signals, ...more } });
    for (const request of [
      here,
      within({ language: 'en', content_policies: ['csbs'], sentiment: 'positive' }),
      { ...here, package_ids: ['cmp_0', campaign.id] },
    ])
      expect(await packages(request), JSON.stringify(request)).toEqual([campaign.id]);
    for (const request of [
      {},
      { geo: { country: 'FR' } },
      { ...here, property_type: 'website' },
      { ...here, package_ids: ['cmp_0'] },
      within({ language: 'de' }),
      within({ topics: ['v9i3On'] }),
      within({ content_policies: ['us_coppa_data_collection'] }),
    ])
      expect(await packages(request), JSON.stringify(request)).toEqual([]);
    const blocking = await market({ key: { blockedDomains: ['strings.example'] } });
    expect(await blocking.packages()).toEqual([]);
    const dear = await market({ key: { bidFloor: 5 } });
    expect(await dear.packages()).toEqual([]);
  });

  it("is rejected in the protocol's error shape, with the path and message of each fault", async () => {
    const { ask } = await market();
    const faults = async (request: object) => {
      const { status, body } = await ask(request);
      expect([status, body.type, body.request_id, body.code]).toEqual([400, 'error', 'ctx-1', 'invalid_request']);
      return body.details.map(({ path }: { path: string }) => path);
    };
    expect(await faults({ type: 'identity_match_request' })).toEqual(['type']);
    expect(await faults({ property_rid: 'x', property_type: 'car', placement_id: 7 })).toEqual([
      'property_rid',
      'property_type',
      'placement_id',
    ]);
    for (const url of ['assistant', 'https:///p', 'ftp://a.example/', 'https://[fe80::1%25eth0]/'])
      expect(await faults({ seller_agent_url: url }), url).toEqual(['seller_agent_url']);
    expect(await faults({ adcp_version: '4.0' })).toEqual(['adcp_version']);
    expect(await faults({ package_ids: [] })).toEqual(['package_ids']);
    expect(await faults({ context_signals: { keywords: Array(51).fill('x'), summary: 'x'.repeat(501) } })).toEqual([
      'context_signals.keywords',
      'context_signals.summary',
    ]);
    const bare = await service.call('POST', '/api/v1/trusted-match/context', {
      body: {},
      headers: { 'x-api-key': '' },
    });
    expect([bare.status, bare.body.type, bare.headers['www-authenticate']]).toEqual([
      401,
      'error',
      expect.stringMatching(/^ApiKey /),
    ]);
    service.clock.advance(1_000);
    const values = { most: 200, ends: service.clock.now() + 1_000 };
    const { id } = (await service.user('publisher')('GET', '/auth/api-keys')).body.at(-1);
    const update = 'SET #exchangeCount = :most, #exchangeEndsAt = :ends';
    await service.stack.effects.db.write({ table: 'api-keys', key: { id }, update, values });
    const full = await ask();
    expect([full.status, full.body, full.headers['retry-after']]).toEqual([
      200,
      { type: 'error', request_id: 'ctx-1', code: 'rate_limited', message: expect.any(String) },
      '1',
    ]);
  });

  it('finds the provider ready at its health path', async () => {
    const { status, body } = await service.call('GET', '/api/v1/trusted-match/health');
    expect([status, body]).toEqual([200, { status: 'ok' }]);
  });

  it('causes no fetch of its URLs', async () => {
    const { ask, word } = await market();
    const url = 'https://private.test/never';
    const fetched: unknown[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (input) => {
      fetched.push(input);
      return Promise.reject(new Error('fetched'));
    };
    try {
      const asset = { type: 'text', content: `Where do I buy a ${word}?`, url };
      const { body } = await ask({
        artifact_refs: [{ type: 'url', value: url }],
        artifact: { url, assets: [asset, { type: 'image', url }], metadata: { canonical: url } },
      });
      expect([body.offers.length, fetched]).toEqual([1, []]);
    } finally {
      globalThis.fetch = fetch;
    }
  });
});

describe('An offer', () => {
  const getAssets = async ({ ask }: Awaited<ReturnType<typeof market>>) => {
    const { landing_page_url, impression_tracker } = (await ask()).body.offers[0].creative_manifest.assets;
    return { click: landing_page_url.url as string, pixel: impression_tracker.url as string };
  };

  it('is charged once by its first impression, whatever is repeated, concurrent, or clicked', async () => {
    const shop = await market();
    const { click, pixel } = await getAssets(shop);
    expect(await spentOn(shop)).toBe(0);
    const responses = await Promise.all([get(pixel), get(click), get(pixel), get(click)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 204, 302, 302]);
    expect(await spentOn(shop)).toBe(0.004);
  });

  it('is charged by its first valid click within a day if no impression was reported', async () => {
    const shop = await market();
    const { click, pixel } = await getAssets(shop);
    expect((await get(click, 'HEAD')).status).toBe(302);
    expect(await spentOn(shop)).toBe(0);
    service.clock.advance(86_399_000);
    const { status, headers } = await get(click);
    expect([status, headers.location]).toEqual([
      302,
      expect.stringMatching(/^https:\/\/www\.strings\.example\/zithers\?click_id=/),
    ]);
    expect(await spentOn(shop)).toBe(0.004);
    expect((await get(pixel)).status).toBe(204);
    expect(await spentOn(shop)).toBe(0.004);
    const late = await getAssets(shop);
    service.clock.advance(86_400_000);
    expect([(await get(late.pixel)).status, (await get(late.click)).status]).toEqual([404, 302]);
    expect(await spentOn(shop)).toBe(0.004);
  });

  it("is neither charged nor counted for a crawler, a prefetch, or a click at another API's path", async () => {
    const shop = await market();
    const { click, pixel } = await getAssets(shop);
    const id = click.split('/').at(-1)!;
    const before = await service.stack.effects.db.get('bids', { id });
    for (const headers of [
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
      { 'user-agent': BROWSER, 'sec-purpose': 'prefetch;prerender' },
    ])
      expect((await get(pixel, 'GET', headers)).status).toBe(204);
    expect((await get(`/api/v1/click/${id}`)).status).toBe(404);
    expect(await service.stack.effects.db.get('bids', { id })).toEqual(before);
    expect((await get(pixel)).status).toBe(204);
    expect(await spentOn(shop)).toBe(0.004);
    expect((await get(`/api/v1/click/${id}`)).status).toBe(404);
  });

  it('redirects while the ledger cannot be written, and the next click charges it', async () => {
    const shop = await market();
    const { click } = await getAssets(shop);
    const { effects } = service.stack;
    const transact = () => Promise.reject(new Unavailable('too slow', { cause: 'test' }));
    const troubled = createCaller(() => handlers);
    const handlers = await createHandlers({ ...effects, db: { ...effects.db, transact } });
    const path = click.replace('https://ads.test', '');
    const { status, headers } = await troubled('GET', path, { headers: { 'user-agent': BROWSER } });
    expect([status, headers.location]).toEqual([302, expect.stringMatching(/^https:\/\/www\.strings\.example/)]);
    expect(await spentOn(shop)).toBe(0);
    expect((await get(click)).status).toBe(302);
    expect(await spentOn(shop)).toBe(0.004);
  });

  it('stores nothing about the conversation or the user who clicks', async () => {
    const shop = await market();
    const { click } = await getAssets(shop);
    const before = service.lines.length;
    await get(click);
    const id = click.split('/').at(-1)!;
    const stored = await service.stack.effects.db.get('bids', { id });
    expect(stored).toMatchObject({ terms: {}, optOut: true, click: { userAgent: '', ip: '' } });
    expect(stored).not.toHaveProperty('keywords');
    expect(stored).not.toHaveProperty('topic');
    for (const kept of [JSON.stringify(stored), service.lines.slice(before).join()]) {
      expect(kept).not.toContain(shop.word);
      expect(kept).not.toContain('Firefox');
    }
  });

  it('of OpenRTB is not charged at the Trusted Match click path', async () => {
    const shop = await market();
    const { body } = await service.call('POST', '/api/v1/openrtb2/bid', {
      headers: { 'x-api-key': shop.key },
      body: {
        id: '1',
        imp: [{ id: '1', native: { request: '{"assets":[{"id":1,"title":{"len":90}}]}' } }],
        site: { content: { title: shop.signals.summary } },
      },
    });
    const [bid] = body.seatbid[0].bid;
    expect((await get(`/api/v1/trusted-match/click/${bid.id}`)).status).toBe(302);
    expect(await spentOn(shop)).toBe(0);
    expect((await get(`/api/v1/trusted-match/click/nothing`)).status).toBe(404);
  });
});
