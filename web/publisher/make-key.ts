import type { Session } from '../session.ts';
import type { AdStrictness } from './strictness.tsx';

interface KeyInput {
  name: string;
  publicName?: string | null;
  bidFloor: number;
  mode: 'live' | 'test';
  adStrictness?: AdStrictness;
  turnSpacing?: number | null;
  adsPerConversation?: number | null;
}

/**
 * Creates a key and returns its secret. A retry after a lost response gets only the masked key, so it rotates the key and revokes the lost
 * secret.
 */
export async function makeKey(ads: Session['ads'], body: KeyInput, idempotencyKey: string): Promise<string> {
  const { id, key } = await ads('POST /api/v1/auth/api-keys', { body }, { idempotencyKey });
  if (!key.includes('*')) return key;
  const rotated = await ads('POST /api/v1/auth/api-keys/{id}/rotate', { params: { id }, body: { revokeOld: true } });
  return rotated.key;
}
