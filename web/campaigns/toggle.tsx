import { useState } from 'preact/hooks';
import { useAct } from '../parts/live.ts';
import { FailureText } from '../parts/problem.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody, Summary } from './bodies.ts';
import { type Action, getAction, getResult } from './state.ts';

interface ToggleProps {
  campaign: Pick<Summary, 'id' | 'name' | 'status' | 'serving' | 'budget' | 'dailyBudget'>;
  onSaved(saved: CampaignBody): void;
  look: string;
}

/** Pauses, resumes, or launches a campaign. */
export function Toggle({ campaign, onSaved, look }: ToggleProps) {
  const { id, name } = campaign;
  const { ads, toasts } = useSession();
  const { isBusy, problem, act } = useAct();
  const [obstacle, setObstacle] = useState<string | null>(null);
  const action = getAction(campaign);
  const go = (chosen: Action) =>
    act(async () => {
      const body = { status: chosen.status };
      const saved = await ads('PATCH /api/v1/campaigns/{id}', { params: { id }, body });
      const result = getResult(saved, chosen);
      setObstacle('obstacle' in result ? result.obstacle : null);
      if ('done' in result) toasts.show(`${name} ${result.done}`);
      onSaved(saved);
    });
  const fault = problem ?? obstacle;
  return (
    <>
      {action && action !== 'finish' && (
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
      {action === 'finish' && (
        // The form shows everything that the campaign lacks.
        <a class={`button ${look}`} href={`/campaigns/${id}/edit?launch=1`} aria-label={`Finish ${name}`}>
          Finish
        </a>
      )}
      {fault && (
        <small class="fault" role="alert">
          <FailureText of={fault} />
        </small>
      )}
    </>
  );
}
