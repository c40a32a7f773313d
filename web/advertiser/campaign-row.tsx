import { Bar } from '../parts/bar.tsx';
import { counted, formatUsd } from '../words.ts';
import type { Summary } from './data.ts';

interface CampaignRowProps {
  campaign: Summary;
  isChosen: boolean;
  onChoose(): void;
  onToggle(): void;
}

/** A campaign with its budget as a bar and the button that pauses or resumes it. */
export function CampaignRow({ campaign, isChosen, onChoose, onToggle }: CampaignRowProps) {
  const { name, status, spentBudget, budget, performance } = campaign;
  return (
    <li class={isChosen ? 'chosen' : ''}>
      <div class="row">
        <button type="button" class="link" aria-pressed={isChosen} onClick={onChoose}>
          {name}
        </button>
        <span class={`status ${status}`}>{status}</span>
        <button type="button" onClick={onToggle} aria-label={`${status === 'active' ? 'Pause' : 'Resume'} ${name}`}>
          {status === 'active' ? 'Pause' : 'Resume'}
        </button>
      </div>
      <Bar label={`Spent of the budget of ${name}`} part={spentBudget} whole={budget} />
      <small>
        {formatUsd(spentBudget, 4)} of {formatUsd(budget)} · {counted(performance.impressions, 'impression')} ·{' '}
        {counted(performance.clicks, 'click')} · {(performance.ctr * 100).toFixed(1)} % CTR
      </small>
    </li>
  );
}
