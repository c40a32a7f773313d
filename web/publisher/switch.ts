import type { Client } from '../../packages/client/src/index.ts';

/**
 * Switches a key on or off. The operation only toggles, and another page or a request with a lost response may have toggled the key too. So
 * toggle only if the key is in the other state, and once more if another toggle interfered.
 * @returns whether it was on before
 */
export async function switchKey(ads: Client, id: string, isActive: boolean): Promise<boolean> {
  const before = (await ads('GET /api/v1/auth/api-keys')).find((one) => one.id === id);
  // A key that someone has deleted is in neither state: the service says so.
  for (let key = before; key?.isActive !== isActive; )
    key = await ads('PATCH /api/v1/auth/api-keys/{id}/toggle', { params: { id } });
  return before?.isActive ?? false;
}
