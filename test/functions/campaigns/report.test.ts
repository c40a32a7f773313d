import { describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const DAY = 24 * 60 * 60 * 1000;

const report = (id: string, query = '', headers: Record<string, string> = {}) =>
  service.call('GET', `/api/v1/campaigns/${id}/report`, { query, headers: { 'x-user-id': 'alice', ...headers } });

/** Impressions on three days, some clicked on a later day. */
async function threeDays(mode = 'live') {
  const key = await service.key({ mode });
  const word = `report${service.clock.now()}${mode}`;
  const { id } = await service.campaign({
    budget: 1,
    dailyBudget: 0.01,
    maxCpb: 3,
    targetAudience: { keywords: [word] },
  });
  const day = service.clock.now();
  for (const [index, impressions] of [4, 0, 2].entries()) {
    service.clock.set(day + index * DAY);
    for (let count = 0; count < impressions; count++) {
      service.clock.advance(200);
      const { bidId } = (await service.bid(key, word)).body;
      expect((await service.ad(key, bidId)).status).toBe(200);
      if (count % 2 === 0) await service.call('GET', `/api/v1/click/${bidId}`);
    }
  }
  return { id, word, key };
}

describe('GET /campaigns/{id}/report', () => {
  it('lists every day of the period and equals the ledger and the performance', async () => {
    const { id } = await threeDays();
    await service.stack.drain();
    const { status, body } = await report(id, 'from=2026-11-19&to=2026-11-22');
    expect(status).toBe(200);
    const none = {
      impressions: 0,
      clicks: 0,
      conversions: 0,
      spend: 0,
      conversionValue: 0,
      notRelevant: 0,
      viewableImpressions: 0,
      suspectClicks: { tooFast: 0, tooMany: 0 },
    };
    expect(body).toEqual([
      { date: '2026-11-19', ...none },
      {
        date: '2026-11-20',
        ...none,
        impressions: 4,
        clicks: 2,
        spend: 0.01,
        suspectClicks: { tooFast: 2, tooMany: 0 },
      }, // the last impression is charged what was left
      { date: '2026-11-21', ...none },
      {
        date: '2026-11-22',
        ...none,
        impressions: 2,
        clicks: 1,
        spend: 0.006,
        suspectClicks: { tooFast: 1, tooMany: 0 },
      },
    ]);
    const campaign = (await service.user()('GET', `/campaigns/${id}`)).body;
    expect(campaign).toMatchObject({
      spentBudget: 0.016,
      performance: { impressions: 6, clicks: 3, conversions: 0, ctr: 0.5, averageCpb: (0.016 / 6) * 1000 },
    });
  });

  it('is also part of the campaign on request', async () => {
    const { id } = await threeDays();
    await service.stack.drain();
    const get = async (query: string) =>
      (await service.call('GET', `/api/v1/campaigns/${id}`, { query, headers: { 'x-user-id': 'alice' } })).body;
    const campaign = await get('');
    expect(campaign).not.toHaveProperty('report');
    for (const period of ['', 'from=2026-11-19&to=2026-11-22', 'to=2026-11-20'])
      expect(await get(`report=true&${period}`)).toEqual({ ...campaign, report: (await report(id, period)).body });
    expect(await get('report=true&from=2026-11-22&to=2026-11-19')).toMatchObject({
      details: [{ path: 'to', message: 'to must not be before from' }],
    });
  });

  it('covers thirty days up to today by default', async () => {
    const { id } = await service.campaign();
    const { body } = await report(id);
    expect(body).toHaveLength(30);
    expect(body.at(-1).date).toBe(new Date(service.clock.now()).toISOString().slice(0, 10));
  });

  it('returns CSV if the request accepts it', async () => {
    const { id } = await service.campaign();
    const { status, headers, body } = await report(id, 'from=2026-11-01&to=2026-11-02', { accept: 'text/csv' });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(body).toBe(
      'date,impressions,clicks,conversions,spend,conversionValue,notRelevant,viewableImpressions,suspectClicks.tooFast,suspectClicks.tooMany\r\n2026-11-01,0,0,0,0,0,0,0,0,0\r\n2026-11-02,0,0,0,0,0,0,0,0,0\r\n',
    );
    expect((await report(id, '', { accept: 'application/json, */*' })).headers['content-type']).toMatch(/json/);
  });

  it.each([
    ['from=yesterday', 'from'],
    ['from=2026-11-02&to=2026-11-01', 'to'],
    ['from=2024-01-01&to=2025-01-01', 'to'],
    ['from=9999-12-31', 'from'],
    ['to=0000-01-05', 'to'],
    ['from=2026-01-01&from=2026-01-02', 'from'],
  ])('rejects %s', async (query, path) => {
    const { id } = await service.campaign();
    const { status, body } = await report(id, query);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'Validation failed', statusCode: 400, details: [{ path }] });
  });

  it("returns 404 for another user's or a deleted campaign", async () => {
    const { id } = await service.campaign({}, 'bob');
    expect((await report(id)).body).toEqual({ error: 'Not found', message: 'Campaign not found', statusCode: 404 });
    const own = await service.campaign();
    await service.user()('DELETE', `/campaigns/${own.id}`);
    expect((await report(own.id)).status).toBe(404);
  });

  it('excludes test mode', async () => {
    const { id } = await threeDays('test');
    await service.stack.drain();
    const { body } = await report(id, 'from=2026-11-20&to=2026-12-20');
    expect(
      body.every((day: Record<string, unknown>) => day.impressions === 0 && day.spend === 0 && day.clicks === 0),
    ).toBe(true);
    const { spentBudget, performance, status } = (await service.user()('GET', `/campaigns/${id}`)).body;
    expect([spentBudget, performance.impressions, status]).toEqual([0, 0, 'active']);
  });
});
