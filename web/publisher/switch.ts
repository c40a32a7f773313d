import type { Client } from '../../packages/client/src/index.ts';

/**
 * Leaves a key on, or off. The operation flips what it finds, which another page may have flipped, or a request whose answer was
 * lost: so it is asked for only while the key is the other way, and once more where another flip came between.
 */
export async function switchKey(ads: Client, id: string, isActive: boolean): Promise<void> {
  let key = (await ads('GET /api/v1/auth/api-keys')).find((one) => one.id === id);
  while (key && key.isActive !== isActive)
    key = await ads('PATCH /api/v1/auth/api-keys/{id}/toggle', { params: { id } });
}
