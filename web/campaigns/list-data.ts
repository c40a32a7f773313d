import { useCallback, useMemo, useState } from 'preact/hooks';
import { useDeleted } from '../deletions/deletions.ts';
import { type Live, useLive } from '../parts/live.ts';
import { useSession } from '../session.ts';
import type { CampaignBody, Summary } from './bodies.ts';

/** How often a list that takes one request is polled at most. A longer one takes several. */
const EVERY_MS = 10_000;
const IN_ONE_CALL = 1_000;

/** All campaigns of the visitor, from all pages. */
export function useCampaigns(): Live<Summary[]> {
  const { ads, deletions } = useSession();
  const load = async () => {
    const all: Summary[] = [];
    for await (const campaign of ads.list('GET /api/v1/campaigns', { query: { serving: 'true' } })) all.push(campaign);
    return all;
  };
  const live = useLive(load, [ads], (all) => EVERY_MS * Math.max(1, Math.ceil(all.length / IN_ONE_CALL)));
  const isDeleted = useDeleted(deletions, live.again);
  return { ...live, value: live.value?.filter(({ id }) => !isDeleted(id)) ?? null };
}

/** The campaigns with the changes that this page has saved since they were loaded, so that no change needs to load the list again. */
export function useSaved(loaded: readonly Summary[]) {
  const [saved, setSaved] = useState<ReadonlyMap<string, CampaignBody>>(new Map());
  const onSaved = useCallback(
    (campaign: CampaignBody) => setSaved((known) => new Map(known).set(campaign.id, campaign)),
    [],
  );
  const campaigns = useMemo(
    () =>
      loaded.map((campaign): Summary => {
        const change = saved.get(campaign.id);
        return change && change.updatedAt > campaign.updatedAt ? change : campaign;
      }),
    [loaded, saved],
  );
  return { campaigns, onSaved };
}
