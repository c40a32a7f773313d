import type { Result } from '../../packages/client/src/index.ts';
import { useDeleted } from '../deletions/deletions.ts';
import { type Live, useLive } from '../parts/live.ts';
import { useSession } from '../session.ts';

export const REPORT = 'GET /api/v1/auth/api-keys/{id}/report';
export type KeyBody = Result<'GET /api/v1/auth/api-keys'>[number];
export type KeyDayBody = NonNullable<Result<'GET /api/v1/auth/api-keys/{id}'>['report']>[number];

export const getKeyState = ({ isActive, mode }: KeyBody): 'live' | 'test' | 'disabled' =>
  isActive ? mode : 'disabled';

/** Periods, in days, of the list's totals. */
export const DAYS = [7, 30] as const;

/** Loads the keys and their figures in one request. */
export function useKeyFigures(days: number): Live<{ days: number; keys: KeyBody[] }> {
  const { ads, deletions } = useSession();
  const load = async () => ({ days, keys: await ads('GET /api/v1/auth/api-keys', { query: { days } }) });
  const live = useLive(load, [ads, days]);
  const isDeleted = useDeleted(deletions, live.again);
  const value = live.value && { ...live.value, keys: live.value.keys.filter(({ id }) => !isDeleted(id)) };
  return { ...live, value };
}
