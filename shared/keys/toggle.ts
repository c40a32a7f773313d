import type { Effects } from '../platform/effects.ts';
import { findApiKey, type WholeKey } from './find.ts';

/**
 * Switches a key off or on; the next request finds it so. undefined when the user has no such key. The condition settles the
 * race of two toggles: both flip. A transaction is carried out once though its answer be lost: a leaked key stays off.
 */
export async function toggleApiKey(
  { db }: Pick<Effects, 'db'>,
  owner: string,
  id: string,
): Promise<WholeKey | undefined> {
  for (;;) {
    const key = await findApiKey({ db }, owner, id);
    if (!key) return undefined;
    const isActive = !key.isActive;
    const { ok } = await db.transact([
      {
        table: 'api-keys',
        key: { id },
        update: 'SET #isActive = :after',
        when: '#isActive = :before',
        values: { before: key.isActive, after: isActive },
      },
    ]);
    if (ok) return { ...key, isActive };
  }
}
