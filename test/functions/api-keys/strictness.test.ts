import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Bid } from '../../../shared/ads/bids/bid.ts';
import { RELEVANCE_MODEL } from '../../../shared/matching/index.ts';
import { MINUTE_MS } from '../../../shared/platform/clock.ts';
import { toKeyCounts } from '../../../shared/webhooks/events/facts.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { MORNING, type Response } from '../../service.ts';
import { createPublisher } from '../legacy/legacy.ts';
import { imp, toExt } from '../openrtb2/exchange.ts';
import { contextMatchRequest, SELLER } from '../trusted-match/request.ts';

// @module-tag whole
const service = useServiceInMemory();
const WORD = 'serpentophone';
const CLEAR = `Where do I buy a ${WORD}?`;
/** Mentions the campaign's keyword too long ago to bid at the balanced threshold. */
const WEAK = [`I once heard a ${WORD}.`, 'Thanks. Tell me about whales and rivers.', 'Where do whales sleep?'].map(
  (content) => ({ role: 'user', content }),
);
const TODAY = '2026-11-20';

const KEYS = '/auth/api-keys';
const publisher = (method: string, path: string, body?: unknown) => service.user('publisher')(method, path, body);
const create = async (body: object = {}) =>
  (await publisher('POST', KEYS, { name: 'Choosy', sellerAgentUrl: SELLER, ...body })).body;
const send = (path: string, key: string, body: object) =>
  service.call('POST', `/api/v1${path}`, { headers: { 'x-api-key': key, 'x-debug': 'true' }, body });
const getDebug = ({ body, headers }: Response) => body?.debug ?? JSON.parse(headers['x-debug-info'] ?? '{}');

const before = { ...RELEVANCE_MODEL.thresholds };
// Fixed, because the learned thresholds change with the model. No relevance reaches 1.
beforeAll(() => void Object.assign(RELEVANCE_MODEL.thresholds, { strict: 1, balanced: 0.5, open: 0.05 }));
afterAll(() => void Object.assign(RELEVANCE_MODEL.thresholds, before));
beforeAll(() => service.campaign({ targetAudience: { keywords: [WORD] } }));
beforeEach(() => service.clock.set(MORNING));

describe('adStrictness', () => {
  it('is balanced unless it is set, and null restores that', async () => {
    const { id, adStrictness } = await create();
    expect(adStrictness).toBe('balanced');
    const change = async (value: unknown) => (await publisher('PATCH', `${KEYS}/${id}`, { adStrictness: value })).body;
    const stored = () => service.stack.effects.db.get('key-settings', { id });
    expect((await change('open')).adStrictness).toBe('open');
    expect(await stored()).toMatchObject({ adStrictness: 'open' });
    expect((await change(null)).adStrictness).toBe('balanced');
    expect(await stored()).not.toHaveProperty('adStrictness');
    expect((await change('lenient')).details).toEqual([
      { path: 'adStrictness', message: 'adStrictness must be strict, balanced, or open' },
    ]);
    expect((await create({ adStrictness: 'strict' })).adStrictness).toBe('strict');
  });

  it.each<[string, (key: string) => Promise<Response>, (response: Response) => unknown]>([
    [
      'the SSP API',
      (key) => send('/ssp/bid', key, { countryCode: 'US', messages: [{ role: 'user', content: CLEAR }] }),
      ({ body }) => body?.bid !== undefined,
    ],
    [
      'the legacy API',
      (key) => createPublisher(service, key).request(CLEAR, {}, { 'x-debug': 'true' }),
      ({ status }) => status === 200,
    ],
    [
      'OpenRTB',
      (key) => send('/openrtb2/bid', key, { id: 'r1', imp: [imp()], ext: toExt(CLEAR) }),
      ({ status }) => status === 200,
    ],
    [
      'Trusted Match',
      (key) =>
        send(
          '/trusted-match/context',
          key,
          contextMatchRequest({ keywords: [WORD], summary: `Where to buy a ${WORD}` }),
        ),
      ({ body }) => body.offers.length > 0,
    ],
  ])('decides in %s whether the best campaign bids, and X-Debug names the threshold', async (_, ask, isFilled) => {
    for (const [adStrictness, threshold, filled] of [
      ['strict', 1, false],
      ['balanced', 0.5, true],
      ['open', 0.05, true],
    ] as const) {
      const response = await ask((await create({ adStrictness })).key);
      expect(isFilled(response), adStrictness).toBe(filled);
      const debug = getDebug(response);
      const auction = debug.imps?.[0] ?? debug;
      expect(auction).toMatchObject({ adStrictness, threshold });
      if (!filled)
        expect([auction.reason, auction.candidates[0].outcome]).toEqual(['below_threshold', 'below_threshold']);
    }
  });

  it('lets an open key show an ad that a balanced one does not', async () => {
    const ask = async (adStrictness: string) => {
      const { key } = await create({ adStrictness });
      return (await send('/ssp/bid', key, { countryCode: 'US', messages: WEAK })).body?.bid ?? null;
    };
    expect([await ask('balanced'), await ask('open')]).toEqual([null, 4]);
  });
});

describe('The report of a key', () => {
  /** What each level would have filled, after one request, and another a minute later with which the instance writes its counts. */
  async function getFills(key: object, messages: object[]) {
    const { id, key: secret } = await create(key);
    await send('/ssp/bid', secret, { countryCode: 'US', messages });
    service.clock.advance(MINUTE_MS);
    await send('/ssp/bid', secret, { countryCode: 'US', messages: [{ role: 'user', content: '?' }] });
    await service.stack.drain();
    const { body } = await service.call('GET', `/api/v1${KEYS}/${id}/report`, {
      query: `from=${TODAY}&to=${TODAY}`,
      headers: { 'x-user-id': 'publisher' },
    });
    expect(body[0].requests).toBe(2);
    return body[0].approximateFills;
  }
  const clear = [{ role: 'user', content: CLEAR }];

  it('counts what each level would have filled, with and without a bid', async () => {
    expect(await getFills({ adStrictness: 'strict' }, clear)).toEqual({ strict: 0, balanced: 1, open: 1 });
    expect(await getFills({ adStrictness: 'balanced' }, clear)).toEqual({ strict: 0, balanced: 1, open: 1 });
    expect(await getFills({ adStrictness: 'open' }, clear)).toEqual({ strict: 0, balanced: 1, open: 1 });
    for (const adStrictness of ['strict', 'balanced', 'open'])
      expect(await getFills({ adStrictness }, WEAK)).toEqual({ strict: 0, balanced: 0, open: 1 });
  });

  it('has null for a day whose bids the previous version counted', async () => {
    const { id } = await create();
    const row = { keyId: id, day: TODAY, ttl: 2_000_000_000, requests: 9, bids: 4 };
    await service.stack.effects.db.write({ table: 'key-days', put: row });
    const query = `from=${TODAY}&to=${TODAY}`;
    const headers = { 'x-user-id': 'publisher' };
    const { body } = await service.call('GET', `/api/v1${KEYS}/${id}/report`, { query, headers });
    expect(body).toMatchObject([{ bids: 4, approximateFills: null }]);
  });

  it('counts a bid that the previous version stored as balanced, because it reached that threshold', async () => {
    const { key } = await create({ adStrictness: 'open' });
    const { bidId } = (await send('/ssp/bid', key, { countryCode: 'US', messages: WEAK })).body;
    const { level, ...stored } = (await service.stack.effects.db.get('bids', { id: bidId }))!;
    expect(level).toBe('open');
    const getCounts = (bid: Bid) => toKeyCounts(undefined, bid, 7_000).map(({ counts }) => counts);
    expect(getCounts({ ...stored, level } as Bid)).toEqual([{ bids: 1, fill_open: 1 }]);
    expect(getCounts(stored as Bid)).toEqual([{ bids: 1, fill_balanced: 1 }]);
  });

  it('counts a request at no level if its best campaign could not bid, or if none was matched', async () => {
    const none = { strict: 0, balanced: 0, open: 0 };
    expect(await getFills({ adStrictness: 'strict', bidFloor: 9 }, clear)).toEqual(none);
    expect(await getFills({ adStrictness: 'strict' }, [{ role: 'assistant', content: CLEAR }])).toEqual(none);
  });
});
