import { useMemo } from 'preact/hooks';
import { StatusBadge } from '../parts/status.tsx';
import type { CampaignBody, Summary } from './bodies.ts';
import { Numbers } from './numbers.tsx';
import { getState, whyNotServing } from './state.ts';
import { Toggle } from './toggle.tsx';

interface CampaignRowProps {
  campaign: Summary;
  isSelected: boolean;
  onPick(id: string, isOn: boolean, isRange: boolean): void;
  onSaved(saved: CampaignBody): void;
}

/** A campaign in the list. Skips rendering if unchanged, because each poll loads the whole list. */
export const CampaignRow = (properties: CampaignRowProps) =>
  useMemo(() => <Row {...properties} />, [JSON.stringify(properties.campaign), properties.isSelected]);

function Row({ campaign, isSelected, onPick, onSaved }: CampaignRowProps) {
  const { id, name, status, spentToday, spentBudget, budget, performance } = campaign;
  const why = whyNotServing(campaign);
  const isOver = status === 'completed' || status === 'cancelled';
  return (
    <tr class={isSelected ? 'selected' : ''}>
      <td class="pick">
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={isSelected}
          onClick={({ currentTarget: { checked }, shiftKey }) => onPick(id, checked, shiftKey)}
        />
      </td>
      <th scope="row">
        <a dir="auto" href={`/campaigns/${id}`}>
          {name}
        </a>
      </th>
      <td>
        <StatusBadge of={getState(campaign)} />
        {why && <small class="below">{why}</small>}
      </td>
      <Numbers name={name} today={spentToday} spend={spentBudget} budget={budget} performance={performance} />
      <td class="end">{!isOver && <Toggle campaign={campaign} onSaved={onSaved} look="small" />}</td>
    </tr>
  );
}
