import type { Status } from '../../shared/campaigns/campaign.ts';
import type { CampaignBody, Summary } from './bodies.ts';

type Serving = CampaignBody['serving'];
export type Reason = Serving['reasons'][number];

/** The state shown in the list and on the page. Splits the active status into active, scheduled, and not serving. */
export type State = Status | 'scheduled' | 'not_serving';

/** Whether the campaign only waits for its start date. */
export const isWaiting = ({ eligible, reasons }: Serving): boolean =>
  !eligible && reasons.every(({ code, blocking }) => !blocking || code === 'not_started');

export function getState({ status, serving }: Pick<Summary, 'status' | 'serving'>): State {
  if (status !== 'active' || !serving || serving.eligible) return status;
  return isWaiting(serving) ? 'scheduled' : 'not_serving';
}

/** Explains why a campaign does not serve, if its state does not. Null if it serves. */
export function whyNotServing(campaign: Pick<Summary, 'status' | 'serving'>): string | null {
  const state = getState(campaign);
  const reason = campaign.serving?.reasons.find(({ blocking }) => blocking);
  return reason && (state === 'not_serving' || state === 'paused') && reason.code !== state ? reason.message : null;
}
