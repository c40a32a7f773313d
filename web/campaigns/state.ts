import type { Status } from '../../shared/campaigns/campaign.ts';
import type { CampaignBody, Summary } from './bodies.ts';

type Serving = CampaignBody['serving'];
export type Reason = Serving['reasons'][number];

/** What the list and the page call a campaign's state: of those that are active, whether they take part in auctions, now or later. */
export type State = Status | 'scheduled' | 'not_serving';

/** Whether nothing but its first day keeps a campaign from serving. */
export const isWaiting = ({ eligible, reasons }: Serving): boolean =>
  !eligible && reasons.every(({ code, blocking }) => !blocking || code === 'not_started');

export function stateOf({ status, serving }: Pick<Summary, 'status' | 'serving'>): State {
  if (status !== 'active' || !serving || serving.eligible) return status;
  return isWaiting(serving) ? 'scheduled' : 'not_serving';
}

/** Why a campaign does not serve, where its state does not say it; null where it does. */
export function whyNotServing(campaign: Pick<Summary, 'status' | 'serving'>): string | null {
  const state = stateOf(campaign);
  const reason = campaign.serving?.reasons.find(({ blocking }) => blocking);
  return reason && (state === 'not_serving' || state === 'paused') && reason.code !== state ? reason.message : null;
}
