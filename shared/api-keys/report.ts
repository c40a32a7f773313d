import type * as z from 'zod';
import { datesOf } from '../ledgers/report.ts';
import type { Effects } from '../platform/effects.ts';
import { micros, shareOf, toUsd } from '../values/money.ts';
import { noBidReasons } from '../values/outcomes.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyDay } from './day.ts';
import type { keyDayResponse } from './response.ts';

type ReportDay = z.output<typeof keyDayResponse>;

/**
 * Every day of a period, oldest first. @param key as it was read before this: had its day been moved to its row since, the row has
 * the same requests, or more.
 */
export async function reportKey(
  { db }: Pick<Effects, 'db'>,
  key: ApiKey,
  from: string,
  to: string,
): Promise<ReportDay[]> {
  const rows = new Map<string, Partial<KeyDay>>();
  const found = db.query({
    table: 'key-days',
    where: '#keyId = :keyId AND #day BETWEEN :from AND :to',
    values: { keyId: key.id, from, to },
    consistent: true,
  });
  for await (const row of found) rows.set(row.day, row);
  return datesOf(from, to).map((date) => presentDay(date, rows.get(date) ?? {}, key));
}

function presentDay(date: string, row: Partial<KeyDay>, key: ApiKey): ReportDay {
  const { bids = 0, impressions = 0, clicks = 0 } = row;
  const requests = Math.max(row.requests ?? 0, key.day === date ? (key.dayRequests ?? 0) : 0);
  return {
    date,
    requests,
    bids,
    fillRate: requests === 0 ? null : Math.min(1, Math.round((bids / requests) * 1e4) / 1e4),
    impressions,
    clicks,
    earnings: toUsd(earningsOf(row)),
    approximateNoBids: Object.fromEntries(
      noBidReasons.flatMap((reason) => {
        const count = row[`noBid_${reason}`];
        return count ? [[reason, count]] : [];
      }),
    ),
  };
}

const CHARGED = /^charged_(\d+)$/;

/** The publisher's part of what the day's impressions were charged, rounded down to whole micro-dollars once for each share that held. */
function earningsOf(row: Partial<KeyDay>) {
  const parts = Object.entries(row).map(([name, charged]): number => {
    const [, share] = CHARGED.exec(name) ?? [];
    return share === undefined ? 0 : shareOf(micros(Number(charged)), Number(share));
  });
  return micros(parts.reduce((sum, part) => sum + part, 0));
}

const COLUMNS = ['date', 'requests', 'bids', 'fillRate', 'impressions', 'clicks', 'earnings'] as const;

/** The columns of a report, and its days in them: a column for each reason that a request can have no bid for. */
export const keyReportColumns = [...COLUMNS, ...noBidReasons.map((reason) => `approximateNoBids.${reason}`)];

export const keyReportRow = ({ approximateNoBids, ...day }: ReportDay): Record<string, unknown> => ({
  ...day,
  ...Object.fromEntries(noBidReasons.map((reason) => [`approximateNoBids.${reason}`, approximateNoBids[reason] ?? 0])),
});
