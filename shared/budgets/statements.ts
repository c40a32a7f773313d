import { DAY_MS, utcDay } from '../platform/clock.ts';
import { type Micros, micros } from '../platform/values/money.ts';
import type { CampaignDay, LedgerDay } from './day-counts.ts';

/** One campaign of a statement. */
export type StatementLine = Pick<LedgerDay, 'impressions' | 'clicks' | 'conversions' | 'spend'> & {
  campaignId: string;
  campaignName: string;
};

/** An owner's spend on a UTC day; amounts in micro-dollars. */
export interface Statement {
  owner: string;
  /** The UTC day. */
  date: string;
  /** Total of all campaigns. */
  spend: Micros;
  /** Campaigns that spent, oldest first. */
  campaigns: StatementLine[];
  /** Epoch milliseconds. */
  at: number;
}

/** A stored page of a statement; each page sends one event. A statement stored before paging is a single page without a number. */
export interface StatementPage extends Omit<Statement, 'date'> {
  /** The day and the page, such as `2026-11-20#1`; only the day if stored before paging. */
  date: string;
  page?: number;
  pages?: number;
}

declare module '../platform/items.ts' {
  interface Items {
    statements: StatementPage;
  }
}

/** Wait this long after the end of a day for its last counts. A statement is written once, so it must be complete. */
export const LATE_COUNTS_MS = 5 * 60 * 1000;
/** Days to look back, in case every run on a day failed. Must stay below the retention of tombstones. */
const DAYS_BACK = 3;

/** The ended days that may still get statements, oldest first. */
export const listBillableDays = (now: number): string[] =>
  Array.from({ length: DAYS_BACK }, (_, index) => utcDay(now - LATE_COUNTS_MS - (DAYS_BACK - index) * DAY_MS));

/**
 * Campaigns per page. A hundred campaigns with the longest names, all emoji, make a message of 140 KB; the limit is 256 KB. Pages have a
 * fixed number of campaigns in a stable order, so a resumed run splits the day into the same pages.
 */
const CAMPAIGNS_PER_PAGE = 100;

/** Builds the statements of a day, one per owner with spend, from the day's counts of all campaigns. */
export function buildStatements(
  days: readonly CampaignDay[],
  campaignsById: ReadonlyMap<string, { owner: string; name: string }>,
  date: string,
  at: number,
): Statement[] {
  const byOwner = new Map<string, StatementLine[]>();
  for (const { campaignId, impressions, clicks, conversions, spend } of days) {
    if (spend === 0) continue;
    const { owner, name: campaignName } = campaignsById.get(campaignId)!;
    const lines = byOwner.get(owner) ?? [];
    lines.push({ campaignId, campaignName, impressions, clicks, conversions, spend });
    byOwner.set(owner, lines);
  }
  return [...byOwner].map(([owner, lines]) => {
    const campaigns = lines.sort((a, b) => (a.campaignId < b.campaignId ? -1 : 1));
    return { owner, date, spend: micros(lines.reduce((sum, { spend }) => sum + spend, 0)), campaigns, at };
  });
}

export const countPages = (campaigns: readonly StatementLine[]): number =>
  Math.ceil(campaigns.length / CAMPAIGNS_PER_PAGE);
export const pageKey = (date: string, page: number): string => `${date}#${page}`;
/** The day of a page. */
export const toDay = ({ date }: Pick<StatementPage, 'date'>): string => date.slice(0, 'YYYY-MM-DD'.length);

/** Splits a statement into the pages that are stored and sent. Every page has the total spend. */
export function splitIntoPages({ campaigns, ...statement }: Statement): StatementPage[] {
  const pages = countPages(campaigns);
  return Array.from({ length: pages }, (_, index) => ({
    ...statement,
    date: pageKey(statement.date, index + 1),
    page: index + 1,
    pages,
    campaigns: campaigns.slice(index * CAMPAIGNS_PER_PAGE, (index + 1) * CAMPAIGNS_PER_PAGE),
  }));
}
