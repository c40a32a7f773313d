import type { Balance } from '../ledgers/balance.ts';
import { rolled, type Settlement } from '../ledgers/settlement.ts';
import { utcDay } from '../platform/clock.ts';
import { type Campaign, type Configuration, dailyLimit, type PausedReason, type Status } from './campaign.ts';
import type { CampaignInput } from './schema.ts';

/** What money and time change of a campaign, besides its user. */
export type Lifecycle = Pick<Campaign, 'status' | 'pausedReason' | 'pausedDay' | 'exhaustions' | 'moneyAt'>;

/**
 * What becomes of a campaign that a charge left without money; undefined when nothing does. The total is exhausted once: by the
 * charge that takes the last of it, whatever the campaign's status, and by no retrieval that comes too late for it.
 */
export function whenSpent(campaign: Campaign, { charged, balance, exhausted }: Settlement): Lifecycle | undefined {
  if (!exhausted) return undefined;
  const { status, pausedReason, pausedDay } = campaign;
  const exhaustions = campaign.exhaustions + (exhausted === 'budget' && charged > 0 ? 1 : 0);
  const moneyAt = spentAndServed(balance);
  if (status === 'active') return { ...pausedFor(exhausted, balance.day), exhaustions, moneyAt };
  return exhaustions > campaign.exhaustions ? { status, pausedReason, pausedDay, exhaustions, moneyAt } : undefined;
}

const spentAndServed = ({ spent, impressions }: Balance): Lifecycle['moneyAt'] => ({ spent, impressions });

/** The reason that a status given by the user brings with it. */
export const pausedBy = (status: Status): PausedReason | null => (status === 'paused' ? 'user' : null);

const pausedFor = (spent: 'budget' | 'daily_budget', day: string) => ({
  status: 'paused' as const,
  pausedReason: spent,
  pausedDay: spent === 'daily_budget' ? day : null,
});

/**
 * What a user's change makes of a campaign's lifecycle. A status that the user sends decides. Otherwise an active campaign whose
 * budget the change puts at or under what is spent is paused for it, and a pause that money began ends when there is some again.
 * @param balance the ledger before the change, when budgets change
 */
export function lifecycleAfter(
  input: CampaignInput,
  before: Campaign,
  after: Configuration,
  balance: Balance | undefined,
  now: number,
): Lifecycle {
  const { used, usedToday, exhausting, day } = balance
    ? afterChange(rolled(balance, utcDay(now)), before, after)
    : { used: false, usedToday: false, exhausting: false, day: '' };
  const exhaustions = before.exhaustions + (exhausting ? 1 : 0);
  const { status } = after;
  const moneyAt = balance ? spentAndServed(balance) : before.moneyAt;
  const { pausedReason, pausedDay } = before;
  if (input.status !== undefined && !isSentBack(input, before)) {
    return { status, pausedReason: pausedBy(status), pausedDay: null, exhaustions, moneyAt };
  }
  const followsMoney = status === 'active' || pausedReason === 'budget' || pausedReason === 'daily_budget';
  if (!balance || !followsMoney) return { status, pausedReason, pausedDay, exhaustions, moneyAt };
  if (used) return { ...pausedFor('budget', day), exhaustions, moneyAt };
  if (usedToday) return { ...pausedFor('daily_budget', day), exhaustions, moneyAt };
  return { status: 'active', pausedReason: null, pausedDay: null, exhaustions, moneyAt };
}

/**
 * A client may send a whole object back (api 1.1). A status that comes with the reason that the campaign has for it says
 * nothing new; taken for its user's word, it would turn a pause for money into one that money cannot end.
 */
const isSentBack = ({ status, pausedReason }: CampaignInput, before: Campaign): boolean =>
  status === before.status && pausedReason !== undefined && pausedReason === before.pausedReason;

/** A budget is used up when something was spent of it and nothing is left. */
function afterChange(balance: Balance, before: Configuration, after: Configuration) {
  const left = balance.remaining + after.budget - before.budget;
  const leftToday = balance.dayRemaining + dailyLimit(after) - dailyLimit(before);
  const used = balance.spent > 0 && left <= 0;
  const usedToday = balance.dailyBudget > balance.dayRemaining && leftToday <= 0;
  return { used, usedToday, exhausting: used && balance.remaining > 0, day: balance.day };
}
