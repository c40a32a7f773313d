import { describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const DAY_MS = 24 * 60 * 60 * 1000;

const report = (user: string, query = '', headers: Record<string, string> = {}) =>
  service.call('GET', '/api/v1/reports/campaigns', { query, headers: { 'x-user-id': user, ...headers } });

/** Serves and clicks ads of a campaign of the user. */
async function serve(secret: string, word: string, impressions: number) {
  for (let count = 0; count < impressions; count++) {
    service.clock.advance(200);
    const { bidId } = (await service.bid(secret, word)).body;
    expect((await service.ad(secret, bidId)).status).toBe(200);
    if (count === 0) await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'curl/8' } });
  }
}

const create = (user: string, word: string, more: object = {}) =>
  service.campaign(
    { name: word, targetAudience: { keywords: [word] }, bidStrategy: 'manual', maxCpb: 4, ...more },
    user,
  );

describe('GET /reports/campaigns', () => {
  it("has the sums of each campaign's report in the period, oldest campaign first", async () => {
    const one = await create('ann', 'zitherone');
    const two = await create('ann', 'zithertwo', { maxCpb: 2.5 });
    const idle = await create('ann', 'zitheridle', { status: 'paused' });
    await create('ben', 'zitherben');
    const secret = await service.key();
    await serve(secret, 'zitherone', 3);
    service.clock.advance(DAY_MS);
    await serve(secret, 'zitherone', 2);
    await serve(secret, 'zithertwo', 2);
    await serve(secret, 'zitherben', 1);
    await service.stack.drain();

    const { status, body, headers } = await report('ann');
    expect([status, headers['x-total-count']]).toEqual([200, '3']);
    const none = {
      conversions: 0,
      conversionValue: 0,
      costPerConversion: null,
      notRelevant: 0,
      viewableImpressions: 0,
      suspectClicks: { tooFast: 0, tooMany: 0 },
    };
    expect(body).toEqual([
      {
        ...{
          campaignId: one.id,
          name: 'zitherone',
          status: 'active',
          spend: 0.02,
          impressions: 5,
          clicks: 2,
          ctr: 0.4,
        },
        ...{ averageCpb: 4, returnOnSpend: 0, ...none, suspectClicks: { tooFast: 2, tooMany: 0 } },
      },
      {
        ...{
          campaignId: two.id,
          name: 'zithertwo',
          status: 'active',
          spend: 0.005,
          impressions: 2,
          clicks: 1,
          ctr: 0.5,
        },
        ...{ averageCpb: 2.5, returnOnSpend: 0, ...none, suspectClicks: { tooFast: 1, tooMany: 0 } },
      },
      {
        ...{ campaignId: idle.id, name: 'zitheridle', status: 'paused', spend: 0, impressions: 0, clicks: 0, ctr: 0 },
        ...{ averageCpb: 0, returnOnSpend: null, ...none },
      },
    ]);
    for (const query of ['', 'from=2026-11-20&to=2026-11-20', 'from=2026-11-21', 'to=2026-11-19'])
      for (const { campaignId, impressions, clicks, spend } of (await report('ann', query)).body) {
        const path = `/api/v1/campaigns/${campaignId}/report`;
        const days = (await service.call('GET', path, { query, headers: { 'x-user-id': 'ann' } })).body;
        const sum = (count: string) =>
          days.reduce((total: number, day: Record<string, number>) => total + day[count]!, 0);
        expect([impressions, clicks, spend], query).toEqual([
          sum('impressions'),
          sum('clicks'),
          expect.closeTo(sum('spend'), 9),
        ]);
      }
  });

  it('has at most 100 campaigns in a response, and continues at an offset', async () => {
    for (let count = 0; count < 102; count++) {
      if (count === 60) service.clock.advance(60_000); // the limit of requests
      await create('many', `many ${count}`, { status: 'draft' });
    }
    const first = await report('many');
    expect([first.body.length, first.headers['x-total-count']]).toEqual([100, '102']);
    const rest = await report('many', 'offset=100');
    expect(rest.body.map(({ name }: { name: string }) => name)).toEqual(['many 100', 'many 101']);
    expect((await report('many', 'limit=1&offset=3&by=campaign')).body).toMatchObject([{ name: 'many 3' }]);
    expect((await report('many', 'offset=500')).body).toEqual([]);
  });

  it('returns CSV, with names in quotes if necessary', async () => {
    const { id } = await create('csv', 'Shoes, "red"');
    const { headers, body } = await report('csv', '', { accept: 'text/csv' });
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'x-total-count': '1' });
    expect(body).toBe(
      'campaignId,name,status,spend,impressions,clicks,ctr,averageCpb,conversions,conversionValue,costPerConversion,returnOnSpend,notRelevant,viewableImpressions,suspectClicks.tooFast,suspectClicks.tooMany\r\n' +
        `${id},"Shoes, ""red""",active,0,0,0,0,0,0,0,,,0,0,0,0\r\n`,
    );
  });

  it('leaves out deleted campaigns, and is empty without campaigns', async () => {
    const { id } = await create('gone', 'zithergone');
    await service.user('gone')('DELETE', `/campaigns/${id}`);
    expect(await report('gone')).toMatchObject({ status: 200, body: [], headers: { 'x-total-count': '0' } });
  });

  it.each([
    ['by=country', 'by', 'by must be campaign'],
    ['limit=101', 'limit', 'limit must be a whole number from 1 to 100'],
    ['from=2025-01-01&to=2026-11-20', 'to', 'a report covers at most 366 days'],
  ])('rejects %s', async (query, path, message) => {
    expect(await report('ann', query)).toMatchObject({ status: 400, body: { details: [{ path, message }] } });
  });
});
