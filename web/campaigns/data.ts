import { useDeleted, useWasDeleted } from '../deletions/hooks.ts';
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

export function useCampaign(id: string): Live<CampaignBody> {
  const { ads, deletions } = useSession();
  const live = useLive(() => ads('GET /api/v1/campaigns/{id}', { params: { id } }), [ads, id]);
  const wasDeleted = useWasDeleted(deletions, id, live.again);
  return { ...live, isMissing: live.isMissing || wasDeleted };
}
