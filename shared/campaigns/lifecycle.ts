import { type Balance, rollOver } from '../budgets/balance.ts';
import type { Settlement } from '../budgets/charge.ts';
import { isoTime, utcDay } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { type Campaign, type Configuration, getDailyBudget, type PausedReason, type Status } from './campaign.ts';
import type { CampaignInput } from './campaign-schema.ts';
import { campaignKey } from './items.ts';

/** The fields that change not only by the user, but also by spending and by time. */
type Lifecycle = Pick<Campaign, 'status' | 'pausedReason' | 'pausedDay' | 'exhaustions' | 'moneyAt'>;

/**
 * The lifecycle after a charge that used up a budget; undefined if nothing changes. Only the charge that takes the last of the total budget
 * counts as an exhaustion, whatever the status; later retrievals that find no budget do not count.
 */
export function pauseIfSpent(campaign: Campaign, { charged, balance, exhausted }: Settlement): Lifecycle | undefined {
  if (!exhausted) return undefined;
  const { status, pausedReason, pausedDay } = campaign;
  const exhaustions = campaign.exhaustions + (exhausted === 'budget' && charged > 0 ? 1 : 0);
  const moneyAt = spentAndServed(balance);
  if (status === 'active') return { ...pausedFor(exhausted, balance.day), exhaustions, moneyAt };
  return exhaustions > campaign.exhaustions ? { status, pausedReason, pausedDay, exhaustions, moneyAt } : undefined;
}

const spentAndServed = ({ spent, impressions }: Balance): Lifecycle['moneyAt'] => ({ spent, impressions });

/** The paused reason when the user sets this status. */
export const pausedBy = (status: Status): PausedReason | null => (status === 'paused' ? 'user' : null);

const pausedFor = (spent: 'budget' | 'daily_budget', day: string) => ({
  status: 'paused' as const,
  pausedReason: spent,
  pausedDay: spent === 'daily_budget' ? day : null,
});

/** Whether an update deliberately sets the status, overriding earlier effects of spend and time. */
const asksForStatus = ({ status, pausedReason }: CampaignInput, before: Campaign): boolean =>
  status !== undefined &&
  // A client may send a whole campaign back (api 1.1). If `status` and `pausedReason` are both unchanged, it is not a request to pause:
  // that would turn a budget pause into a user pause, which new budget cannot end.
  !(status === before.status && pausedReason !== undefined && pausedReason === before.pausedReason);

/** Whether the lifecycle after an update depends on the remaining budget. */
export const dependsOnBudget = (input: CampaignInput, before: Campaign, after: Configuration): boolean =>
  before.budget !== after.budget ||
  getDailyBudget(before) !== getDailyBudget(after) ||
  (after.status === 'active' && asksForStatus(input, before));

/**
 * The lifecycle after an update. The status set by the user applies, but an active campaign is paused at once if a budget is used up, and
 * completed if its end has passed. So the response, the stored campaign, and the events agree. A budget pause ends when there is budget
 * again.
 * @param balance before the update, if the lifecycle depends on it
 */
export function applyToLifecycle(
  input: CampaignInput,
  before: Campaign,
  after: Configuration,
  balance: Balance | undefined,
  now: number,
): Lifecycle {
  const today = balance && rollOver(balance, utcDay(now));
  const left = today && getRemaining(today, before, after);
  const { status, endDate } = after;
  const { pausedReason, pausedDay } = asksForStatus(input, before)
    ? { pausedReason: pausedBy(status), pausedDay: null }
    : before;
  const wanted: State = { status, pausedReason, pausedDay };
  const state = left ? applyBudget(wanted, left) : wanted;
  const { endDate: _, ...inTime } = asOf({ ...state, endDate }, now);
  return {
    ...inTime,
    // Lowering the budget below the spend counts only as the first exhaustion, because the user caused it. Spending a raised budget counts
    // each time.
    exhaustions: before.exhaustions + (left?.isExhausting && before.exhaustions === 0 ? 1 : 0),
    moneyAt: balance ? spentAndServed(balance) : before.moneyAt,
  };
}

type State = Pick<Lifecycle, 'status' | 'pausedReason' | 'pausedDay'>;

/**
 * Pauses or resumes a campaign that is active or paused for budget, depending on the remaining budget. Other campaigns stay as they are.
 */
function applyBudget(wanted: State, { used, day }: Remaining): State {
  const { status, pausedReason } = wanted;
  if (status !== 'active' && pausedReason !== 'budget' && pausedReason !== 'daily_budget') return wanted;
  return used ? pausedFor(used, day) : { status: 'active', pausedReason: null, pausedDay: null };
}

interface Remaining {
  /** The budget that is used up; the total takes precedence over the daily one. A budget without any spend is not used up. */
  used: 'budget' | 'daily_budget' | null;
  /** Whether this update uses up the total budget. */
  isExhausting: boolean;
  day: string;
}

/** The remaining budgets after an update. */
function getRemaining(balance: Balance, before: Configuration, after: Configuration): Remaining {
  const left = balance.remaining + after.budget - before.budget;
  const leftToday = balance.dayRemaining + getDailyBudget(after) - getDailyBudget(before);
  const isUsed = balance.spent > 0 && left <= 0;
  const isUsedToday = balance.dailyBudget > balance.dayRemaining && leftToday <= 0;
  const used = isUsed ? 'budget' : isUsedToday ? 'daily_budget' : null;
  return { used, isExhausting: isUsed && balance.remaining > 0, day: balance.day };
}

type Timed = Pick<Campaign, 'status' | 'pausedReason' | 'pausedDay' | 'endDate'>;

/**
 * The campaign as of `now`: with time, daily pauses end and campaigns complete. Every reader applies this, so it does not matter when the
 * schedule stores it.
 */
export function asOf<C extends Timed>(campaign: C, now: number): C {
  const { status, pausedReason, pausedDay, endDate } = campaign;
  if ((status === 'active' || status === 'paused') && endDate && now > Date.parse(endDate)) {
    return { ...campaign, status: 'completed', pausedReason: null, pausedDay: null };
  }
  if (status === 'paused' && pausedReason === 'daily_budget' && pausedDay! < utcDay(now)) {
    return { ...campaign, status: 'active', pausedReason: null, pausedDay: null };
  }
  return campaign;
}

/** The write of a lifecycle change caused by spend or time. Its stream record sends the event. */
export const writeLifecycle = (campaign: Campaign, lifecycle: Lifecycle, now: number): Write<'campaigns'> => ({
  table: 'campaigns',
  key: campaignKey(campaign.owner, campaign.id),
  update:
    'SET #status = :status, #pausedReason = :pausedReason, #pausedDay = :pausedDay, #exhaustions = :exhaustions, ' +
    '#moneyAt = :moneyAt, #updatedAt = :time, #changedAt = :now, #version = :next',
  when: '#version = :version', // settles the race with an update by the user
  values: {
    status: lifecycle.status,
    pausedReason: lifecycle.pausedReason,
    pausedDay: lifecycle.pausedDay,
    exhaustions: lifecycle.exhaustions,
    moneyAt: lifecycle.moneyAt ?? null,
    time: isoTime(now),
    now,
    version: campaign.version,
    next: campaign.version + 1,
  },
});

/** Stores a lifecycle that time has changed. If the campaign changes at the same time, that change wins. */
export async function storeLifecycle({ db, clock }: Pick<Effects, 'db' | 'clock'>, campaign: Campaign): Promise<void> {
  const now = clock.now();
  const current = asOf(campaign, now);
  if (current !== campaign) await db.write(writeLifecycle(campaign, current, now));
}
