import { type Micros, micros } from '../platform/values/money.ts';
import type { CampaignDay, LedgerDay } from './counts.ts';

/** A campaign's part of a statement. */
type StatementLine = Omit<LedgerDay, 'date'> & { campaignId: string; campaignName: string };

/** What a user spent on a UTC day; amounts in micro-dollars. */
export interface Statement {
  owner: string;
  /** The UTC day. */
  date: string;
  /** Of all its campaigns. */
  spend: Micros;
  /** Those that spent, in the order of their creation. */
  campaigns: StatementLine[];
  /** Epoch milliseconds. */
  at: number;
}

/** A part of a statement as it is stored: a fact that sends an event. What was stored before there were pages is the whole. */
export interface StatementPage extends Omit<Statement, 'date'> {
  /** The day and the page, `2026-11-20#1`; before there were pages the day alone. */
  date: string;
  page?: number;
  pages?: number;
}

declare module '../platform/items.ts' {
  interface Items {
    statements: StatementPage;
  }
}

/**
 * Campaigns of a page: a hundred with the longest names, all of them emoji, are 140 KB as a message, and a message holds 256. By number
 * and in an order that nothing changes, not by bytes: a run that goes on where another stopped divides the day as that one did.
 */
const CAMPAIGNS_PER_PAGE = 100;

/** The statements of a day, one for each user who spent, from the day's rows of all campaigns. */
export function buildStatements(
  days: readonly CampaignDay[],
  named: ReadonlyMap<string, { owner: string; name: string }>,
  date: string,
  at: number,
): Statement[] {
  const byOwner = new Map<string, StatementLine[]>();
  for (const { campaignId, date: _, ...counts } of days) {
    if (counts.spend === 0) continue;
    const { owner, name: campaignName } = named.get(campaignId)!;
    const lines = byOwner.get(owner) ?? [];
    lines.push({ campaignId, campaignName, ...counts });
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

/** A statement in the parts in which it is stored and sent; every one says what was spent in all. */
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
