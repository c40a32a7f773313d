import type { Session } from '../session.ts';

interface KeyInput {
  name: string;
  bidFloor: number;
  mode: 'live' | 'test';
}

/**
 * Makes a key; gives its secret. A creation that is repeated after a lost answer is answered with the key masked: nobody has its secret, so
 * it gets another, and the lost one ends.
 */
export async function makeKey(ads: Session['ads'], body: KeyInput, idempotencyKey: string): Promise<string> {
  const { id, key } = await ads('POST /api/v1/auth/api-keys', { body }, { idempotencyKey });
  if (!key.includes('*')) return key;
  const rotated = await ads('POST /api/v1/auth/api-keys/{id}/rotate', { params: { id }, body: { revokeOld: true } });
  return rotated.key;
}
