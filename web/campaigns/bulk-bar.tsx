import { counted, formatCount } from '../format.ts';
import { useSecondsRefused } from '../health.ts';
import { Seconds } from '../parts/refused.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody, Summary } from './bodies.ts';
import { BULK, type Run, useBulk } from './bulk.ts';
import type { Select } from './selection.ts';

interface BulkBarProps {
  chosen: readonly Summary[];
  matching: readonly Summary[];
  onSelect: Select;
  onSaved(saved: CampaignBody): void;
}

/** What can be done with the selected campaigns, and how it goes. */
export default function BulkBar({ chosen, matching, onSelect, onSaved }: BulkBarProps) {
  const { run, isRunning, start, stop, dismiss } = useBulk({ onSaved, onSelect });
  const actions = BULK.map(({ action, applies }) => ({ action, campaigns: chosen.filter(applies) }));
  return (
    <fieldset class={run || chosen.length > 0 ? 'card bulk' : ''} aria-label="Selected campaigns">
      <p role="status" class="unseen">
        {run ? announce(run) : ''}
      </p>
      {run && <Progress run={run} onStop={stop} onDismiss={dismiss} />}
      {!isRunning && chosen.length > 0 && (
        <div class="actions">
          <strong>{formatCount(chosen.length)} selected</strong>
          {actions.map(
            ({ action, campaigns }) =>
              campaigns.length > 0 && (
                <button key={action.verb} type="button" class="small" onClick={() => start(action, campaigns)}>
                  {action.verb} {formatCount(campaigns.length)}
                </button>
              ),
          )}
          {actions.every(({ campaigns }) => campaigns.length === 0) && (
            <small>Only live and paused campaigns can be paused or resumed.</small>
          )}
          {chosen.length < matching.length && (
            <button
              type="button"
              class="small"
              onClick={() =>
                onSelect(
                  matching.map(({ id }) => id),
                  true,
                )
              }
            >
              Select all {formatCount(matching.length)}
            </button>
          )}
          <button
            type="button"
            class="small"
            onClick={() =>
              onSelect(
                chosen.map(({ id }) => id),
                false,
              )
            }
          >
            Clear selection
          </button>
        </div>
      )}
    </fieldset>
  );
}

const summarize = ({ action, done, total }: Run): string =>
  `${capitalize(action.done)} ${formatCount(done)} of ${counted(total, 'campaign')}.`;

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Read aloud: only that it waits, and how it ended, not every campaign. */
function announce(run: Run): string {
  if (run.isOver) return [summarize(run), run.stopped].filter(Boolean).join(' ');
  return run.isWaiting ? 'Waiting for the service to accept more requests.' : run.action.doing;
}

interface ProgressProps {
  run: Run;
  onStop(): void;
  onDismiss(): void;
}

const Progress = ({ run, onStop, onDismiss }: ProgressProps) => (
  <>
    <div class="actions">
      <span>
        {summarize(run)} {run.isWaiting && <Countdown />}
        {run.stopped}
      </span>
      <button type="button" class="small" onClick={run.isOver ? onDismiss : onStop}>
        {run.isOver ? 'Dismiss' : 'Stop'}
      </button>
    </div>
    {run.failures.length > 0 && (
      <ul class="failures">
        {run.failures.map(({ campaign: { id, name }, message }) => (
          <li key={id}>
            <a href={`/campaigns/${id}`} dir="auto">
              {name}
            </a>{' '}
            <span class="fault">{message}</span>
          </li>
        ))}
      </ul>
    )}
  </>
);

function Countdown() {
  const seconds = useSecondsRefused(useSession().health);
  return (
    <>
      Continues in <Seconds left={Math.max(1, seconds)} />.
    </>
  );
}
