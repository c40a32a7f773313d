import { cappedMicros, type Micros } from '../platform/values/money.ts';
import { toRecord } from '../platform/values/typed.ts';

/** The counts of a UTC day; amounts in micro-dollars. */
export interface LedgerDay {
  date: string;
  impressions: number;
  clicks: number;
  conversions: number;
  spend: Micros;
  conversionValue: Micros;
  notRelevant: number;
  /** Impressions that were visible long enough, as the clients reported. */
  viewableImpressions: number;
  /** Clicks so soon after the ad that no reader can have read it. They are also among the clicks, like the next. */
  tooFastClicks: number;
  /** Clicks beyond what readers behind one address make in a minute. */
  tooManyClicks: number;
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
  'viewableImpressions',
  'tooFastClicks',
  'tooManyClicks',
] as const satisfies (keyof LedgerDay)[];

export type DayCount = (typeof DAY_COUNTS)[number];
export type DayCounts = Pick<LedgerDay, DayCount>;

/** Adds up counts of days or campaigns. */
export function sumCounts(days: readonly DayCounts[]): DayCounts {
  const sum = (name: DayCount) => days.reduce((total, day) => total + day[name], 0);
  const amounts = { spend: cappedMicros(sum('spend')), conversionValue: cappedMicros(sum('conversionValue')) };
  return { ...toRecord(DAY_COUNTS, sum), ...amounts };
}

/** The counts of a day without any. Stored rows of an earlier version lack the latest. */
export const NO_COUNTS = sumCounts([]);

/** Suspect clicks as reports present them, by reason. */
export const toSuspectClicks = ({ tooFastClicks = 0, tooManyClicks = 0 }: Partial<DayCounts>) => ({
  tooFast: tooFastClicks,
  tooMany: tooManyClicks,
});

/** The last columns of CSV reports, of campaigns and of keys. */
export const LATEST_COLUMNS = [
  'notRelevant',
  'viewableImpressions',
  'suspectClicks.tooFast',
  'suspectClicks.tooMany',
] as const;
