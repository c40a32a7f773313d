import type * as z from 'zod';
import { LATEST_COLUMNS, toSuspectClicks } from '../budgets/day-counts.ts';
import { getOverviewStart, toPeriods } from '../budgets/overview.ts';
import { DAY_MS, isoTime, listDates, utcDay } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { AD_STRICTNESS } from '../platform/values/ad-strictness.ts';
import { fromUsd, type Micros, micros, takeShare, toUsd } from '../platform/values/money.ts';
import { noBidReasons } from '../platform/values/outcomes.ts';
import { toRecord } from '../platform/values/typed.ts';
import type { ApiKey } from './api-key.ts';
import { listDeletedKeys } from './deleted-keys.ts';
import { listApiKeys } from './find-key.ts';
import type { KeyDay } from './key-day.ts';
import type { keyDayResponse, listedKeyResponse } from './key-response.ts';

type KeyReportDay = z.output<typeof keyDayResponse>;
/** A key, or what is left of a deleted one. */
type ReportedKey = Pick<ApiKey, 'id' | 'name' | 'day' | 'dayRequests'>;
type Figures = NonNullable<z.output<typeof listedKeyResponse>['figures']>;

/**
 * Reports every day of a period, oldest first.
 * @param key read before this call. If the key's day moves to a row in the meantime, the row counts at least as many requests, so none
 * are missed.
 */
export async function reportKey(
  { db }: Pick<Effects, 'db'>,
  key: ReportedKey,
  from: string,
  to: string,
): Promise<KeyReportDay[]> {
  const rows = await readKeyDays({ db }, key.id, from, to);
  return listDates(from, to).map((date) => presentDay(date, rows.get(date) ?? {}, key));
}

/** The rows of a key's days with counts, by date. */
export async function readKeyDays(
  { db }: Pick<Effects, 'db'>,
  keyId: string,
  from: string,
  to: string,
): Promise<Map<string, KeyDay>> {
  const rows = new Map<string, KeyDay>();
  const found = db.query({
    table: 'key-days',
    where: '#keyId = :keyId AND #day BETWEEN :from AND :to',
    values: { keyId, from, to },
    consistent: true,
  });
  for await (const row of found) rows.set(row.day, row);
  return rows;
}

function presentDay(date: string, row: Partial<KeyDay>, key: ReportedKey): KeyReportDay {
  const { bids = 0, impressions = 0, clicks = 0, notRelevant = 0, viewableImpressions = 0 } = row;
  const requests = Math.max(row.requests ?? 0, key.day === date ? (key.dayRequests ?? 0) : 0);
  return {
    date,
    requests,
    bids,
    fillRate: toFillRate(bids, requests),
    impressions,
    clicks,
    notRelevant,
    viewableImpressions,
    suspectClicks: toSuspectClicks(row),
    earnings: toUsd(toEarnings(row)),
    approximateNoBids: Object.fromEntries(
      noBidReasons.flatMap((reason) => {
        const count = row[`noBid_${reason}`];
        return count ? [[reason, count]] : [];
      }),
    ),
    approximateFills: toFills(row),
  };
}

/** A request that a level fills is also filled at every less strict one. Null for a day whose bids the previous version counted. */
function toFills({ bids = 0, fill_strict: strict = 0, fill_balanced = 0, fill_open = 0 }: Partial<KeyDay>) {
  const balanced = strict + fill_balanced;
  const open = balanced + fill_open;
  return bids > 0 && open === 0 ? null : { strict, balanced, open };
}

const toFillRate = (bids: number, requests: number): number | null =>
  requests === 0 ? null : Math.min(1, Math.round((bids / requests) * 1e4) / 1e4);

/** Adds up the figures of days. */
function sumFigures(days: readonly KeyReportDay[]): Figures {
  const sum = (get: (day: KeyReportDay) => number) => days.reduce((total, day) => total + get(day), 0);
  const [requests, bids] = [sum((day) => day.requests), sum((day) => day.bids)];
  return {
    requests,
    bids,
    fillRate: toFillRate(bids, requests),
    impressions: sum((day) => day.impressions),
    clicks: sum((day) => day.clicks),
    notRelevant: sum((day) => day.notRelevant),
    viewableImpressions: sum((day) => day.viewableImpressions),
    suspectClicks: {
      tooFast: sum((day) => day.suspectClicks.tooFast),
      tooMany: sum((day) => day.suspectClicks.tooMany),
    },
    earnings: toUsd(micros(sum((day) => fromUsd(day.earnings)))),
  };
}

/** Concurrent queries. */
const CONCURRENCY = 25;

/** The reports of several keys, in their order. Makes one query per key. */
export async function reportKeys(
  { db }: Pick<Effects, 'db'>,
  keys: readonly ReportedKey[],
  from: string,
  to: string,
): Promise<KeyReportDay[][]> {
  const reports: KeyReportDay[][] = [];
  for (let start = 0; start < keys.length; start += CONCURRENCY)
    reports.push(
      ...(await Promise.all(keys.slice(start, start + CONCURRENCY).map((key) => reportKey({ db }, key, from, to)))),
    );
  return reports;
}

/** The figures of each key on the last days, including today, in the order of the keys. */
export async function readFigures(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  keys: readonly ApiKey[],
  days: number,
): Promise<Figures[]> {
  const now = clock.now();
  return (await reportKeys({ db }, keys, utcDay(now - (days - 1) * DAY_MS), utcDay(now))).map(sumFigures);
}

/** The number of an owner's keys, and the figures of all of them: today, and over thirty days next to the thirty days before. */
export async function readKeyFigures({ db, clock }: Pick<Effects, 'db' | 'clock'>, owner: string) {
  const now = clock.now();
  const from = getOverviewStart(now);
  const keys = await listApiKeys({ db }, owner);
  const reports = await reportKeys({ db }, await selectReportedKeys({ db }, owner, keys, from), from, utcDay(now));
  return { count: keys.length, figures: toPeriods(reports.flat(), now, sumFigures) };
}

/** A click counts up to this long after the bid. */
const CLICKABLE_MS = 91 * DAY_MS;

/** Keys whose days one request reads, and as many deleted keys. */
const MAX_REPORTED_KEYS = 1_000;

/** The live keys of an owner that may have figures since a day, the last used first, and those deleted since then. */
export const listReportedKeys = async ({ db }: Pick<Effects, 'db'>, owner: string, since: string) =>
  selectReportedKeys({ db }, owner, await listApiKeys({ db }, owner), since);

async function selectReportedKeys(
  { db }: Pick<Effects, 'db'>,
  owner: string,
  keys: readonly ApiKey[],
  since: string,
): Promise<ReportedKey[]> {
  const deleted = await listDeletedKeys({ db }, owner, since, MAX_REPORTED_KEYS);
  const from = isoTime(Date.parse(since) - CLICKABLE_MS);
  const lastUse = ({ lastUsedAt }: ApiKey) => lastUsedAt ?? '';
  const used = keys.filter((key) => key.mode === 'live' && lastUse(key) >= from);
  used.sort((a, b) => (lastUse(a) < lastUse(b) ? 1 : -1));
  return [...used.slice(0, MAX_REPORTED_KEYS), ...deleted];
}

const CHARGED = /^charged_(\d+)$/;

/** What was charged, by the publisher's share that applied. */
export const getCharges = (row: object): { name: string; charged: Micros; share: number }[] =>
  Object.entries(row).flatMap(([name, charged]) => {
    const [, share] = CHARGED.exec(name) ?? [];
    return share === undefined ? [] : [{ name, charged: micros(Number(charged)), share: Number(share) }];
  });

/** The publisher's share of the day's charges. Rounds down to whole micro-dollars once per share that applied on the day. */
const toEarnings = (row: Partial<KeyDay>): Micros =>
  micros(getCharges(row).reduce((sum, { charged, share }) => sum + takeShare(charged, share), 0));

const COLUMNS = ['date', 'requests', 'bids', 'fillRate', 'impressions', 'clicks', 'earnings'] as const;

/** The columns of a CSV report, with one column per no-bid reason and per level of strictness. */
export const keyReportColumns = [
  ...COLUMNS,
  ...noBidReasons.map((reason) => `approximateNoBids.${reason}`),
  ...AD_STRICTNESS.map((level) => `approximateFills.${level}`),
  ...LATEST_COLUMNS,
];

const NO_REASONS = toRecord(noBidReasons, () => 0);

export const toKeyReportRow = (day: KeyReportDay) => ({
  ...day,
  approximateNoBids: { ...NO_REASONS, ...day.approximateNoBids },
});
