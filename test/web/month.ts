import { balanceKey } from '../../shared/budgets/balance.ts';
import { DAY_MS, utcDay } from '../../shared/platform/clock.ts';
import type { Database } from '../../shared/platform/database.ts';
import { fromUsd, impressionCost, micros } from '../../shared/platform/values/money.ts';
import { generator } from '../../tools/random.ts';

const DAYS = 30;
export const MONTH_MS = DAYS * DAY_MS;
/** Price of each impression, in micro-dollars. */
const COST = impressionCost(fromUsd(4));

interface Amounts {
  budget: number;
  dailyBudget: number;
}

/** A campaign's impressions and clicks on each day of a month: more every week, fewer on weekends, with a click rate of about 1 %. */
function month(now: number) {
  const random = generator(7);
  return Array.from({ length: DAYS }, (_, day) => {
    const at = now - (DAYS - 1 - day) * DAY_MS;
    const isWeekend = new Date(at).getUTCDay() % 6 === 0;
    const partOfDay = day === DAYS - 1 ? (now % DAY_MS) / DAY_MS : 1;
    const impressions = (2_200 + day * 60) * (isWeekend ? 0.6 : 1) * (0.85 + 0.3 * random()) * partOfDay;
    const clicks = Math.round(impressions * (0.007 + 0.006 * random()));
    const conversions = Math.round(clicks * 0.12 * random());
    return { date: utcDay(at), impressions: Math.round(impressions), clicks, conversions };
  });
}

/**
 * Writes a new campaign's ledger as a month of serving, including today, would have left it. Real bids would take an hour. Returns the
 * totals.
 */
export async function seedMonth(db: Database, campaign: Amounts & { id: string }, now: number) {
  const campaignId = campaign.id;
  const days = month(now);
  const today = days.at(-1)!;
  const sum = (of: 'impressions' | 'clicks' | 'conversions') => days.reduce((total, day) => total + day[of], 0);
  const [impressions, clicks, conversions] = [sum('impressions'), sum('clicks'), sum('conversions')];
  const [spent, spentToday] = [micros(impressions * COST), micros(today.impressions * COST)];
  for (const { date, ...counts } of days) {
    // Today's figures come from the balance.
    const day = date === today.date ? { ...counts, impressions: 0 } : { ...counts, folded: true };
    const spend = micros(day.impressions * COST);
    await db.write({ table: 'ledgers', put: { campaignId, row: `day#${date}`, ...day, spend } });
  }
  await db.write({ table: 'ledgers', put: { campaignId, row: 'total', clicks, conversions } });
  const balance = { spent, impressions, remaining: micros(fromUsd(campaign.budget) - spent) };
  const dailyBudget = fromUsd(campaign.dailyBudget);
  const ofDay = { day: today.date, dailyBudget, dayRemaining: micros(dailyBudget - spentToday) };
  const counted = { countDay: today.date, dayImpressions: today.impressions, daySpend: spentToday };
  await db.write({ table: 'ledgers', put: { ...balanceKey(campaignId), ...balance, ...ofDay, ...counted } });
  return { impressions, clicks };
}
