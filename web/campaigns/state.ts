import type { Status } from '../../shared/campaigns/campaign.ts';

/** What the list and the page call a campaign's state: one that is active and begins later is scheduled. */
export type State = Status | 'scheduled';

interface Dated {
  status: Status;
  startDate?: string | null;
}

export const stateOf = ({ status, startDate }: Dated, now = Date.now()): State =>
  status === 'active' && startDate && now < Date.parse(startDate) ? 'scheduled' : status;
