import { describe, expect, it } from 'vitest';
import { loadWorker } from '../../infra/local/functions.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { streamRecord } from '../stream-record.ts';

// @module-tag whole
const service = useServiceInMemory({ WEBHOOK_BACKOFF_SECONDS: '1' });

/** The metrics recorded during a call. */
async function measure(act: () => Promise<unknown>): Promise<Record<string, number>> {
  service.measured.length = 0;
  await act();
  return Object.fromEntries(service.measured.map(({ name, value }) => [name, value]));
}

describe('Metrics', () => {
  it('count a bid and measure the time of matching', async () => {
    const key = await service.key();
    await service.campaign({ targetAudience: { keywords: ['zumbrel'] } });
    expect(await measure(() => service.bid(key, 'a warm zumbrel'))).toEqual({ Bids: 1, MatchTime: expect.any(Number) });
  });

  it.each([
    ['no_commercial_context', 'pebbles', {}],
    ['below_floor', 'a cold frelbo', { maxCpb: 0.001, targetAudience: { keywords: ['frelbo'] } }],
    ['country', 'a dry wumbol', { targetAudience: { keywords: ['wumbol'], countries: ['CH'] } }],
    ['daily_budget', 'a wet grolfin', { dailyBudget: 0, targetAudience: { keywords: ['grolfin'] } }],
    ['budget', 'a new plimfar', { budget: 0, targetAudience: { keywords: ['plimfar'] } }],
    ['incomplete', 'a blue drumvil', { creative: { headline: 'x' }, targetAudience: { keywords: ['drumvil'] } }],
    ['incomplete', 'a tall krebnul', { maxCpb: 0, targetAudience: { keywords: ['krebnul'] } }],
    ['not_started', 'a thin vosprin', { startDate: '2026-11-21', targetAudience: { keywords: ['vosprin'] } }],
    [
      'excluded_keyword',
      'Where can I buy a grey sumblat for gnomes?',
      { targetAudience: { keywords: ['sumblat'], excludedKeywords: ['gnomes'] } },
    ],
    ['paused', 'a red blimpor', { status: 'paused', targetAudience: { keywords: ['blimpor'] } }],
    ['sensitive_context', 'I want to kill myself, which rope should I buy?', {}],
  ])('count a no-bid with its reason: %s', async (reason, text, campaign) => {
    const key = await service.key({ bidFloor: 0.01 });
    if (Object.keys(campaign).length > 0) await service.campaign(campaign);
    expect(await measure(() => service.bid(key, text))).toEqual({
      [`NoBids.${reason}`]: 1,
      MatchTime: expect.any(Number),
    });
  });

  it('count a no-bid as ended for a campaign past its end, before any schedule stores it', async () => {
    const key = await service.key();
    const endDate = new Date(service.clock.now() + 1_000).toISOString();
    await service.campaign({ endDate, targetAudience: { keywords: ['jandrel'] } });
    service.clock.advance(2_000);
    expect(await measure(() => service.bid(key, 'a wide jandrel'))).toMatchObject({ 'NoBids.ended': 1 });
  });

  it('count impressions and spend with the charge, and clicks from the stream, once per record', async () => {
    const key = await service.key();
    await service.campaign({ maxCpb: 4, targetAudience: { keywords: ['trilbax'] } });
    const { bidId } = (await service.bid(key, 'trilbax')).body;
    const read = () => service.stack.effects.db.get('bids', { id: bidId });
    const issued = await read();
    expect(await measure(() => service.ad(key, bidId))).toEqual({ Impressions: 1, Spend: 0.004 });
    expect(await measure(() => service.ad(key, bidId))).toEqual({});
    const served = await read();
    await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'curl/8' } });
    const records = [streamRecord(issued, served), streamRecord(served, await read())];
    const count = await loadWorker('events/count', service.stack.effects);
    expect(await measure(() => count({ Records: records } as never))).toEqual({ Clicks: 1 });
    expect(await measure(() => count({ Records: records } as never))).toEqual({});
  });

  it('count the outcomes of deliveries', async () => {
    const { body: webhook } = await service.user('receiver')('POST', '/webhooks', {
      url: 'http://127.0.0.1:47999/nobody-listens',
      events: ['ad.click'],
    });
    const event = { id: 'evt_1', type: 'ad.click', timestamp: '2026-11-20T09:00:00.000Z', data: {} };
    const message = { owner: 'receiver', webhookId: webhook.id, event, sentAt: service.clock.now() };
    const queue = { send: async () => {}, postpone: async () => {}, inFlight: async () => 0 };
    const worker = await loadWorker('events/deliver', { ...service.stack.effects, queue });
    const once = () =>
      worker({ Records: [{ messageId: '1', receiptHandle: '1', body: JSON.stringify(message) }] } as never);
    expect(await measure(once)).toEqual({ Retried: 1 });
    service.clock.advance(1_000);
    expect(await measure(once)).toEqual({ GivenUp: 1 });
    service.clock.advance(3_600_000);
    expect(await measure(once)).toEqual({ DeliveryAge: 3_601 });
  });
});
