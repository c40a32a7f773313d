import { useState } from 'preact/hooks';
import { useAct } from '../parts/live.ts';
import { showToast } from '../parts/toasts.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody, Summary } from './bodies.ts';
import { explainState, getAction } from './state.ts';

interface ToggleProps {
  campaign: Pick<Summary, 'id' | 'name' | 'status' | 'serving' | 'budget' | 'dailyBudget'>;
  onSaved(saved: CampaignBody): Promise<void> | void;
  look: string;
}

/** Pauses, resumes, or launches a campaign. */
export function Toggle({ campaign, onSaved, look }: ToggleProps) {
  const { id, name } = campaign;
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const [obstacle, setObstacle] = useState<string | null>(null);
  const action = getAction(campaign);
  const go = ({ status, done }: NonNullable<typeof action>) =>
    act(async () => {
      const saved = await ads('PATCH /api/v1/campaigns/{id}', { params: { id }, body: { status } });
      const isDone = saved.status === status;
      setObstacle(isDone ? null : explainState(saved));
      if (isDone) showToast(`${name} ${done}`);
      await onSaved(saved);
    });
  const fault = problem ?? obstacle;
  return (
    <>
      {action && (
        <button
          type="button"
          class={look}
          aria-disabled={isBusy}
          onClick={() => go(action)}
          aria-label={`${action.verb} ${name}`}
        >
          {isBusy ? action.doing : action.verb}
        </button>
      )}
      {!action && campaign.status === 'draft' && (
        // The form shows everything that the draft lacks.
        <a class={`button ${look}`} href={`/campaigns/${id}/edit?launch=1`} aria-label={`Finish ${name}`}>
          Finish
        </a>
      )}
      {fault && (
        <small class="fault" role="alert">
          {fault}
        </small>
      )}
    </>
  );
}
