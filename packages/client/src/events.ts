import type { WebhookEventType } from './operations.ts';

interface Context {
  conversation: string;
  user_query: string;
}

interface EventMetadata {
  user_agent: string;
  /** The last part is removed. */
  ip_address: string;
  timestamp: string;
}

interface CampaignReference {
  campaign_id: string;
  campaign_name: string;
}

type Status = 'draft' | 'active' | 'paused' | 'completed' | 'cancelled';

/** The `data` of each event. Strings without a value are empty; amounts are USD; times are ISO 8601. */
interface EventPayloads {
  'ad.impression': {
    ad_id: string;
    campaign_id: string;
    user_id: string;
    session_id: string;
    context: Context;
    placement: { type: string; position: string };
    metadata: EventMetadata;
    /** Only for the owner of the API key, if an OpenRTB request stated a supply chain: its completeness and last node. */
    schain?: { complete: 0 | 1; asi?: string; sid?: string };
  };
  'ad.click': {
    ad_id: string;
    campaign_id: string;
    click_id: string;
    user_id: string;
    session_id: string;
    landing_url: string;
    context: Context;
    metadata: EventMetadata;
  };
  'ad.conversion': {
    ad_id: string;
    campaign_id: string;
    click_id: string;
    conversion_id: string;
    user_id: string;
    conversion_type: string;
    conversion_value: number;
    currency: string;
    metadata: { timestamp: string };
  };
  'campaign.created': CampaignReference & {
    budget: number;
    daily_budget: number;
    status: Status;
    target_audience: { keywords: string[]; demographics: { age_range: string } };
  };
  'campaign.updated': CampaignReference & { changed: string[]; status: Status; updated_at: string };
  'campaign.paused': CampaignReference & {
    reason: 'user' | 'daily_budget' | 'budget';
    spent: number;
    budget: number;
    daily_budget: number;
  };
  'campaign.budget_exhausted': CampaignReference & {
    budget: number;
    spent: number;
    performance: { impressions: number; clicks: number; conversions: number; ctr: number; average_cpb: number };
  };
  'account.billing': {
    kind: 'daily_statement';
    user_id: string;
    date: string;
    page: number;
    pages: number;
    currency: string;
    /** The total of all pages. */
    spend: number;
    campaigns: (CampaignReference & { impressions: number; clicks: number; conversions: number; spend: number })[];
  };
}

/** An event of one type. A new event type of the service fails to compile here until `EventPayloads` describes its `data`. */
export interface EventOf<T extends WebhookEventType> {
  /** The same for every attempt. If you have seen this ID before, the event is a repeat. */
  id: string;
  type: T;
  created: string;
  data: EventPayloads[T];
  api_version: 'v1';
}

/** Any event. Its `type` determines the shape of its `data`. */
export type WebhookEvent = { [T in WebhookEventType]: EventOf<T> }[WebhookEventType];
