import * as z from 'zod';
import { LATEST_COLUMNS, type LedgerDay } from '../budgets/day-counts.ts';
import { ledgerStore } from '../budgets/ledger.ts';
import { reportQuery } from '../budgets/report.ts';
import type { Effects } from '../platform/effects.ts';
import { usdResponse } from '../platform/values/response-schema.ts';
import { wholeNumber } from '../platform/values/value-schema.ts';
import { type Campaign, STATUSES } from './campaign.ts';
import { performanceResponse, presentSums } from './campaign-response.ts';

/** Campaigns of a response. Each one with any activity costs a query. */
const MAX_CAMPAIGNS = 100;

/** The query of a report over all campaigns. */
export const campaignsReportQuery = reportQuery.safeExtend({
  by: z.literal('campaign', 'by must be campaign').optional().describe('One row per campaign, which is the default'),
  limit: wholeNumber('limit', 1, MAX_CAMPAIGNS)
    .default(MAX_CAMPAIGNS)
    .describe(`Maximum number of campaigns; default ${MAX_CAMPAIGNS}`),
  offset: wholeNumber('offset', 0).default(0).describe('Number of campaigns to skip; default 0'),
});

/** A campaign in a period. */
export const campaignsReportRow = z
  .object({
    campaignId: z.string().describe('ID of the campaign'),
    name: z.string().describe('Its name'),
    status: z.enum(STATUSES).describe('Its status now'),
    spend: usdResponse.describe('Amount spent in the period, USD'),
    ...performanceResponse.shape,
  })
  .meta({ id: 'CampaignReportRow' });

type Row = z.output<typeof campaignsReportRow>;

/** The columns of a CSV report. */
export const CAMPAIGNS_REPORT_COLUMNS: readonly (keyof Row | (typeof LATEST_COLUMNS)[number])[] = [
  'campaignId',
  'name',
  'status',
  'spend',
  'impressions',
  'clicks',
  'ctr',
  'averageCpb',
  'conversions',
  'conversionValue',
  'costPerConversion',
  'returnOnSpend',
  ...LATEST_COLUMNS,
];

/** Concurrent queries. */
const CONCURRENCY = 25;

/** The figures of each campaign in a period, in the same order. Makes one query for each campaign that was ever shown or clicked. */
export async function reportCampaigns(
  { db }: Pick<Effects, 'db'>,
  campaigns: readonly Campaign[],
  from: string,
  to: string,
): Promise<Row[]> {
  const ledgers = ledgerStore({ db });
  const totals = await ledgers.performance(campaigns.map(({ id }) => id));
  const active = new Set(
    totals.filter(({ impressions, clicks }) => impressions + clicks > 0).map((one) => one.campaignId),
  );
  const rows: Row[] = [];
  for (let start = 0; start < campaigns.length; start += CONCURRENCY) {
    const read = campaigns
      .slice(start, start + CONCURRENCY)
      .map(async (campaign) =>
        toRow(campaign, active.has(campaign.id) ? await ledgers.days(campaign.id, from, to) : []),
      );
    rows.push(...(await Promise.all(read)));
  }
  return rows;
}

const toRow = ({ id, name, status }: Campaign, days: readonly LedgerDay[]): Row => ({
  campaignId: id,
  name,
  status,
  ...presentSums(days),
});
