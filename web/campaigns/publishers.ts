import { isId } from '../../shared/platform/values/ids.ts';
import type { Option } from '../combobox/search.ts';
import { MAX_DAYS_BY_VALUE, toPeriod } from '../figures/range.ts';
import { useLive } from '../parts/live.ts';
import { useSession } from '../session.ts';

export const isPublisher = (text: string): boolean => isId('publisher', text);

const NONE: readonly Option[] = [];

/**
 * The publishers that showed a campaign in as many days as one report may have, by the names that advertisers see. None without a campaign.
 */
export function usePublishers(campaignId: string | undefined): readonly Option[] {
  const { ads } = useSession();
  const load = async () => {
    const names = new Map<string, string>();
    if (campaignId === undefined) return NONE;
    const period = toPeriod({ days: MAX_DAYS_BY_VALUE }, Date.now());
    const request = { params: { id: campaignId }, query: { by: 'publisher' as const, ...period } };
    for (const row of await ads('GET /api/v1/campaigns/{id}/report', request))
      if ('value' in row && isPublisher(row.value)) names.set(row.value, row.label);
    return [...names].map(([code, name]) => ({ code, name, synonyms: [], above: code }));
  };
  return useLive(load, [campaignId], null).value ?? NONE;
}
