import type { Status } from '../../shared/campaigns/campaign.ts';
import type { Summary } from './bodies.ts';

type Campaign = Pick<Summary, 'status' | 'serving' | 'budget' | 'dailyBudget'>;
export type Reason = NonNullable<Summary['serving']>['reasons'][number];

/** The state shown in the list and on the page. Splits the active status into active, scheduled, and not serving. */
export type State = Status | 'scheduled' | 'not_serving';

const findBlockers = ({ serving }: Pick<Summary, 'serving'>): readonly Reason[] =>
  serving?.reasons.filter(({ blocking }) => blocking) ?? [];

const has = (campaign: Pick<Summary, 'serving'>, code: Reason['code']): boolean =>
  findBlockers(campaign).some((reason) => reason.code === code);

export function getState(campaign: Pick<Summary, 'status' | 'serving'>): State {
  const { status, serving } = campaign;
  if (status !== 'active' || !serving || serving.eligible) return status;
  return findBlockers(campaign).every(({ code }) => code === 'not_started') ? 'scheduled' : 'not_serving';
}

/** Whether the user paused the campaign. Otherwise its budget did, and it resumes by itself. */
export const isPausedByUser = (campaign: Pick<Summary, 'status' | 'serving'>): boolean =>
  campaign.status === 'paused' && (!campaign.serving || has(campaign, 'paused'));

/** Whether the reason is a budget that is used up, not one that was never set. */
export const isSpent = ({ code }: Reason, { budget, dailyBudget }: Campaign): boolean =>
  (code === 'budget' && budget > 0) || (code === 'daily_budget' && dailyBudget > 0);

/** Reasons that the state itself states. */
const STATED: Partial<Record<State, readonly Reason['code'][]>> = {
  draft: ['draft', 'not_started'],
  paused: ['paused', 'not_started'],
  scheduled: ['not_started'],
  completed: ['completed', 'ended', 'not_started'],
  cancelled: ['cancelled', 'not_started'],
};

/** What must be fixed before the campaign can serve, in addition to what its state says. */
export function findFaults(campaign: Campaign): readonly Reason[] {
  const stated = STATED[getState(campaign)] ?? [];
  return findBlockers(campaign).filter((reason) => !stated.includes(reason.code));
}

/** Explains a reason in the desk's words. */
export function explain(reason: Reason, campaign: Campaign): string {
  if (!isSpent(reason, campaign)) return reason.message;
  return reason.code === 'budget'
    ? 'The budget is spent. Add budget to resume.'
    : 'Today’s budget is spent. It resumes tomorrow (UTC).';
}

/** Explains why a campaign does not serve, if its state does not. Null if it serves, or if the user stopped it. */
export function whyNotServing(campaign: Campaign): string | null {
  const state = getState(campaign);
  const [first] = findFaults(campaign);
  const isUnexpected = state === 'not_serving' || (state === 'paused' && !isPausedByUser(campaign));
  return first && isUnexpected ? explain(first, campaign) : null;
}

/** What keeps a campaign from serving if it is activated: not its present state, and not what passes by itself. */
export function findObstacles(campaign: Campaign): readonly Reason[] {
  const passes = ({ code }: Reason) => code === 'daily_budget' && campaign.dailyBudget > 0;
  return findBlockers(campaign).filter((reason) => !NO_OBSTACLES.includes(reason.code) && !passes(reason));
}

const NO_OBSTACLES: readonly Reason['code'][] = ['draft', 'paused', 'completed', 'cancelled', 'not_started'];

/** Explains why a change of the status did not last. */
function explainState(saved: Campaign): string {
  const [fault] = findFaults(saved);
  return fault ? explain(fault, saved) : 'Its end date has passed.';
}

/** What a button does to the status of a campaign. */
export interface Action {
  status: Extract<Status, 'active' | 'paused'>;
  verb: string;
  /** The verb while the request is under way, and after it. */
  doing: string;
  done: string;
}

export const PAUSE: Action = { status: 'paused', verb: 'Pause', doing: 'Pausing…', done: 'paused' };
export const RESUME: Action = { status: 'active', verb: 'Resume', doing: 'Resuming…', done: 'resumed' };
export const LAUNCH: Action = { status: 'active', verb: 'Launch', doing: 'Launching…', done: 'launched' };
export const RESTART: Action = { status: 'active', verb: 'Run again', doing: 'Starting…', done: 'running again' };

/** The action that starts a stopped campaign. Null if it is active, if it resumes by itself, or if it needs a later end date first. */
export function getStart(campaign: Pick<Campaign, 'status' | 'serving'>): Action | null {
  switch (campaign.status) {
    case 'active':
      return null;
    case 'paused':
      return isPausedByUser(campaign) ? RESUME : null;
    case 'draft':
      return LAUNCH;
    case 'completed':
      return has(campaign, 'ended') ? null : RESTART;
    case 'cancelled':
      return RESTART;
  }
}

/** The action that makes sense for a campaign: `finish` if it has to be completed before it can start. */
export function getAction(campaign: Campaign): Action | 'finish' | null {
  if (campaign.status === 'active') return PAUSE;
  const start = getStart(campaign);
  return start && findObstacles(campaign).length > 0 ? 'finish' : start;
}

/** How the action turned out: what to confirm, or why the campaign does not serve. */
export function getResult(saved: Campaign, { status, done }: Action): { done: string } | { obstacle: string } {
  const state = getState(saved);
  if (saved.status !== status || state === 'not_serving') return { obstacle: explainState(saved) };
  return { done: state === 'scheduled' ? 'scheduled' : done };
}
