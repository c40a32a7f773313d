import { cappedMicros, type Micros } from '../platform/values/money.ts';

/** The counts of a UTC day; amounts in micro-dollars. */
export interface LedgerDay {
  date: string;
  impressions: number;
  clicks: number;
  conversions: number;
  spend: Micros;
  conversionValue: Micros;
  notRelevant: number;
}

export type CampaignDay = LedgerDay & { campaignId: string };

/** The counts that a day has, in the order of reports. */
export const DAY_COUNTS = [
  'impressions',
  'clicks',
  'conversions',
  'spend',
  'conversionValue',
  'notRelevant',
] as const satisfies (keyof LedgerDay)[];

export type DayCount = (typeof DAY_COUNTS)[number];
export type DayCounts = Pick<LedgerDay, DayCount>;

/** Adds up counts of days or campaigns. */
export const sumCounts = (days: readonly DayCounts[]): DayCounts => {
  const sum = (name: DayCount) => days.reduce((total, day) => total + day[name], 0);
  return {
    impressions: sum('impressions'),
    clicks: sum('clicks'),
    conversions: sum('conversions'),
    spend: cappedMicros(sum('spend')),
    conversionValue: cappedMicros(sum('conversionValue')),
    notRelevant: sum('notRelevant'),
  };
};
