import { useMemo } from 'preact/hooks';
import { formatClickRate, formatCount, formatUsd } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import { StatusBadge } from '../parts/status.tsx';
import type { Summary } from './bodies.ts';
import { getState, whyNotServing } from './state.ts';
import { Toggle } from './toggle.tsx';

interface CampaignRowProps {
  campaign: Summary;
  onDone(): Promise<void>;
}

/** A campaign in the list. Skips rendering if unchanged, because each poll loads the whole list. */
export const CampaignRow = (properties: CampaignRowProps) =>
  useMemo(() => <Row {...properties} />, [JSON.stringify(properties.campaign)]);

function Row({ campaign, onDone }: CampaignRowProps) {
  const { id, name, spentBudget, budget, performance } = campaign;
  const why = whyNotServing(campaign);
  return (
    <tr>
      <th scope="row">
        <a dir="auto" href={`/campaigns/${id}`}>
          {name}
        </a>
      </th>
      <td>
        <StatusBadge of={getState(campaign)} />
        {why && <small class="below">{why}</small>}
      </td>
      <td class="spent" data-label="Spent of budget">
        <span>
          {formatUsd(spentBudget)} <small>of {formatUsd(budget)}</small>
        </span>
        <Bar label={`Spent of the budget of ${name}`} part={spentBudget} whole={budget} />
      </td>
      <td class="number" data-label="Impressions">
        {formatCount(performance.impressions)}
      </td>
      <td class="number" data-label="Clicks">
        {formatCount(performance.clicks)}
      </td>
      <td class="number" data-label="CTR">
        {formatClickRate(performance)}
      </td>
      <td class="end">
        <Toggle campaign={campaign} onDone={onDone} />
      </td>
    </tr>
  );
}
