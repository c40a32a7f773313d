import { type Balance, rollOver } from '../budgets/balance.ts';
import type { Settlement } from '../budgets/charge.ts';
import { isoTime, utcDay } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { type Campaign, type Configuration, getDailyBudget, type PausedReason, type Status } from './campaign.ts';
import type { CampaignInput } from './campaign-schema.ts';
import { campaignKey } from './items.ts';

/** What money and time change of a campaign, besides its user. */
type Lifecycle = Pick<Campaign, 'status' | 'pausedReason' | 'pausedDay' | 'exhaustions' | 'moneyAt'>;

/**
 * What becomes of a campaign that a charge left without money; undefined when nothing does. The total is exhausted once: by the
 * charge that takes the last of it, whatever the campaign's status, and by no retrieval that comes too late for it.
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

/** The reason that a status given by the user brings with it. */
export const pausedBy = (status: Status): PausedReason | null => (status === 'paused' ? 'user' : null);

const pausedFor = (spent: 'budget' | 'daily_budget', day: string) => ({
  status: 'paused' as const,
  pausedReason: spent,
  pausedDay: spent === 'daily_budget' ? day : null,
});

/** Whether the user's change asks for a status, and so decides over what time and money made of the campaign before. */
const asksForStatus = ({ status, pausedReason }: CampaignInput, before: Campaign): boolean =>
  status !== undefined &&
  // A client may send a whole object back (api 1.1). A status that comes with the reason that the campaign has for it says nothing
  // new; taken for the user's word, it would turn a pause for money into one that money cannot end.
  !(status === before.status && pausedReason !== undefined && pausedReason === before.pausedReason);

/** Whether the lifecycle after a user's change depends on what is left of the budgets. */
export const dependsOnMoney = (input: CampaignInput, before: Campaign, after: Configuration): boolean =>
  before.budget !== after.budget ||
  getDailyBudget(before) !== getDailyBudget(after) ||
  (after.status === 'active' && asksForStatus(input, before));

/**
 * What a user's change makes of a campaign's lifecycle. A status that the user asks for holds, except that money and time apply to an
 * active campaign at once: it is paused when a budget of which something was spent has nothing left, and completed after its end. So
 * what is answered, stored, and told agree. A pause for money ends when there is money again.
 * @param balance before the change, if the lifecycle depends on it
 */
export function applyToLifecycle(
  input: CampaignInput,
  before: Campaign,
  after: Configuration,
  balance: Balance | undefined,
  now: number,
): Lifecycle {
  const today = balance && rollOver(balance, utcDay(now));
  const left = today && leftAfter(today, before, after);
  const { status, endDate } = after;
  const { pausedReason, pausedDay } = asksForStatus(input, before)
    ? { pausedReason: pausedBy(status), pausedDay: null }
    : before;
  const wanted: State = { status, pausedReason, pausedDay };
  const state = left ? underMoney(wanted, left) : wanted;
  const { endDate: _, ...inTime } = asOf({ ...state, endDate }, now);
  return {
    ...inTime,
    // Lowering a budget is told only if it was never exhausted before: its user knows what they have set. Spending a raised one is news each time.
    exhaustions: before.exhaustions + (left?.isExhausting && before.exhaustions === 0 ? 1 : 0),
    moneyAt: balance ? spentAndServed(balance) : before.moneyAt,
  };
}

type State = Pick<Lifecycle, 'status' | 'pausedReason' | 'pausedDay'>;

/** What money makes of a campaign that is to serve, or was paused for money; nothing of any other. */
function underMoney(wanted: State, { used, day }: Left): State {
  const { status, pausedReason } = wanted;
  if (status !== 'active' && pausedReason !== 'budget' && pausedReason !== 'daily_budget') return wanted;
  return used ? pausedFor(used, day) : { status: 'active', pausedReason: null, pausedDay: null };
}

interface Left {
  /** The budget of which something was spent and nothing is left; the total's end outranks the day's. */
  used: 'budget' | 'daily_budget' | null;
  /** Whether it is this change that leaves nothing of the total. */
  isExhausting: boolean;
  day: string;
}

/** What a change of budgets leaves of them. */
function leftAfter(balance: Balance, before: Configuration, after: Configuration): Left {
  const left = balance.remaining + after.budget - before.budget;
  const leftToday = balance.dayRemaining + getDailyBudget(after) - getDailyBudget(before);
  const isUsed = balance.spent > 0 && left <= 0;
  const isUsedToday = balance.dailyBudget > balance.dayRemaining && leftToday <= 0;
  const used = isUsed ? 'budget' : isUsedToday ? 'daily_budget' : null;
  return { used, isExhausting: isUsed && balance.remaining > 0, day: balance.day };
}

type Timed = Pick<Campaign, 'status' | 'pausedReason' | 'pausedDay' | 'endDate'>;

/**
 * A campaign as it stands at a moment. Time alone ends a day's pause and completes a campaign; a schedule writes that down
 * later, and every reader knows it at once, so nothing depends on the schedule being on time.
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

/** A change of lifecycle that no user asked for; the stream's record of it is the fact that sends the event. */
export const writeLifecycle = (campaign: Campaign, lifecycle: Lifecycle, now: number): Write<'campaigns'> => ({
  table: 'campaigns',
  key: campaignKey(campaign.owner, campaign.id),
  update:
    'SET #status = :status, #pausedReason = :pausedReason, #pausedDay = :pausedDay, #exhaustions = :exhaustions, ' +
    '#moneyAt = :moneyAt, #updatedAt = :time, #changedAt = :now, #version = :next',
  when: '#version = :version', // settles the race with its user's own change
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

/** Writes down a lifecycle that time alone has brought about, unless something else changed the campaign meanwhile. */
export async function storeLifecycle({ db, clock }: Pick<Effects, 'db' | 'clock'>, campaign: Campaign): Promise<void> {
  const now = clock.now();
  const current = asOf(campaign, now);
  if (current !== campaign) await db.write(writeLifecycle(campaign, current, now));
}
