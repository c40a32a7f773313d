import type { Campaign } from './campaign.ts';

/** Why a campaign cannot take part in any auction now, whatever the conversation; null when it can. */
export type Hindrance = 'paused' | 'budget' | 'no_match';

/** What an active campaign needs to serve (decisions, section 3), less what the ledger alone knows. */
export function hindrance(campaign: Campaign, now: number): Hindrance | null {
  const { status, creative, targetAudience, maxCpb, budget, dailyBudget, startDate, endDate } = campaign;
  if (status !== 'active')
    return campaign.pausedReason === 'budget' || campaign.pausedReason === 'daily_budget' ? 'budget' : 'paused';
  if (startDate && now < Date.parse(startDate)) return 'paused';
  if (endDate && now > Date.parse(endDate)) return 'paused';
  if (budget === 0 || dailyBudget === 0) return 'budget';
  const { keywords, demographics } = targetAudience;
  if (
    !creative.landingUrl ||
    !creative.headline ||
    keywords.length + demographics.interests.length === 0 ||
    maxCpb === 0
  ) {
    return 'no_match';
  }
  return null;
}
