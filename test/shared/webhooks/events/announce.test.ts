import { describe, expect, it } from 'vitest';
import type { Performance } from '../../../../shared/budgets/ledger.ts';
import { fromUsd, micros } from '../../../../shared/platform/values/money.ts';
import {
  type Announcement,
  announceCampaign,
  announceClick,
  announceConversion,
  announceImpression,
  announceStatement,
  getEventFor,
} from '../../../../shared/webhooks/events/announce.ts';
import { createEventId } from '../../../../shared/webhooks/events/event-id.ts';
import { createSampleEvent } from '../../../../shared/webhooks/events/samples.ts';
import { EVENT_TYPES, type EventType } from '../../../../shared/webhooks/events/types.ts';
import {
  clickedBid,
  conversion,
  laterCampaign,
  servedBid,
  statement,
  storedCampaign,
} from '../../../sample-records.ts';
import { MORNING } from '../../../service.ts';

const performance = {
  campaignId: 'cmp_1',
  spent: fromUsd(12.5),
  impressions: 3_125,
  clicks: 25,
  conversions: 2,
} as Performance;
const campaign = storedCampaign();
const paused = laterCampaign(campaign, { status: 'paused', pausedReason: 'budget', exhaustions: 1 });

/** One of each type, from stored facts. */
const announced: Record<EventType, Announcement> = {
  'ad.impression': announceImpression(servedBid({ schain: { complete: 1, asi: 'exchange.example', sid: '7' } })),
  'ad.click': announceClick(clickedBid()),
  'ad.conversion': announceConversion(conversion()),
  'campaign.created': announceCampaign({ kind: 'created', campaign }, performance),
  'campaign.updated': announceCampaign(
    { kind: 'updated', campaign: laterCampaign(campaign, { name: 'New' }), changed: ['name'] },
    performance,
  ),
  'campaign.paused': announceCampaign({ kind: 'paused', campaign: paused }, performance),
  'campaign.budget_exhausted': announceCampaign({ kind: 'budget_exhausted', campaign: paused }, performance),
  'account.billing': announceStatement(statement()),
};

/** The data of each event (api 8.4), with the values of the facts above. */
const DATA: Record<EventType, object> = {
  'ad.impression': {
    ad_id: '08884d74-a168-460d-8d19-3ba549cf7378',
    campaign_id: 'cmp_1',
    user_id: '',
    session_id: '',
    context: { conversation: '', user_query: '' },
    placement: { type: '', position: '' },
    metadata: { user_agent: '', ip_address: '', timestamp: '2026-11-20T09:00:01.000Z' },
  },
  'ad.click': {
    ad_id: '08884d74-a168-460d-8d19-3ba549cf7378',
    campaign_id: 'cmp_1',
    click_id: 'clk_08884d74a168460d8d193ba549cf7378',
    user_id: '',
    session_id: '',
    landing_url: 'https://shoes.example/buy?ref=ads',
    context: { conversation: '', user_query: '' },
    metadata: { user_agent: 'Firefox', ip_address: '203.0.113.0', timestamp: '2026-11-20T09:00:02.000Z' },
  },
  'ad.conversion': {
    ad_id: '08884d74-a168-460d-8d19-3ba549cf7378',
    campaign_id: 'cmp_1',
    click_id: 'clk_08884d74a168460d8d193ba549cf7378',
    conversion_id: 'order-7',
    user_id: '',
    conversion_type: 'purchase',
    conversion_value: 49.9,
    currency: 'EUR',
    metadata: { timestamp: '2026-11-20T09:00:03.000Z' },
  },
  'campaign.created': {
    campaign_id: 'cmp_1',
    campaign_name: 'Running shoes',
    budget: 100,
    daily_budget: 10,
    status: 'active',
    target_audience: { keywords: ['running shoes', 'marathon'], demographics: { age_range: '18-65' } },
  },
  'campaign.updated': {
    campaign_id: 'cmp_1',
    campaign_name: 'New',
    changed: ['name'],
    status: 'active',
    updated_at: '2026-11-20T09:00:05.000Z',
  },
  'campaign.paused': {
    campaign_id: 'cmp_1',
    campaign_name: 'Running shoes',
    reason: 'budget',
    spent: 12.5,
    budget: 100,
    daily_budget: 10,
  },
  'campaign.budget_exhausted': {
    campaign_id: 'cmp_1',
    campaign_name: 'Running shoes',
    budget: 100,
    spent: 12.5,
    performance: { impressions: 3_125, clicks: 25, conversions: 2, ctr: 0.008, average_cpb: 4 },
  },
  'account.billing': {
    kind: 'daily_statement',
    user_id: 'alice',
    date: '2026-11-19',
    page: 1,
    pages: 1,
    currency: 'USD',
    spend: 12.5,
    campaigns: [
      {
        campaign_id: 'cmp_1',
        campaign_name: 'Running shoes',
        impressions: 3_125,
        clicks: 25,
        conversions: 2,
        spend: 12.5,
      },
    ],
  },
};

/** The type of every value in an object, by path: `context.conversation string`. */
const shape = (value: unknown, place = ''): string[] => {
  if (Array.isArray(value)) return value.length ? shape(value[0], `${place}[]`) : [`${place}[]`];
  if (typeof value !== 'object' || value === null) return [`${place} ${typeof value}`];
  return Object.entries(value).flatMap(([name, inner]) => shape(inner, `${place}.${name}`));
};

describe.each(EVENT_TYPES)('%s', (type) => {
  const { event } = announced[type];

  it('contains exactly the documented fields', () => {
    expect(event.data).toEqual(DATA[type]);
  });

  it('has the standard envelope', () => {
    expect(Object.keys(event)).toEqual(['id', 'type', 'created', 'data', 'api_version']);
    expect([event.type, event.api_version]).toEqual([type, 'v1']);
    expect(event.id).toMatch(/^evt_[0-9A-Za-z]{22}$/);
    expect(new Date(event.created).toISOString()).toBe(event.created);
  });

  it('has a sample of the same shape', () => {
    const sample = createSampleEvent(type, 'test', MORNING);
    expect(shape(sample).sort()).toEqual(shape(getEventFor(announced[type], 'publisher')).sort());
    expect(sample.type).toBe(type);
  });

  it('is unchanged by JSON, without undefined values', () => {
    expect(JSON.parse(JSON.stringify(event))).toStrictEqual(event);
  });
});

describe('a legacy ad', () => {
  const shown = {
    conversation: 'user: my address is [redacted]',
    userQuery: 'Which shoes?',
    placement: { type: 'inline', position: 'after_response' },
    userId: 'reader',
    sessionId: 'session',
    userAgent: 'Chat/1.0',
    ip: '198.51.100.0',
  };
  const context = { conversation: shown.conversation, user_query: shown.userQuery };

  it('reports where it was shown', () => {
    expect(announceImpression(servedBid({ shown })).event.data).toEqual({
      ...DATA['ad.impression'],
      user_id: 'reader',
      session_id: 'session',
      context,
      placement: shown.placement,
      metadata: { user_agent: 'Chat/1.0', ip_address: '198.51.100.0', timestamp: '2026-11-20T09:00:01.000Z' },
    });
  });

  it('reports the user of the click, or otherwise of the request', () => {
    const bid = clickedBid({ shown });
    expect(announceClick(bid).event.data).toEqual({
      ...DATA['ad.click'],
      user_id: 'reader',
      session_id: 'session',
      context,
    });
    const named = { ...bid, click: { ...bid.click, userId: 'other', sessionId: 'later' } };
    expect(announceClick(named).event.data).toMatchObject({
      user_id: 'other',
      session_id: 'later',
    });
  });
});

describe('recipients of events', () => {
  it('are the owners of the campaign and of the key for an ad', () => {
    for (const type of ['ad.impression', 'ad.click', 'ad.conversion'] as const) {
      expect(announced[type].owners, type).toEqual(['alice', 'publisher']);
    }
  });

  it('get the supply chain of an ad only as the owner of the key', () => {
    const schain = { complete: 1, asi: 'exchange.example', sid: '7' } as const;
    const announcement = announceImpression(servedBid({ schain }));
    expect(getEventFor(announcement, 'publisher').data).toEqual({ ...DATA['ad.impression'], schain });
    expect(getEventFor(announcement, 'alice').data).toEqual(DATA['ad.impression']);
    const own = announceImpression(servedBid({ schain, keyOwner: 'alice' }));
    expect([own.owners, getEventFor(own, 'alice').data]).toEqual([['alice'], { ...DATA['ad.impression'], schain }]);
    expect(announceClick(clickedBid({ schain })).event.data).toEqual(DATA['ad.click']);
  });

  it('get the amounts at the time of the fact, regardless of later spend', () => {
    const moneyAt = { spent: fromUsd(100), impressions: 25_000 };
    const spent = laterCampaign(campaign, { status: 'paused', pausedReason: 'budget', exhaustions: 1, moneyAt });
    const later = { ...performance, spent: fromUsd(130), impressions: 32_000 };
    for (const kind of ['budget_exhausted', 'paused'] as const) {
      expect(announceCampaign({ kind, campaign: spent }, later).event.data).toMatchObject({ spent: 100, budget: 100 });
    }
    const byUser = laterCampaign(spent, { pausedReason: 'user' });
    expect(announceCampaign({ kind: 'paused', campaign: byUser }, later).event.data).toMatchObject({ spent: 130 });
  });

  it('get one event if the owners are the same', () => {
    const own = { keyOwner: 'alice' };
    expect(announceImpression(servedBid(own)).owners).toEqual(['alice']);
    expect(announceClick(clickedBid(own)).owners).toEqual(['alice']);
    expect(announceConversion(conversion(own)).owners).toEqual(['alice']);
  });

  it('are only the owner for a campaign or an account', () => {
    for (const type of EVENT_TYPES.filter((name) => !name.startsWith('ad.'))) {
      expect(announced[type].owners, type).toEqual(['alice']);
    }
  });
});

describe('event ids', () => {
  it('are the same for the same fact, regardless of time and later counts', () => {
    const later = { ...performance, spent: fromUsd(99), clicks: 1_000 };
    const again = announceCampaign({ kind: 'paused', campaign: paused }, later);
    expect(again.event.id).toBe(announced['campaign.paused'].event.id);
    expect(announceClick(clickedBid()).event).toEqual(announced['ad.click'].event);
  });

  it('differ by type, subject, version, and time', () => {
    const versions = [1, 2, 3].map((version) =>
      announceCampaign({ kind: 'created', campaign: { ...campaign, version } }, performance),
    );
    const ids = [
      ...Object.values(announced),
      ...versions.slice(1),
      announceClick(clickedBid({ id: '08884d74-a168-460d-8d19-3ba549cf7379' })),
      announceConversion(conversion({ conversionId: 'order-8' })),
      announceStatement(statement({ date: '2026-11-20#1' })),
      announceStatement(statement({ owner: 'bob' })),
    ].map(({ event }) => event.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are unique for a hundred thousand facts of the same millisecond', () => {
    const ids = new Set(Array.from({ length: 100_000 }, (_, n) => createEventId('ad.click', `bid-${n}`, MORNING)));
    expect(ids.size).toBe(100_000);
  });

  it('sort by the time of the fact', () => {
    const times = [0, 61, 62, 3843, MORNING - 1, MORNING, MORNING + 1, Date.UTC(2099, 0, 1)];
    const ids = times.map((at) => createEventId('ad.click', 'x', at));
    expect(ids.toSorted()).toEqual(ids);
  });
});

describe('amounts', () => {
  it('are US dollars to the micro-dollar, and zero is zero', () => {
    const odd = announceCampaign({ kind: 'paused', campaign: paused }, { ...performance, spent: micros(1) });
    expect(odd.event.data).toMatchObject({ spent: 0.000001 });
    const none = { ...performance, spent: micros(0), impressions: 0, clicks: 0, conversions: 0 };
    expect(announceCampaign({ kind: 'budget_exhausted', campaign: paused }, none).event.data).toMatchObject({
      performance: { impressions: 0, clicks: 0, conversions: 0, ctr: 0, average_cpb: 0 },
    });
  });

  it('use the total budget without a daily budget', () => {
    const open = storedCampaign({ dailyBudget: null });
    expect(announceCampaign({ kind: 'created', campaign: open }, performance).event.data).toMatchObject({
      budget: 100,
      daily_budget: 100,
    });
  });

  it('keep an empty age range as an empty string', () => {
    const anyone = storedCampaign({
      targetAudience: { ...campaign.targetAudience, demographics: { ageRange: null, interests: [] } },
    });
    expect(announceCampaign({ kind: 'created', campaign: anyone }, performance).event.data).toMatchObject({
      target_audience: { demographics: { age_range: '' } },
    });
  });
});
