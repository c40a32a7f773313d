import type { Result } from '../../packages/client/src/index.ts';
import { type Live, useLive } from '../parts/live.ts';
import { useSession } from '../session.ts';

export const REPORT = 'GET /api/v1/auth/api-keys/{id}/report';
export type KeyBody = Result<'GET /api/v1/auth/api-keys'>[number];
export type KeyDayBody = Result<typeof REPORT>[number];

/** What came of all keys is asked for more seldom than what changes by a click. */
const FIGURES_EVERY_MS = 60_000;
/** Days that the list of keys can be summed up over. */
export const DAYS = [7, 30] as const;

/** The keys and what came of each on the last days, all in one request. */
export function useKeyFigures(days: number): Live<{ days: number; keys: KeyBody[] }> {
  const { ads } = useSession();
  const load = async () => ({ days, keys: await ads('GET /api/v1/auth/api-keys', { query: { days } }) });
  return useLive(load, [ads, days], FIGURES_EVERY_MS);
}

export function useKeys(): Live<KeyBody[]> {
  const { ads } = useSession();
  return useLive(() => ads('GET /api/v1/auth/api-keys'), [ads]);
}
