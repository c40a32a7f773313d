import { REPORTED_MS } from '../platform/breakdowns.ts';
import { DAY_MS, isoTime, ttlAt } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { ApiKey } from './api-key.ts';

/** The partition of an owner's deleted keys in key-days, sorted by time. It is no key's ID. */
const partition = (owner: string): string => `deleted#${owner}`;

/** Records what the statements need to know of a deleted key: its ID and name. Its days are kept as long. */
export const recordDeletedKey = ({ owner, id, name }: Pick<ApiKey, 'owner' | 'id' | 'name'>, now: number): Write => ({
  table: 'key-days',
  put: { keyId: partition(owner), day: `${isoTime(now)}#${id}`, name, ttl: ttlAt(now + REPORTED_MS) },
});

/** An exchange may report an impression a little after the deletion of the key. */
const LATE_MS = DAY_MS;

/** The keys that an owner has deleted since a day, at most `limit`, the last deleted first. */
export async function listDeletedKeys(
  { db }: Pick<Effects, 'db'>,
  owner: string,
  since: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  const deleted: { id: string; name: string }[] = [];
  const rows = db.query({
    table: 'key-days',
    where: '#keyId = :keyId AND #day >= :since',
    values: { keyId: partition(owner), since: isoTime(Date.parse(since) - LATE_MS) },
    consistent: true,
    newestFirst: true,
    limit,
  });
  for await (const { day, name = '' } of rows) deleted.push({ id: day.slice(day.indexOf('#') + 1), name });
  return deleted;
}
