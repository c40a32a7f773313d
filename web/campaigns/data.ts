import { useRef } from 'preact/hooks';
import { useDeleted, useWasDeleted } from '../deletions.ts';
import { type Live, useLive } from '../parts/live.ts';
import { useSession } from '../session.ts';
import type { CampaignBody, Summary } from './bodies.ts';

const EVERY_MS = 10_000;
/** A longer list takes several requests, so it is polled less often. */
const IN_ONE_CALL = 1_000;

/** All campaigns of the visitor, from all pages. */
export function useCampaigns(): Live<Summary[]> {
  const { ads, deletions } = useSession();
  const calls = useRef(1);
  const load = async () => {
    const all: Summary[] = [];
    for await (const campaign of ads.list('GET /api/v1/campaigns', { query: { serving: 'true' } })) all.push(campaign);
    calls.current = Math.max(1, Math.ceil(all.length / IN_ONE_CALL));
    return all;
  };
  const live = useLive(load, [ads], EVERY_MS * calls.current);
  const isDeleted = useDeleted(deletions, live.again);
  return { ...live, value: live.value?.filter(({ id }) => !isDeleted(id)) ?? null };
}

export function useCampaign(id: string): Live<CampaignBody> {
  const { ads, deletions } = useSession();
  const live = useLive(() => ads('GET /api/v1/campaigns/{id}', { params: { id } }), [ads, id], EVERY_MS / 2);
  const wasDeleted = useWasDeleted(deletions, id, live.again);
  return { ...live, isMissing: live.isMissing || wasDeleted };
}
