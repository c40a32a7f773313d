import { DAY_MS, utcDay } from '../platform/clock.ts';
import { toBiddable } from './biddable.ts';
import { type Campaign, getDailyBudget } from './campaign.ts';
import { findServingReasons } from './eligibility.ts';
import type { OwnedCampaign } from './find.ts';
import { createSpendStats, type SpendStats } from './spend-stats.ts';

const SPENT_SHARE = 0.9;
/** At the start of a day, its first minutes say little about its pace. */
const MIN_ELAPSED_MS = DAY_MS / 24;
/** A campaign whose budget was spent longer ago is over, not in need of attention. */
const SPENT_RECENTLY_MS = 30 * DAY_MS;

/** A campaign that its advertiser may want to change, and why. */
interface CampaignAttention {
  kind: 'not_serving' | 'budget_nearly_spent';
  id: string;
  name: string;
  code: string;
  message: string;
}

/** The campaigns that should serve but do not, recently changed ones first, and those whose budget is nearly spent. */
export function findCampaignsInNeed(campaigns: readonly OwnedCampaign[], now: number): CampaignAttention[] {
  const found = campaigns
    .flatMap(({ campaign, published }) => {
      const need = campaign && findNeed(campaign, published?.stats ?? createSpendStats(campaign.id), now);
      return need ? [{ ...need, id: campaign.id, name: campaign.name, at: campaign.updatedAt }] : [];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
  return found.map(({ at, ...need }) => need);
}

function findNeed(
  campaign: Campaign,
  stats: SpendStats,
  now: number,
): Pick<CampaignAttention, 'kind' | 'code' | 'message'> | undefined {
  const { status, pausedReason, updatedAt } = campaign;
  const isPausedForMoney = status === 'paused' && pausedReason !== 'user';
  if (status !== 'active' && !isPausedForMoney) return undefined;
  const [reason] = findServingReasons(toBiddable(campaign), stats, now);
  if (!reason) return findBudgetNeed(campaign, stats, now);
  if (reason.code === 'not_started') return undefined;
  if (pausedReason === 'budget' && now - Date.parse(updatedAt) > SPENT_RECENTLY_MS) return undefined;
  return { kind: 'not_serving', code: reason.code, message: reason.message };
}

function findBudgetNeed(campaign: Campaign, { spent, day, spentToday }: SpendStats, now: number) {
  const left = campaign.budget - spent;
  const elapsed = Math.max(now % DAY_MS, MIN_ELAPSED_MS);
  const pace = day === utcDay(now) ? Math.min(getDailyBudget(campaign), (spentToday * DAY_MS) / elapsed) : 0;
  const need = (message: string) => ({ kind: 'budget_nearly_spent' as const, code: 'budget', message });
  if (left < pace) return need("At today's pace, the rest of the budget is spent within a day. Raise it to continue.");
  return spent >= SPENT_SHARE * campaign.budget
    ? need('At least 90% of the budget is spent. Raise it to continue.')
    : undefined;
}
