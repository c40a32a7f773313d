import { utcDay } from '../platform/clock.ts';
import type { Campaign } from './campaign.ts';

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
