import type { Effects } from '../platform/effects.ts';
import type { ApiKey } from './api-key.ts';

/** A user's keys, oldest first. */
export async function listApiKeys({ db }: Pick<Effects, 'db'>, owner: string): Promise<ApiKey[]> {
  const ids: string[] = [];
  const items = db.query({ table: 'api-keys', index: 'byOwner', where: '#owner = :owner', values: { owner } });
  for await (const { id } of items) ids.push(id);
  const found = await db.getAll(
    'api-keys',
    ids.map((id) => ({ id })),
  );
  const keys = new Map(found.map((key) => [key.id, key]));
  return ids.map((id) => keys.get(id)).filter((key) => key !== undefined);
}
