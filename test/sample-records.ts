import type { Issued, Served } from '../shared/ads/bids/bid.ts';
import type { Conversion } from '../shared/ads/conversions/store.ts';
import type { StatementPage } from '../shared/budgets/statements.ts';
import type { Campaign } from '../shared/campaigns/campaign.ts';
import { EMPTY_TARGET_AUDIENCE } from '../shared/campaigns/campaign.ts';
import type { Creative } from '../shared/campaigns/creative.ts';
import { EMPTY_CREATIVE } from '../shared/campaigns/creative.ts';
import { isoTime } from '../shared/platform/clock.ts';
import { fromUsd, micros } from '../shared/platform/values/money.ts';
import type { ClickedAd } from '../shared/webhooks/events/data.ts';
import { MORNING } from './service.ts';

/** Sample records in the form in which the stores write them. */

export const issuedBid = (more: Partial<Issued> = {}): Issued => ({
  id: '08884d74-a168-460d-8d19-3ba549cf7378',
  state: 'issued',
  keyId: 'key_1',
  keyOwner: 'publisher',
  mode: 'live',
  campaignId: 'cmp_1',
  campaignOwner: 'alice',
  price: fromUsd(4),
  relevance: 0.8,
  countryCode: 'US',
  terms: ['running shoes'],
  issuedAt: MORNING,
  validUntil: MORNING + 300_000,
  ttl: Math.ceil(MORNING / 1000) + 300,
  ...more,
});

export const servedBid = (more: Partial<Issued> = {}): Served & { creative: Creative } => ({
  ...issuedBid(more),
  state: 'served',
  servedAt: MORNING + 1_000,
  creative: { ...EMPTY_CREATIVE, headline: 'Run further', landingUrl: 'https://shoes.example/buy?ref=ads' },
  charged: micros(4_000),
  day: '2026-11-20',
});

export const clickedBid = (more: Partial<Issued> = {}): ClickedAd => ({
  ...servedBid(more),
  ...more,
  click: {
    at: MORNING + 2_000,
    userAgent: 'Firefox',
    referrer: 'https://chat.example/',
    ip: '203.0.113.0',
    userId: '',
    sessionId: '',
  },
});

export const storedCampaign = (more: Partial<Campaign> = {}): Campaign => ({
  id: 'cmp_1',
  owner: 'alice',
  name: 'Running shoes',
  description: '',
  budget: fromUsd(100),
  dailyBudget: fromUsd(10),
  targetAudience: {
    ...EMPTY_TARGET_AUDIENCE,
    keywords: ['running shoes', 'marathon'],
    demographics: { ageRange: '18-65', interests: ['sport'] },
  },
  creative: { ...EMPTY_CREATIVE, headline: 'Run further' },
  bidStrategy: 'manual',
  maxCpb: fromUsd(4),
  targetCpa: null,
  status: 'active',
  startDate: null,
  endDate: null,
  pausedReason: null,
  pausedDay: null,
  exhaustions: 0,
  profile: {} as Campaign['profile'],
  createdAt: isoTime(MORNING),
  updatedAt: isoTime(MORNING),
  changedAt: MORNING,
  version: 1,
  ...more,
});

/** A later version of a campaign, after a change. */
export const laterCampaign = (before: Campaign, changes: Partial<Campaign>): Campaign => {
  const changedAt = before.changedAt + 5_000;
  return { ...before, version: before.version + 1, changedAt, updatedAt: isoTime(changedAt), ...changes };
};

export const conversion = (more: Partial<Conversion> = {}): Conversion => ({
  owner: 'alice',
  conversionId: 'order-7',
  clickId: 'clk_08884d74a168460d8d193ba549cf7378',
  bidId: '08884d74-a168-460d-8d19-3ba549cf7378',
  campaignId: 'cmp_1',
  keyOwner: 'publisher',
  userId: '',
  mode: 'live',
  conversionType: 'purchase',
  value: 49.9,
  currency: 'EUR',
  at: MORNING + 3_000,
  ...more,
});

export const statement = (more: Partial<StatementPage> = {}): StatementPage => ({
  owner: 'alice',
  date: '2026-11-19#1',
  page: 1,
  pages: 1,
  spend: fromUsd(12.5),
  campaigns: [
    {
      campaignId: 'cmp_1',
      campaignName: 'Running shoes',
      impressions: 3_125,
      clicks: 25,
      conversions: 2,
      spend: fromUsd(12.5),
    },
  ],
  at: MORNING,
  ...more,
});
