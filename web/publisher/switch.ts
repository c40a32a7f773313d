import type { Client } from '../../packages/client/src/index.ts';

/**
 * Switches a key on or off. The operation only toggles, and another page or a request with a lost response may have toggled the key too. So
 * toggle only if the key is in the other state, and once more if another toggle interfered.
 */
export async function switchKey(ads: Client, id: string, isActive: boolean): Promise<void> {
  let key = (await ads('GET /api/v1/auth/api-keys')).find((one) => one.id === id);
  while (key && key.isActive !== isActive)
    key = await ads('PATCH /api/v1/auth/api-keys/{id}/toggle', { params: { id } });
}
