import { describe, expect, it } from 'vitest';
import { generator } from '../../../tools/random.ts';
import { contenders } from '../../../tools/simulate/campaigns.ts';
import { simulateDay } from '../../../tools/simulate/day.ts';
import { judgePlan } from '../../../tools/simulate/plan.ts';
import { drawSpend } from '../../../tools/simulate/svg.ts';
import { campaignTable, planSummary } from '../../../tools/simulate/table.ts';
import { arrivals, dailyCurve } from '../../../tools/simulate/traffic.ts';

const MIDNIGHT = Date.UTC(2026, 10, 20);
const TOPICS = 4;
const CAMPAIGNS = 16;

/** The day that `npm run simulate` shows, at a third of its size. */
function day(seed: number, opportunities = 80_000) {
  const random = generator(seed);
  return simulateDay(contenders(CAMPAIGNS, TOPICS, MIDNIGHT, random), {
    midnight: MIDNIGHT,
    topics: TOPICS,
    opportunities,
    random,
  });
}

describe('A simulated day', () => {
  const courses = day(1);
  const judged = courses.map((course) => judgePlan(course, MIDNIGHT));

  it('overspends no budget, of the total or of the day', () => {
    expect(judged.every(({ withinBudgets }) => withinBudgets)).toBe(true);
    expect(courses.some(({ account }) => account.stored.pausedReason === 'budget')).toBe(true);
    expect(courses.some(({ account }) => account.stored.pausedReason === 'daily_budget')).toBe(true);
    for (const { account } of courses) {
      expect([...account.byDay.values()].reduce((sum, amount) => sum + amount, 0)).toBe(account.balance.spent);
    }
  });

  it('keeps every paced campaign within 5 % of its daily budget of the straight line, at every hour, while traffic suffices', () => {
    const paced = judged.filter(({ isPaced }) => isPaced);
    expect(paced.filter(({ suffices }) => suffices).length).toBeGreaterThanOrEqual(4);
    for (const { suppliedDeviation, course } of paced) {
      expect(suppliedDeviation, course.account.campaign.name).toBeLessThanOrEqual(0.05);
    }
  });

  it('brings clicks, and no campaign pays more than its maxCpb', () => {
    for (const { account } of courses) {
      expect(account.balance.spent).toBeLessThanOrEqual(
        (account.balance.impressions * account.campaign.maxCpb) / 1_000,
      );
    }
    expect(courses.some(({ account }) => account.clicks > 0 && account.conversions > 0)).toBe(true);
  });

  it('is drawn as a line a campaign, and told as a row a campaign', () => {
    const svg = drawSpend(courses);
    expect(svg.match(/class="line /g)).toHaveLength(CAMPAIGNS);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(campaignTable(judged).split('\n')).toHaveLength(CAMPAIGNS + 1);
    expect(planSummary(judged)).toContain(`overspent: 0 of ${CAMPAIGNS}`);
  });

  it('is the same day for the same seed', () => {
    expect(drawSpend(day(2, 5_000))).toBe(drawSpend(day(2, 5_000)));
    expect(drawSpend(day(3, 5_000))).not.toBe(drawSpend(day(2, 5_000)));
  });
});

describe('Its traffic', () => {
  it('is quiet before dawn and busy in the evening, and one on the whole', () => {
    const hours = Array.from({ length: 240 }, (_, tenth) => dailyCurve(tenth / 10));
    expect(hours.reduce((sum, rate) => sum + rate, 0) / hours.length).toBeCloseTo(1, 6);
    expect(Math.min(...hours)).toBeGreaterThan(0.2);
    expect(dailyCurve(4)).toBeLessThan(dailyCurve(20) / 2);
  });

  it('comes as a Poisson process does', () => {
    const random = generator(1);
    const counts = Array.from({ length: 20_000 }, () => arrivals(3, random));
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length;
    expect(mean).toBeCloseTo(3, 1);
    expect(variance).toBeCloseTo(3, 0);
  });
});
