import { describe, expect, it } from 'vitest';
import { withClickId } from '../../../shared/ads/bids/bid.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';

// @module-tag whole
const service = useServiceInMemory();

const BROWSER =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15';

const lastClick = () => JSON.parse(service.lines.findLast((text) => text.includes('"message":"click"'))!);

async function served(word: string, landingUrl = 'https://shoes.example/buy?ref=ads#sizes') {
  const key = await service.key();
  const campaign = await service.campaign({
    targetAudience: { keywords: [word] },
    creative: { headline: 'Hi', landingUrl },
  });
  const { bidId } = (await service.bid(key, word)).body;
  const path = new URL((await service.ad(key, bidId)).body.redirectUrl).pathname;
  const visit = (method = 'GET', headers: Record<string, string> = { 'user-agent': BROWSER }) =>
    service.call(method, path, { headers });
  const clicks = async () => {
    await service.stack.drain();
    return (await service.user()('GET', `/campaigns/${campaign.id}`)).body.performance;
  };
  const record = () => untyped(service.stack.effects.db).get('bids', { id: bidId });
  /** The click attempts that the ad's operation reports to its key. */
  const getAttempts = async (asking = key) => {
    const headers = { 'x-api-key': asking, 'x-debug': 'true' };
    const { status, body } = await service.call('GET', `/api/v1/ssp/ad/${bidId}`, { headers });
    return { status, clicks: body.debug.clicks };
  };
  return { visit, clicks, record, bidId, getAttempts };
}

describe('GET /click/{trackingId}', () => {
  it('redirects to the landing page with the click id in its query', async () => {
    const { visit, bidId } = await served('rosemaryoom');
    const { status, headers, body } = await visit();
    expect(status).toBe(302);
    expect(headers.location).toBe(`https://shoes.example/buy?ref=ads&click_id=clk_${bidId.replaceAll('-', '')}#sizes`);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toBeUndefined();
  });

  it.each([
    ['one', 'https://shop.example/?click_id=old#sizes', 'https://shop.example/?OURS#sizes'],
    ['one without a value', 'https://shop.example/?a=1&click_id&b=2', 'https://shop.example/?a=1&OURS&b=2'],
    ['several', 'https://shop.example/?click_id=1&a=1&click_id=2&click_id=3', 'https://shop.example/?OURS&a=1'],
    ['an encoded name', 'https://shop.example/?a=%20+%2f&click%5Fid=x', 'https://shop.example/?a=%20+%2f&OURS'],
    ['another case', 'https://shop.example/?CLICK_ID=x&Click_Id=y', 'https://shop.example/?OURS'],
    ['its name in other names', 'https://shop.example/?click_id2=x', 'https://shop.example/?click_id2=x&OURS'],
    ['one after a second ?', 'https://shop.example/??click_id=x', 'https://shop.example/??click_id=x&OURS'],
    ['one in its value', 'https://shop.example/?to=/?click_id=x', 'https://shop.example/?to=/?click_id=x&OURS'],
    ['one in its fragment', 'https://shop.example/#/?click_id=x', 'https://shop.example/?OURS#/?click_id=x'],
    ['none, with an & at the end', 'https://shop.example/?a=1&', 'https://shop.example/?a=1&OURS'],
    ['none, with an empty query', 'https://shop.example/?', 'https://shop.example/?OURS'],
    ['what cannot be decoded', 'https://shop.example/?%E0=1&a', 'https://shop.example/?%E0=1&a&OURS'],
  ])('adds its click id to a landing URL with %s', (_, landingUrl, expected) => {
    expect(withClickId(landingUrl, 'clk_1')).toBe(expected.replace('OURS', 'click_id=clk_1'));
  });

  it('replaces an existing click_id in the landing URL', async () => {
    const { visit, bidId } = await served('thymeoom', 'https://shoes.example/buy?click_id=old&ref=ads&click_id=older');
    const location = (await visit()).headers.location!;
    expect(location).toBe(`https://shoes.example/buy?click_id=clk_${bidId.replaceAll('-', '')}&ref=ads`);
  });

  it('counts the first valid click and redirects repeats without counting', async () => {
    const { visit, clicks, record } = await served('sageoom');
    for (let i = 0; i < 3; i++) expect((await visit()).status).toBe(302);
    expect(await clicks()).toMatchObject({ impressions: 1, clicks: 1, ctr: 1 });
    expect(await record()).toMatchObject({ genuineVisits: 3 });
  });

  it.each([
    ['HEAD', 'head', 'HEAD', { 'user-agent': BROWSER }],
    ['a prefetch', 'prefetch', 'GET', { 'user-agent': BROWSER, 'sec-purpose': 'prefetch;prerender' }],
    ['an old prefetch', 'prefetch', 'GET', { 'user-agent': BROWSER, purpose: 'prefetch' }],
    [
      'a crawler',
      'bot',
      'GET',
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    ],
    [
      'a link preview',
      'bot',
      'GET',
      { 'user-agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)' },
    ],
    ['a chat preview', 'bot', 'GET', { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
  ])('redirects %s, records the reason, and counts nothing', async (what, reason, method, headers) => {
    const { visit, clicks, record } = await served(`dilloom${what.replace(/\W/g, '')}`);
    expect((await visit(method, headers as never)).status).toBe(302);
    expect((await clicks()).clicks).toBe(0);
    expect(await record()).toMatchObject({ [`${reason}Visits`]: 1 });
    expect(
      service.lines.some((line) => line.includes('"counted":false') && line.includes(`"reason":"${reason}"`)),
    ).toBe(true);
    await visit();
    expect((await clicks()).clicks).toBe(1);
  });

  it("shows every click attempt to the ad's own key only, even after the bid has expired", async () => {
    const { visit, getAttempts } = await served('savoryoom');
    expect(await getAttempts()).toEqual({ status: 200, clicks: { valid: 0, repeat: 0, head: 0, prefetch: 0, bot: 0 } });
    const seen = await visit('GET', { 'user-agent': 'Googlebot/2.1', 'x-debug': 'true' });
    expect(seen.status).toBe(302);
    expect(JSON.stringify(seen.headers)).not.toContain('bot');
    await visit('HEAD');
    for (let times = 0; times < 3; times++) await visit();
    await visit('GET', { 'user-agent': BROWSER, purpose: 'prefetch' });
    const clicks = { valid: 1, repeat: 2, head: 1, prefetch: 1, bot: 1 };
    expect(await getAttempts()).toEqual({ status: 200, clicks });
    expect(await getAttempts(await service.key())).toEqual({ status: 404, clicks: undefined });
    service.clock.advance(6 * 60_000);
    expect(await getAttempts()).toEqual({ status: 404, clicks });
  });

  it.each([
    'curl/8.5.0',
    'python-requests/2.31.0',
    'test-agent',
    'PHP/8.2',
    'WordPress/6.4; https://example.org',
    'MyAgent/1.0',
    'MyBackend/2.0 (+https://example.org)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36',
    '',
  ])('counts the click of the ordinary client "%s", which may convert', async (agent) => {
    const { visit, clicks, bidId } = await served(`mintoom${agent.replace(/\W/g, '')}`);
    await visit('GET', { 'user-agent': agent });
    expect((await clicks()).clicks).toBe(1);
    const clickId = `clk_${bidId.replaceAll('-', '')}`;
    const converted = await service.user()('POST', '/conversions', { clickId, conversionType: 'sale' });
    expect(converted.status).toBe(201);
  });

  it('logs the time, client, page, impression, and bid of a click', async () => {
    const { visit, record, bidId } = await served('lovageoom');
    const page = 'https://reader:secret@chat.example:8443/talks/7?q=my+divorce&api_key=ak_live_x#answer';
    await visit('GET', { 'user-agent': BROWSER, referer: page });
    const seen = { userAgent: BROWSER, referrer: 'https://chat.example:8443/talks/7', ip: '203.0.113.0' };
    const { click, campaignId } = (await record())!;
    expect(click).toMatchObject(seen);
    expect(lastClick()).toMatchObject({
      ...seen,
      at: new Date(service.clock.now()).toISOString(),
      campaignId,
      impressionId: `imp_${bidId.replaceAll('-', '')}`,
      bid: 4_000_000,
      auction: { bidId, relevance: expect.any(Number), countryCode: 'US', mode: 'live' },
      counted: true,
      reason: null,
    });
    expect(service.lines.join()).not.toContain('203.0.113.7');
    await visit('GET', { 'user-agent': BROWSER, referer: page });
    expect(lastClick()).toMatchObject({ ...seen, counted: false, reason: 'repeat' });
  });

  it.each([
    ['', ''],
    ['no address', ''],
    ['about:client', ''],
    ['android-app://com.example.chat/', 'android-app://com.example.chat/'],
    ['https://chat.example', 'https://chat.example/'],
    ['https://chat.example/?q=words', 'https://chat.example/'],
    ['https://chat.example/c/ak_live_0123456789abcdef', 'https://chat.example/c/ak_live_****'],
    [`https://chat.example/${'x'.repeat(600)}`, `https://chat.example/${'x'.repeat(491)}`],
  ])('reduces the referrer "%s" to the page "%s"', async (referer, referrer) => {
    const { visit } = await served(`chervil${referer.length}oom`);
    await visit('GET', { 'user-agent': BROWSER, referer });
    expect(lastClick()).toMatchObject({ referrer });
  });

  it('redirects for 89 days, but not after the record has expired', async () => {
    const { visit } = await served('fenneloom');
    service.clock.advance(89 * 24 * 3600 * 1000);
    expect((await visit()).status).toBe(302);
    service.clock.advance(24 * 3600 * 1000 + 1000);
    expect((await visit()).status).toBe(404);
  });

  it('returns 404 for ads that were never served or do not exist', async () => {
    const key = await service.key();
    await service.campaign({ targetAudience: { keywords: ['borageoom'] } });
    const { bidId } = (await service.bid(key, 'borageoom')).body;
    for (const id of [bidId, '00000000-0000-4000-8000-000000000000', 'nonsense', '%2e%2e']) {
      const { status, body } = await service.call('GET', `/api/v1/click/${id}`);
      expect([status, body.error]).toEqual([404, 'Not found']);
    }
    expect((await service.call('GET', `/api/v1/click/${bidId}`)).body).toEqual({
      error: 'Not found',
      message: 'Ad not found',
      statusCode: 404,
    });
  });
});
