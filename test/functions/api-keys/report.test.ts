import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../../shared/platform/clock.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { createCaller, createHandlers, MORNING } from '../../service.ts';
import { createPublisher } from '../legacy/legacy.ts';

// @module-tag whole
const service = useServiceInMemory({ PUBLISHER_SHARE: '0.7' });
const TODAY = '2026-11-20';
const WORD = 'theorbo';
const NOTHING = {
  requests: 0,
  bids: 0,
  fillRate: null,
  impressions: 0,
  clicks: 0,
  notRelevant: 0,
  viewableImpressions: 0,
  suspectClicks: { tooFast: 0, tooMany: 0 },
  earnings: 0,
  approximateNoBids: {},
  approximateFills: { strict: 0, balanced: 0, open: 0 },
};

const user = (name = 'publisher') => service.user(name);
const create = async (body: object = {}) =>
  (await user()('POST', '/auth/api-keys', { name: 'Reported', ...body })).body;
const getReport = (id: string, query = '', headers: Record<string, string> = {}) =>
  service.call('GET', `/api/v1/auth/api-keys/${id}/report`, {
    query,
    headers: { 'x-user-id': 'publisher', ...headers },
  });
/** The report of the last days. Runs all streams first. */
async function getDays(id: string, count = 1) {
  await service.stack.drain();
  return (await getReport(id)).body.slice(-count);
}
const bid = async (key: string, text = `Where is a good ${WORD}?`) => (await service.bid(key, text)).body;
const click = (bidId: string) => service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'curl/8' } });

/** An exchange request with this many impressions in a matching conversation. Only one of them can be filled. */
const offer = (key: string, impressions: number, more: object = {}) =>
  service.call('POST', '/api/v1/openrtb2/bid', {
    headers: { 'x-api-key': key },
    body: {
      id: 'r1',
      imp: Array.from({ length: impressions }, (_, at) => ({
        id: String(at),
        native: { request: JSON.stringify({ ver: '1.2', assets: [{ id: 1, title: { len: 90 } }] }) },
      })),
      ext: { conversation: { messages: [{ role: 'user', content: `Where is a good ${WORD}?` }] } },
      ...more,
    },
  });
const tell = (url: string) => service.call('GET', new URL(url).pathname, { query: 'price=4' });

beforeEach(() => service.clock.set(MORNING));
beforeAll(() => service.campaign({ maxCpb: 4.321, targetAudience: { keywords: [WORD] } }));

describe('GET /auth/api-keys/{id}/report', () => {
  it('sums the requests of all three APIs to the micro-dollar, without test mode', async () => {
    const { id, key } = await create();
    const bids = [await bid(key), await bid(key), await bid(key), await bid(key, 'Tell me a joke about penguins')];
    expect(bids.map((one) => one !== null)).toEqual([true, true, true, false]);
    for (const { bidId } of bids.slice(0, 2)) expect((await service.ad(key, bidId)).status).toBe(200);
    for (let times = 0; times < 2; times++) await click(bids[0].bidId);

    const [offered] = (await offer(key, 3)).body.seatbid[0].bid;
    for (let times = 0; times < 2; times++) await tell(offered.burl);
    await click(offered.id);

    const legacy = createPublisher(service, key);
    const { ads } = (await legacy.request(`A good ${WORD}`, { preferences: { maxAds: 5 } })).body;
    expect(ads).toHaveLength(1);
    await legacy.click(ads[0].id);
    await legacy.impression(ads[0].id);

    const [tried] = (await offer(key, 2, { test: 1 })).body.seatbid[0].bid;
    await tell(tried.burl);
    await click(tried.id);

    const [day] = await getDays(id);
    // 70 % of three impressions at 4,321 micro-dollars and of one that cleared at 4,000: 11,874.1.
    const expected = {
      requests: 4 + 3 + 5,
      bids: 5,
      fillRate: 0.4167,
      impressions: 4,
      clicks: 3,
      notRelevant: 0,
      viewableImpressions: 0,
      suspectClicks: { tooFast: 2, tooMany: 0 },
      earnings: 0.011874,
    };
    const approximateFills = { strict: 5, balanced: 5, open: 5 };
    expect(day).toEqual({ date: TODAY, ...expected, approximateNoBids: {}, approximateFills });

    const test = await create({ mode: 'test' });
    const { bidId } = await bid(test.key);
    await service.ad(test.key, bidId);
    await click(bidId);
    await bid(test.key, 'Tell me a joke about penguins');
    expect(await getDays(test.id)).toEqual([{ date: TODAY, ...NOTHING }]);
  });

  it('counts each request on its own day when several instances start the next day at once', async () => {
    const { id, key } = await create();
    await bid(key);
    await untyped(service.stack.effects.db).write({
      table: 'api-keys',
      key: { id },
      update: 'SET #requestCount = :none REMOVE #day, #dayRequests', // as the previous version stored it
      values: { none: 0 },
    });
    await bid(key);
    await bid(key);
    const instances = await Promise.all([1, 2, 3].map(() => createHandlers(service.stack.effects)));
    const apis = [
      (call: ReturnType<typeof createCaller>) =>
        call('POST', '/api/v1/ssp/bid', {
          headers: { 'x-api-key': key },
          body: { countryCode: 'US', messages: [{ role: 'user', content: WORD }] },
        }),
      (call: ReturnType<typeof createCaller>) =>
        call('POST', '/api/v1/openrtb2/bid', {
          headers: { 'x-api-key': key },
          body: { id: '1', imp: [{ id: '1' }, { id: '2' }] },
        }),
      (call: ReturnType<typeof createCaller>) =>
        call('POST', '/api/v1/ad-serving/request', {
          headers: { 'x-api-key': key },
          body: { context: { conversation: WORD } },
        }),
    ];
    service.clock.advance(DAY_MS);
    const sent = instances.flatMap((handlers) => apis.map((send) => send(createCaller(() => handlers))));
    expect((await Promise.all(sent)).map(({ status }) => status).filter((status) => status >= 400)).toEqual([]);
    expect((await getDays(id, 2)).map(({ requests }: { requests: number }) => requests)).toEqual([2, 3 * 4]);
    service.clock.advance(2 * DAY_MS);
    await bid(key);
    expect((await getDays(id, 4)).map(({ requests }: { requests: number }) => requests)).toEqual([2, 12, 0, 1]);
  });

  it('continues after a rotation and ends with the deletion of the key', async () => {
    const { id, key } = await create();
    await bid(key);
    const rotated = (await user()('POST', `/auth/api-keys/${id}/rotate`)).body.key;
    await service.ad(rotated, (await bid(rotated)).bidId);
    expect(await getDays(id)).toMatchObject([{ requests: 2, bids: 2, impressions: 1, earnings: 0.003024 }]);
    expect((await user('stranger')('GET', `/auth/api-keys/${id}/report`)).body).toEqual({
      error: 'Not found',
      message: 'API key not found',
      statusCode: 404,
    });
    await user()('DELETE', `/auth/api-keys/${id}`);
    expect((await getReport(id)).status).toBe(404);
  });

  it('returns CSV with a column for each no-bid reason and each level of strictness, and rejects invalid days', async () => {
    const { id, key } = await create();
    await service.ad(key, (await bid(key)).bidId);
    await service.stack.drain();
    const { status, headers, body } = await getReport(id, 'from=2026-11-19&to=2026-11-20', { accept: 'text/csv' });
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const [names, before, today, end] = String(body).split('\r\n');
    expect(names).toMatch(
      /^date,requests,bids,fillRate,impressions,clicks,earnings,approximateNoBids\.sensitive_context,.*,approximateNoBids\.catalog_stale,approximateFills\.strict,approximateFills\.balanced,approximateFills\.open,notRelevant,viewableImpressions,suspectClicks\.tooFast,suspectClicks\.tooMany$/,
    );
    expect(before).toMatch(/^2026-11-19,0,0,,0,0,0(,0)+$/);
    expect(today).toMatch(/^2026-11-20,1,1,1,1,0,0\.003024(,0)+,1,1,1,0,0,0,0$/);
    expect([before!.split(',').length, end]).toEqual([names!.split(',').length, '']);
    for (const [query, path] of [
      ['from=yesterday', 'from'],
      ['from=2026-11-02&to=2026-11-01', 'to'],
    ]) {
      const refused = await getReport(id, query);
      expect(refused.body).toMatchObject({ error: 'Validation failed', statusCode: 400, details: [{ path }] });
    }
  });

  it('adds the summed figures to each listed key on request', async () => {
    const [busy, idle] = [await create({ name: 'Busy' }), await create({ name: 'Idle' })];
    for (const isFirst of [true, false]) {
      if (!isFirst) service.clock.advance(3 * DAY_MS);
      const made = await bid(busy.key);
      await service.ad(busy.key, made.bidId);
      if (isFirst) await click(made.bidId);
      await bid(busy.key, 'Tell me a joke about penguins');
    }
    await service.stack.drain();
    const list = async (query = '') =>
      service.call('GET', '/api/v1/auth/api-keys', { query, headers: { 'x-user-id': 'publisher' } });
    const getFigures = async (query: string) => {
      const { body } = await list(query);
      const of = new Map(body.map(({ id, figures }: { id: string; figures?: object }) => [id, figures]));
      return [of.get(busy.id), of.get(idle.id)];
    };
    const both = {
      requests: 4,
      bids: 2,
      fillRate: 0.5,
      impressions: 2,
      clicks: 1,
      notRelevant: 0,
      viewableImpressions: 0,
      suspectClicks: { tooFast: 1, tooMany: 0 },
      earnings: 2 * 0.003024,
    };
    const { approximateNoBids: _, approximateFills: __, ...nothing } = NOTHING;
    expect(await getFigures('days=7')).toEqual([both, nothing]);
    expect(await getFigures('days=3')).toEqual([
      {
        ...both,
        requests: 2,
        bids: 1,
        impressions: 1,
        clicks: 0,
        suspectClicks: NOTHING.suspectClicks,
        earnings: 0.003024,
      },
      nothing,
    ]);
    expect(await getFigures('')).toEqual([undefined, undefined]);
    const refused = await list('days=32');
    expect(refused.body).toMatchObject({ statusCode: 400, details: [{ path: 'days' }] });
  });
});

describe('No-bid reasons', () => {
  const JOKE = 'Tell me a joke about penguins';

  it('are stored with the first request after a minute, on the day they happened', async () => {
    const { id, key } = await create();
    for (let request = 0; request < 3; request++) await bid(key, JOKE);
    await offer(key, 2, { regs: { coppa: 1 } });
    expect(await getDays(id)).toMatchObject([{ requests: 5, bids: 0, approximateNoBids: {} }]);
    service.clock.advance(MINUTE_MS);
    await bid(key);
    await offer(key, 1);
    const approximateNoBids = { no_commercial_context: 3, coppa: 2 };
    expect(await getDays(id)).toMatchObject([{ requests: 7, bids: 2, approximateNoBids }]);
    await bid(key, JOKE);
    service.clock.advance(DAY_MS);
    await bid(key);
    expect(await getDays(id, 2)).toMatchObject([
      { date: TODAY, approximateNoBids: { ...approximateNoBids, no_commercial_context: 4 } },
      { requests: 1, approximateNoBids: {} },
    ]);
  });

  it('are the codes that x-no-bid-reason names', async () => {
    const { id, key } = await create();
    const texts = ['Tell me a joke about penguins', '…', 'I want to kill myself'];
    const ask = (content: string) =>
      service.call('POST', '/api/v1/ssp/bid', {
        headers: { 'x-api-key': key },
        body: { countryCode: 'US', messages: [{ role: 'user', content }] },
      });
    const codes = await Promise.all(
      texts.map(async (text) => (await ask(text)).headers['x-no-bid-reason']!.split(':')[0]!),
    );
    service.clock.advance(MINUTE_MS);
    await bid(key);
    const counted = Object.fromEntries(codes.map((code) => [code, 1]));
    expect(Object.keys(counted)).toHaveLength(3);
    expect(await getDays(id)).toMatchObject([{ approximateNoBids: counted }]);
  });

  it('are stored after a hundred requests, and a failing write does not delay the bid', async () => {
    const { id, key } = await create();
    const { effects } = service.stack;
    const asked: string[] = [];
    const db: Database = {
      ...effects.db,
      write(write, returning) {
        asked.push(write.table);
        return write.table === 'key-days' ? Promise.reject(new Unavailable('no')) : effects.db.write(write, returning);
      },
    };
    const failing = await createHandlers({ ...effects, db });
    const joke = (handlers: typeof failing) =>
      createCaller(() => handlers)('POST', '/api/v1/ad-serving/request', {
        headers: { 'x-api-key': key },
        body: { context: { conversation: JOKE }, preferences: { maxAds: 5 } },
      });
    const working = await createHandlers(effects);
    for (const handlers of [working, failing]) {
      for (let request = 0; request < 20; request++) await joke(handlers);
      expect((await joke(handlers)).status).toBe(503);
    }
    expect(asked.filter((table) => table === 'key-days')).toHaveLength(1);
    expect(await getDays(id)).toMatchObject([{ requests: 210, approximateNoBids: { no_commercial_context: 100 } }]);
  });
});
