import type * as z from 'zod';
import { labelReserved, toBreakdownRows } from '../budgets/breakdown.ts';
import { ledgerStore } from '../budgets/ledger.ts';
import type { campaignBreakdownResponse } from '../budgets/report-response.ts';
import type { Campaign } from '../campaigns/campaign.ts';
import { nameVersions } from '../campaigns/creative-versions.ts';
import { createPublisherReader } from '../keys/publisher-names.ts';
import { readBreakdown } from '../platform/breakdowns.ts';
import type { Effects } from '../platform/effects.ts';
import { nameCountry } from '../platform/values/countries.ts';
import { cappedMicros, micros, toUsd } from '../platform/values/money.ts';

type Row = z.output<typeof campaignBreakdownResponse>;

/** The columns of a CSV report. */
export const CAMPAIGN_BREAKDOWN_COLUMNS: readonly (keyof Row)[] = [
  'date',
  'by',
  'value',
  'label',
  'impressions',
  'clicks',
  'conversions',
  'spend',
  'conversionValue',
];

/** A value as its advertiser sees it. */
type Shown = Pick<Row, 'value' | 'label'>;

/** Loads the lexicon, which other reports do not need. */
async function loadTopicNames(): Promise<Map<string, string>> {
  const { nameTopics } = await import('./topic-names.ts');
  return nameTopics();
}

/** Returns a function that breaks a campaign's report down by a dimension. */
export function createCampaignBreakdown(effects: Pick<Effects, 'db' | 'ids'>) {
  const ledgers = ledgerStore(effects);
  const publishers = createPublisherReader(effects);

  /** Returns a function that shows the given values. The values of publishers are IDs of keys, which only their owners may see. */
  async function readShown(
    campaign: Campaign,
    by: Row['by'],
    values: readonly string[],
  ): Promise<(value: string) => Shown> {
    if (by === 'publisher') {
      const found = await publishers.find(campaign.owner, values);
      return (keyId) => {
        const { id, name } = found.get(keyId)!;
        return { value: id, label: name };
      };
    }
    const names =
      by === 'creative'
        ? await nameVersions(effects, campaign, values)
        : by === 'topic'
          ? await loadTopicNames()
          : undefined;
    return (value) => ({ value, label: by === 'country' ? nameCountry(value) : names?.get(value) || value });
  }

  return async (campaign: Campaign, by: Row['by'], from: string, to: string): Promise<Row[]> => {
    const days = await readBreakdown(effects, { campaignId: campaign.id }, by, from, to);
    const totals = await ledgers.days(campaign.id, from, to);
    const counts = totals.map(
      ({ date, impressions, clicks, conversions, spend, conversionValue }) =>
        [date, { impressions, clicks, conversions, spend, conversionValue }] as const,
    );
    const toShown = by === 'publisher' ? await publishers.createToId(campaign.owner) : undefined;
    const rows = toBreakdownRows(days, new Map(counts), toShown);
    const values = new Set(rows.map(({ value }) => value).filter((value) => !labelReserved(by, value)));
    const show = await readShown(campaign, by, [...values]);
    return rows.map(({ date, value, counts }) => {
      const label = labelReserved(by, value);
      const { impressions = 0, clicks = 0, conversions = 0, spend = 0, conversionValue = 0 } = counts;
      return {
        date,
        by,
        ...(label ? { value, label } : show(value)),
        impressions,
        clicks,
        conversions,
        spend: toUsd(micros(spend)),
        conversionValue: toUsd(cappedMicros(conversionValue)),
      };
    });
  };
}
