import type { Toasts } from '../toasts.ts';
import type { CampaignBody } from './bodies.ts';
import { type Action, getResult } from './state.ts';

/** Confirms that a saved campaign has started, or says why it does not serve. */
export function confirmStart(toasts: Toasts, saved: CampaignBody, action: Action): void {
  const result = getResult(saved, action);
  if ('done' in result) toasts.show(`Campaign ${result.done}`);
  else toasts.show(`Campaign saved, but it is not serving. ${result.obstacle}`, { isProblem: true });
}
