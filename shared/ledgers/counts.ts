import type { Write } from '../platform/database.ts';
import { type Micros, micros } from '../values/money.ts';
import { type Balance, unfoldedDay } from './balance.ts';

/** Clicks and conversions since the campaign began, as the streams tell them. */
export interface PerformanceTotals {
  clicks: number;
  /** Clicks whose impression was charged. */
  chargedClicks: number;
  conversions: number;
}

/** What happened on a UTC day; spend in micro-dollars. */
export interface LedgerDay {
  date: string;
  impressions: number;
  clicks: number;
  conversions: number;
  spend: Micros;
}

/** A day of one of several campaigns. */
export type CampaignDay = LedgerDay & { campaignId: string };

/** A row of counts; an attribute is there once something was counted. Of the day of the last charge the balance has the rest. `unchargedClicks`: those that wait for their charge. */
export interface CountsRow extends Partial<Omit<LedgerDay, 'date'>> {
  campaignId: string;
  row: 'total' | `day#${string}`;
  unchargedClicks?: number;
  /** Of a day: it has what was counted beside the balance. */
  folded?: boolean;
}

type Counts = Record<string, number>;

/** Adds to a campaign's counts of a day, and to those in total; nothing where there is nothing to add. */
export const addCounts = (campaignId: string, day: string, ofDay: Counts, inTotal: Counts): Write<'ledgers'>[] =>
  (
    [
      [`day#${day}`, ofDay],
      ['total', inTotal],
    ] as const
  )
    .filter(([, counts]) => Object.keys(counts).length > 0)
    .map(([row, counts]) => add(campaignId, row, counts));

const add = (campaignId: string, row: CountsRow['row'], counts: Counts): Write<'ledgers'> => ({
  table: 'ledgers',
  key: { campaignId, row },
  update: `ADD ${Object.keys(counts)
    .map((name) => `#${name} :${name}`)
    .join(', ')}`,
  values: counts,
});

/**
 * What is counted is the clicks that wait for their charge, not those that have it: so a total that was counted before there was
 * this count is read as all charged, and the usual click, which comes after its charge, costs no further write. A click that an
 * earlier version counted and whose charge came later takes one away too many, which the floor keeps from showing.
 */
export function totalsOf({
  clicks = 0,
  unchargedClicks = 0,
  conversions = 0,
}: Partial<CountsRow> = {}): PerformanceTotals {
  return { clicks, chargedClicks: clicks - Math.max(0, unchargedClicks), conversions };
}

/**
 * A day as its row, if there is one, and the balance tell it. The balance was read before the row: had it been folded in between, the row
 * says so and has it all.
 */
export function dayOf(date: string, row: Partial<CountsRow> = {}, balance?: Balance): LedgerDay {
  const { impressions = 0, clicks = 0, conversions = 0, spend = micros(0), folded } = row;
  const { dayImpressions = 0, daySpend = micros(0) } = !folded && unfoldedDay(balance) === date ? balance! : {};
  return { date, impressions: impressions + dayImpressions, clicks, conversions, spend: micros(spend + daySpend) };
}

/** The date of a row of a day. */
export const dateOf = (row: CountsRow['row']): string => row.slice('day#'.length);
