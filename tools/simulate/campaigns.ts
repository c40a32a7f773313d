import { type Campaign, dailyLimit } from '../../shared/campaigns/campaign.ts';
import { merge } from '../../shared/campaigns/merge.ts';
import { BID_STRATEGIES, type CampaignInput, createCampaign } from '../../shared/campaigns/schema.ts';
import type { Balance } from '../../shared/ledgers/balance.ts';
import { isoTime, utcDay } from '../../shared/platform/clock.ts';
import { micros } from '../../shared/values/money.ts';

const HOUR_MS = 60 * 60 * 1000;

/** A campaign, what it talks about, and how people truly take to it: what it has to find out. */
export interface Contender {
  campaign: Campaign;
  /** Subjects of conversations that it matches, by number, and how well. */
  topics: { topic: number; fit: number }[];
  clickRate: number;
  conversionRate: number;
}

/** Campaigns of all strategies in turn; some begin late, end early, or have little left in total. */
export function contenders(count: number, topics: number, midnight: number, random: () => number): Contender[] {
  const between = (least: number, most: number) => least + (most - least) * random();
  return Array.from({ length: count }, (_, index): Contender => {
    const bidStrategy = BID_STRATEGIES[index % BID_STRATEGIES.length]!;
    const paced = bidStrategy === 'auto' || bidStrategy === 'maximize_clicks';
    const dailyBudget = Math.round(paced ? between(1, 9) : between(2, 14));
    const begins = index % 17 === 5 ? midnight + 6 * HOUR_MS : index % 17 === 9 ? midnight + 10 * HOUR_MS : null;
    const input = createCampaign.parse({
      name: `${bidStrategy} ${1 + Math.floor(index / BID_STRATEGIES.length)}`,
      status: 'active',
      bidStrategy,
      dailyBudget,
      budget: index % 13 === 7 ? Math.round(dailyBudget * 60) / 100 : dailyBudget * 20,
      maxCpb: Math.round(1000 * (paced ? between(5, 9) : between(2.5, 5))) / 1000,
      targetCpa: bidStrategy === 'target_cpa' ? Math.round(between(12, 24)) : null,
      startDate: begins === null ? null : isoTime(begins),
      endDate: index % 19 === 3 ? isoTime(midnight + 18 * HOUR_MS) : null,
      targetAudience: { keywords: ['any'] },
      creative: { headline: 'Any', landingUrl: 'https://any.example/' },
    });
    const first = Math.floor(random() * topics);
    return {
      campaign: created(index, input, midnight - 24 * HOUR_MS),
      topics: [0, 3, 7].map((step) => ({ topic: (first + step) % topics, fit: between(0.6, 0.95) })),
      clickRate: between(0.005, 0.02),
      conversionRate: between(0.01, 0.05),
    };
  });
}

function created(index: number, input: CampaignInput, at: number): Campaign {
  const time = isoTime(at);
  return {
    ...merge(input),
    id: `cmp_${String(index + 1).padStart(20, '0')}`,
    owner: 'simulation',
    profile: { v: '', k: '', x: '', t: [], l: '', w: '' }, // the traffic says what matches, not the words
    pausedReason: null,
    pausedDay: null,
    exhaustions: 0,
    createdAt: time,
    updatedAt: time,
    changedAt: at,
    version: 1,
  };
}

/** The ledger that a campaign begins the day with. */
export const fullLedger = (campaign: Campaign, now: number): Balance => ({
  campaignId: campaign.id,
  remaining: campaign.budget,
  spent: micros(0),
  impressions: 0,
  day: utcDay(now),
  dayRemaining: dailyLimit(campaign),
  dailyBudget: dailyLimit(campaign),
});
