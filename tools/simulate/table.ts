import { dailyLimit } from '../../shared/campaigns/campaign.ts';
import { isoTime } from '../../shared/platform/clock.ts';
import { toUsd } from '../../shared/values/money.ts';
import { table } from '../evaluate/table.ts';
import type { Judged } from './plan.ts';

const HEAD = ['campaign', 'strategy', 'budget', 'daily', 'spend', 'impressions', 'avg CPM', 'off the line', ''];

/** The campaigns of a day as a table; USD. */
export const campaignTable = (all: readonly Judged[]): string => table(HEAD, all.map(row)).join('\n');

function row({ course: { account }, isPaced, suffices, deviation }: Judged): string[] {
  const { campaign, balance, exhaustedAt } = account;
  const average = balance.impressions === 0 ? 0 : balance.spent / 1000 / balance.impressions;
  const notes = [
    ...(campaign.startDate ? [`begins ${isoTime(Date.parse(campaign.startDate)).slice(11, 16)}`] : []),
    ...(campaign.endDate ? [`ends ${campaign.endDate.slice(11, 16)}`] : []),
    ...(exhaustedAt ? [`spent ${isoTime(exhaustedAt).slice(11, 16)}`] : []),
    ...(isPaced && !suffices && !campaign.endDate ? ['short of traffic'] : []),
  ];
  return [
    campaign.name,
    campaign.bidStrategy,
    toUsd(campaign.budget).toFixed(2),
    toUsd(dailyLimit(campaign)).toFixed(2),
    toUsd(balance.spent).toFixed(2),
    String(balance.impressions),
    average.toFixed(2),
    `${(100 * deviation).toFixed(1)} %`,
    notes.join(', '),
  ];
}

/** What the day shows, in three lines. */
export function planSummary(all: readonly Judged[]): string {
  const paced = all.filter(({ isPaced }) => isPaced);
  const supplied = paced.filter(({ suffices }) => suffices);
  const farthest = Math.max(...paced.map(({ suppliedDeviation }) => suppliedDeviation));
  const over = all.filter(({ withinBudgets }) => !withinBudgets).length;
  return [
    `overspent: ${over} of ${all.length} campaigns`,
    `paced: ${paced.length} campaigns, ${supplied.length} of them with enough traffic in every hour`,
    `while it is enough, all of them stay within ${(100 * farthest).toFixed(1)} % of their daily budget of the straight line`,
  ].join('\n');
}
