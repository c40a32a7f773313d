import { useRef } from 'preact/hooks';
import { type Live, useLive } from '../parts/live.ts';
import { useSession } from '../session.ts';
import type { CampaignBody, Summary } from './bodies.ts';

const EVERY_MS = 10_000;
/** A longer list takes several requests, so it is polled less often. */
const IN_ONE_CALL = 1_000;

/** All campaigns of the visitor, from all pages. */
export function useCampaigns(): Live<Summary[]> {
  const { ads } = useSession();
  const calls = useRef(1);
  const load = async () => {
    const all: Summary[] = [];
    for await (const campaign of ads.list('GET /api/v1/campaigns', { query: { serving: 'true' } })) all.push(campaign);
    calls.current = Math.max(1, Math.ceil(all.length / IN_ONE_CALL));
    return all;
  };
  return useLive(load, [ads], EVERY_MS * calls.current);
}

export function useCampaign(id: string): Live<CampaignBody> {
  const { ads } = useSession();
  return useLive(() => ads('GET /api/v1/campaigns/{id}', { params: { id } }), [ads, id], EVERY_MS / 2);
}
