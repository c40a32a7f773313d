import { beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../shared/webhooks/events/types.ts';
import { isSigned, useEventReceiver } from '../../event-receiver.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { runningShoes } from '../../service.ts';
import { createPublisher } from '../legacy/legacy.ts';

// @module-tag whole
const service = useServiceInMemory();
const receiver = useEventReceiver();
const DAY_MS = 24 * 60 * 60 * 1000;
const secrets: Record<string, string> = {};
const MORE = [...EVENT_TYPES];

/** The fields of every event's `data` (api 8.4). */
const AD = ['ad_id', 'campaign_id'];
const CAMPAIGN = ['campaign_id', 'campaign_name'];
const SHAPES: Record<(typeof EVENT_TYPES)[number], string[]> = {
  'ad.impression': [...AD, 'user_id', 'session_id', 'context', 'placement', 'metadata'],
  'ad.click': [...AD, 'click_id', 'user_id', 'session_id', 'landing_url', 'context', 'metadata'],
  'ad.conversion': [
    ...AD,
    ...['click_id', 'conversion_id', 'user_id', 'conversion_type', 'conversion_value', 'currency', 'metadata'],
  ],
  'campaign.created': [...CAMPAIGN, 'budget', 'daily_budget', 'status', 'target_audience'],
  'campaign.updated': [...CAMPAIGN, 'changed', 'status', 'updated_at'],
  'campaign.paused': [...CAMPAIGN, 'reason', 'spent', 'budget', 'daily_budget'],
  'campaign.budget_exhausted': [...CAMPAIGN, 'budget', 'spent', 'performance'],
  'account.billing': ['kind', 'user_id', 'date', 'page', 'pages', 'currency', 'spend', 'campaigns'],
};

beforeAll(async () => {
  for (const user of ['alice', 'publisher', 'bystander']) {
    const hook = { url: receiver.url(`/${user}`), events: MORE };
    const { status, body } = await service.user(user)('POST', '/webhooks', hook);
    expect(status).toBe(201);
    secrets[`/${user}`] = body.secret;
  }
});

/** The events of a type that a user received, each once and with the same id at every receiver. */
const getEvents = (user: string, type: string) => receiver.at(`/${user}`, type).map(({ event }) => event);
const getOnlyEvent = (user: string, type: string) => {
  const events = getEvents(user, type);
  expect(events).toHaveLength(1);
  return events[0]!;
};

describe('All eight events, from the HTTP request to a delivery with a valid signature', () => {
  it('reach every party concerned once, and no one else', async () => {
    const alice = service.user();
    const { request, impression, click } = createPublisher(service, await service.key());
    const landingUrl = 'https://shoes.example/buy';
    const { body: campaign } = await alice('POST', '/campaigns', {
      ...runningShoes(),
      targetAudience: { keywords: ['oreganoom'], demographics: { ageRange: '18-35' } },
      creative: { headline: 'Herbs', landingUrl },
      budget: 1,
    });
    await alice('PATCH', `/campaigns/${campaign.id}`, { budget: 0.006, description: 'New' });

    const response = await request('User: my mail is jane@example.com\nUser: I need oreganoom', {
      context: {
        userQuery: 'Where can I buy oreganoom? Call +1 555 123 4567',
        metadata: { userAgent: 'Reader/1', sessionId: 'session-1', userId: 'reader-1' },
      },
      placement: { type: 'inline', position: 'after_response' },
    });
    const adId = response.body.ads[0].id;
    await impression(adId);
    service.clock.advance(1_000);
    const clickedAt = new Date(service.clock.now()).toISOString();
    const clickId = (await click(adId, 'sessionId=session-2', { 'user-agent': 'curl/8.5.0' })).body.clickId;
    await click(adId);
    service.clock.advance(1_000);
    const conversion = { clickId, conversionType: 'purchase', value: 49.9, currency: 'EUR', conversionId: 'order-1' };
    for (let i = 0; i < 2; i++) await alice('POST', '/conversions', conversion);
    const convertedAt = new Date(service.clock.now()).toISOString();
    await impression((await request('oreganoom')).body.ads[0].id); // charges the rest of the budget
    await service.stack.drain();
    service.clock.advance(DAY_MS);
    await service.stack.runSchedules();
    await service.stack.drain();
    await service.stack.runSchedules();
    await service.stack.drain();

    expect(receiver.at('/bystander')).toEqual([]);
    for (const type of EVENT_TYPES) {
      const count = type === 'ad.impression' ? 2 : 1;
      expect(getEvents('alice', type), type).toHaveLength(count);
      expect(getEvents('publisher', type), type).toHaveLength(type.startsWith('ad.') ? count : 0);
      for (const event of getEvents('alice', type)) {
        expect(Object.keys(event).sort()).toEqual(['api_version', 'created', 'data', 'id', 'type']);
        expect(Object.keys(event.data).sort(), type).toEqual([...SHAPES[type]].sort());
      }
    }
    for (const delivery of receiver.received) expect(isSigned(delivery, secrets[delivery.path]!)).toBe(true);
    for (const type of ['ad.click', 'ad.conversion'])
      expect(getEvents('publisher', type)).toEqual(getEvents('alice', type));

    const context = {
      conversation: 'User: my mail is [redacted]\nUser: I need oreganoom',
      user_query: 'Where can I buy oreganoom? Call [redacted]',
    };
    expect(getEvents('alice', 'ad.impression').find(({ data }) => data.ad_id === adId)!.data).toMatchObject({
      campaign_id: campaign.id,
      user_id: 'reader-1',
      session_id: 'session-1',
      context,
      placement: { type: 'inline', position: 'after_response' },
      metadata: { user_agent: 'Reader/1', ip_address: '203.0.113.0', timestamp: expect.any(String) },
    });
    expect(getOnlyEvent('alice', 'ad.click').data).toEqual({
      ad_id: adId,
      campaign_id: campaign.id,
      click_id: clickId,
      user_id: 'reader-1',
      session_id: 'session-2',
      landing_url: landingUrl,
      context,
      metadata: { user_agent: 'curl/8.5.0', ip_address: '203.0.113.0', timestamp: clickedAt },
    });
    expect(getOnlyEvent('alice', 'ad.conversion').data).toEqual({
      ad_id: adId,
      campaign_id: campaign.id,
      click_id: clickId,
      conversion_id: 'order-1',
      user_id: 'reader-1',
      conversion_type: 'purchase',
      conversion_value: 49.9,
      currency: 'EUR',
      metadata: { timestamp: convertedAt },
    });
    expect(getOnlyEvent('alice', 'campaign.created').data).toEqual({
      campaign_id: campaign.id,
      campaign_name: campaign.name,
      budget: 1,
      daily_budget: 1,
      status: 'active',
      target_audience: { keywords: ['oreganoom'], demographics: { age_range: '18-35' } },
    });
    const { changed } = getOnlyEvent('alice', 'campaign.updated').data;
    expect(changed).toEqual(['description', 'budget']);
    expect(getOnlyEvent('alice', 'campaign.paused').data).toMatchObject({
      reason: 'budget',
      spent: 0.006,
      budget: 0.006,
    });
    expect(getOnlyEvent('alice', 'campaign.budget_exhausted').data).toMatchObject({
      campaign_name: campaign.name,
      budget: 0.006,
      spent: 0.006,
      performance: { impressions: 2, ctr: expect.any(Number), average_cpb: 3 },
    });
    const billed = getOnlyEvent('alice', 'account.billing').data;
    const { id: campaign_id, name: campaign_name } = campaign;
    expect(billed).toMatchObject({
      kind: 'daily_statement',
      user_id: 'alice',
      date: '2026-11-20',
      currency: 'USD',
      spend: 0.006,
      campaigns: [{ campaign_id, campaign_name, impressions: 2, clicks: 1, conversions: 1, spend: 0.006 }],
    });
  });

  it('reach an owner who shows their own ads once', async () => {
    const alice = service.user();
    const key = (await alice('POST', '/auth/api-keys', { name: 'Her own' })).body.key;
    await service.campaign({ targetAudience: { keywords: ['parsleyoom'] } });
    const { request, click, impression } = createPublisher(service, key);
    const { id } = (await request('parsleyoom')).body.ads[0];
    await impression(id);
    const { clickId } = (await click(id)).body;
    await alice('POST', '/conversions', { clickId, conversionType: 'sale' });
    await service.stack.drain();
    const own = receiver.at('/alice').filter(({ event }) => event.data.ad_id === id);
    expect(own.map(({ event }) => event.type).sort()).toEqual(['ad.click', 'ad.conversion', 'ad.impression']);
    expect(receiver.at('/publisher').filter(({ event }) => event.data.ad_id === id)).toEqual([]);
  });

  it('are not sent for a test-mode key, including conversions', async () => {
    const before = receiver.received.length;
    const created = await service.campaign({ targetAudience: { keywords: ['quassiaoom'] } });
    const { request, click, impression } = createPublisher(service, await service.key({ mode: 'test' }));
    const { id } = (await request('quassiaoom')).body.ads[0];
    await impression(id);
    const { clickId } = (await click(id)).body;
    const { status } = await service.user()('POST', '/conversions', { clickId, conversionType: 'sale' });
    expect(status).toBe(201);
    await service.stack.drain();
    const types = receiver.received.slice(before).map(({ event }) => event.type);
    expect(types.every((type) => type === 'campaign.created')).toBe(true);
    expect(created.id).toBeDefined();
  });

  it('are not sent for a conversion after the window, or a test conversion', async () => {
    const { id: campaignId } = await service.campaign({
      targetAudience: { keywords: ['saffronoom'] },
      conversionWindowDays: 1,
    });
    const { request, click, impression } = createPublisher(service, await service.key());
    const { id } = (await request('saffronoom')).body.ads[0];
    await impression(id);
    const { clickId } = (await click(id)).body;
    const convert = (path: string, body: object) =>
      service.user()('POST', path, { conversionType: 'sale', value: 7, ...body });
    await convert('/conversions/test', { campaignId });
    service.clock.advance(DAY_MS);
    const { status, body } = await convert('/conversions', { clickId });
    expect([status, body.counted]).toEqual([201, false]);
    await service.stack.drain();
    const sent = getEvents('alice', 'ad.conversion').filter(({ data }) => data.campaign_id === campaignId);
    expect(sent).toEqual([]);
    expect(getEvents('alice', 'ad.click').some(({ data }) => data.ad_id === id)).toBe(true);
  });

  it('have the same fields for the SSP API, empty where nothing is known', async () => {
    await service.campaign({ targetAudience: { keywords: ['rocketoom'] } });
    const key = await service.key();
    const { bidId } = (await service.bid(key, 'rocketoom')).body;
    await service.ad(key, bidId);
    await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'curl/8' } });
    await service.stack.drain();
    const [impression, click] = ['ad.impression', 'ad.click'].map(
      (type) => getEvents('alice', type).find(({ data }) => data.ad_id === bidId)!.data,
    );
    const nothing = { user_id: '', session_id: '', context: { conversation: '', user_query: '' } };
    expect(impression).toMatchObject({ ...nothing, placement: { type: '', position: '' } });
    expect(impression.metadata).toEqual({ user_agent: '', ip_address: '', timestamp: expect.any(String) });
    expect(click).toMatchObject({ ...nothing, landing_url: 'https://shoes.example/buy?ref=ads' });
  });
});
