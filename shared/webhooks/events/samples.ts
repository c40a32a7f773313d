import { isoTime, utcDay } from '../../platform/clock.ts';
import type { EventData } from './data.ts';
import { createEnvelope, type Envelope } from './envelope.ts';
import type { EventType } from './types.ts';

const CAMPAIGN = { campaign_id: 'cmp_sample', campaign_name: 'Sample campaign' };
const CONTEXT = { conversation: '', user_query: '' };

/** The event of a test delivery: every field of its type, with obvious sample values. @param at epoch milliseconds */
export const createSampleEvent = (type: EventType, subject: string, at: number): Envelope =>
  createEnvelope(type, subject, at, sampleData(isoTime(at), utcDay(at))[type]);

function sampleData(timestamp: string, date: string): EventData {
  const metadata = { user_agent: 'sample', ip_address: '203.0.113.0', timestamp };
  const shown = { ad_id: 'sample', campaign_id: CAMPAIGN.campaign_id, user_id: '', session_id: '', context: CONTEXT };
  return {
    'ad.impression': {
      ...shown,
      placement: { type: '', position: '' },
      metadata,
      schain: { complete: 1, asi: 'exchange.example', sid: 'sample' },
    },
    'ad.click': { ...shown, click_id: 'clk_sample', landing_url: 'https://advertiser.example/', metadata },
    'ad.conversion': {
      ad_id: 'sample',
      campaign_id: CAMPAIGN.campaign_id,
      click_id: 'clk_sample',
      conversion_id: 'sample',
      user_id: '',
      conversion_type: 'purchase',
      conversion_value: 49.9,
      currency: 'USD',
      metadata: { timestamp },
    },
    'campaign.created': {
      ...CAMPAIGN,
      budget: 100,
      daily_budget: 10,
      status: 'active',
      target_audience: { keywords: ['sample'], demographics: { age_range: '18-65' } },
    },
    'campaign.updated': { ...CAMPAIGN, changed: ['budget'], status: 'active', updated_at: timestamp },
    'campaign.paused': { ...CAMPAIGN, reason: 'user', spent: 12.5, budget: 100, daily_budget: 10 },
    'campaign.budget_exhausted': {
      ...CAMPAIGN,
      budget: 100,
      spent: 100,
      performance: { impressions: 25_000, clicks: 250, conversions: 5, ctr: 0.01, average_cpb: 4 },
    },
    'account.billing': {
      kind: 'daily_statement',
      user_id: 'sample',
      date,
      page: 1,
      pages: 1,
      currency: 'USD',
      spend: 12.5,
      campaigns: [{ ...CAMPAIGN, impressions: 3_125, clicks: 31, conversions: 1, spend: 12.5 }],
    },
  };
}
