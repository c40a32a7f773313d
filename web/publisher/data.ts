import type { Result } from '../../packages/client/src/index.ts';
import { type Live, useLive } from '../parts/live.ts';
import { useSession } from '../session.ts';

export const REPORT = 'GET /api/v1/auth/api-keys/{id}/report';
export type KeyBody = Result<'GET /api/v1/auth/api-keys'>[number];
export type KeyDayBody = Result<typeof REPORT>[number];

export function useKeys(): Live<KeyBody[]> {
  const { ads } = useSession();
  return useLive(() => ads('GET /api/v1/auth/api-keys'), [ads]);
}
