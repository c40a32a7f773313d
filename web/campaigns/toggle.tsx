import { useState } from 'preact/hooks';
import type { Status } from '../../shared/campaigns/campaign.ts';
import { useAct } from '../parts/live.ts';
import { useSession } from '../session.ts';
import type { CampaignBody, Summary } from './bodies.ts';

/** The action for each status. An ended campaign needs new dates first. */
const NEXT: Partial<Record<Status, { status: Status; deed: string }>> = {
  active: { status: 'paused', deed: 'Pause' },
  paused: { status: 'active', deed: 'Resume' },
  draft: { status: 'active', deed: 'Launch' },
};

/** Why the campaign did not become active: it has ended, or its budget is spent. */
const getObstacle = ({ serving }: CampaignBody): string | null =>
  serving.reasons.find(({ blocking }) => blocking)?.message ?? null;

interface ToggleProps {
  campaign: Pick<Summary, 'id' | 'name' | 'status'>;
  onDone(): Promise<void>;
  isPrimary?: boolean;
}

/** Pauses, resumes or launches a campaign. */
export function Toggle({ campaign: { id, name, status }, onDone, isPrimary = false }: ToggleProps) {
  const { ads } = useSession();
  const { isBusy, problem, act } = useAct();
  const [obstacle, setObstacle] = useState<string | null>(null);
  const next = NEXT[status];
  if (!next) return null;
  const go = () =>
    act(async () => {
      const saved = await ads('PATCH /api/v1/campaigns/{id}', { params: { id }, body: { status: next.status } });
      setObstacle(saved.status === next.status ? null : getObstacle(saved));
      await onDone();
    });
  return (
    <>
      <button
        type="button"
        class={isPrimary ? (next.status === 'active' ? 'primary' : '') : 'small'}
        aria-disabled={isBusy}
        onClick={go}
        aria-label={`${next.deed} ${name}`}
      >
        {next.deed}
      </button>
      {(problem ?? obstacle) && (
        <small class="fault" role="alert">
          {problem ?? obstacle}
        </small>
      )}
    </>
  );
}
