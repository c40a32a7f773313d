import {
  counts,
  dollars,
  dollarsPer,
  type Metric,
  notRelevant,
  reportedDollars,
  share,
  times,
  trust,
} from '../figures/metrics.ts';

/** What all reports of campaigns count. During a rollout, the previous version responds without values. */
interface Counts {
  impressions: number;
  clicks: number;
  conversions: number;
  spend: number;
  conversionValue?: number;
}

const impressions = (of: Counts) => of.impressions;
const clicks = (of: Counts) => of.clicks;
const conversions = (of: Counts) => of.conversions;
const spend = (of: Counts) => of.spend;
const value = ({ conversionValue = 0 }: Counts) => conversionValue;

/** The metrics of a campaign, of a part of it, or of several campaigns. They fit next to each other on a laptop. */
export const METRICS: readonly Metric<Counts>[] = [
  counts('Impressions', impressions),
  counts('Clicks', clicks),
  { ...share('CTR', clicks, impressions, 'clicks'), fullName: 'Click-through rate' },
  dollars('Spend', spend),
  counts('Conversions', conversions),
  dollarsPer('Cost per conversion', spend, conversions, 'conversions'),
  { ...reportedDollars('Conversion value', value), fullName: 'Value of the conversions that were sent with one' },
  { ...times('Return on spend', value, spend, 'conversion value'), fullName: 'Conversion value / spend' },
];

/** Further metrics of a campaign. */
export const COST_PER_CLICK: Metric<Counts> = dollarsPer('Cost per click', spend, clicks, 'clicks');
export const TRUST = trust<Counts>();
export const NOT_RELEVANT = notRelevant<Counts & { notRelevant: number }>();
