import type { Client, Result } from '../../packages/client/src/index.ts';

type Key = Result<'PATCH /api/v1/auth/api-keys/{id}/toggle'>;

/**
 * Switches a key on or off. The operation only toggles, and another page or a request with a lost response may have toggled the key too. So
 * toggle only if the key is in the other state, and once more if another toggle interfered.
 */
export async function switchKey(ads: Client, id: string, isActive: boolean): Promise<{ before: Key; key: Key }> {
  const params = { id };
  // No retries here: each caller decides whether and when to try again.
  const once = { retries: 0 };
  const before = await ads('GET /api/v1/auth/api-keys/{id}', { params }, once);
  let key: Key = before;
  while (key.isActive !== isActive) key = await ads('PATCH /api/v1/auth/api-keys/{id}/toggle', { params }, once);
  return { before, key };
}
