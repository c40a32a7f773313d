import { createHash } from 'node:crypto';
import { DAY_MS, ttlAt } from './clock.ts';
import type { Write } from './database.ts';
import type { Effects } from './effects.ts';

/** A create or rotation that was done with an Idempotency-Key. Contains hashes and an id, never a secret. */
interface IdempotencyRecord {
  /** Hash of user, operation, and key. */
  subject: string;
  /** Hash of the body; for a rotation, also of the path variables. */
  body: string;
  /** The id of what was created or rotated. */
  made: string;
  /** When the key can be used again, epoch milliseconds. */
  until: number;
  ttl: number;
}

declare module './items.ts' {
  interface Items {
    idempotency: IdempotencyRecord;
  }
}

/** The hashes of a request with an Idempotency-Key. */
export type Repeatable = Pick<IdempotencyRecord, 'subject' | 'body'>;

/** Returns the writes to add to the transaction of the create or rotation. @param made the id of what it created or rotated */
export type Alongside = (made: string) => Write<'idempotency'>[];

/** How long a key is remembered. */
const KEPT_MS = DAY_MS;

const hash = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export const repeatable = (owner: string, operation: string, key: string, body: unknown): Repeatable => ({
  subject: hash([owner, operation, key]),
  body: hash(body),
});

/** The write that records a request. Its condition fails if an earlier record is still valid. */
export const repeatRecord = (request: Repeatable, made: string, now: number): Write<'idempotency'> => ({
  table: 'idempotency',
  put: { ...request, made, until: now + KEPT_MS, ttl: ttlAt(now + KEPT_MS) },
  // Two requests with the same key may race here. The expiry is checked, because the store may keep expired items for days.
  when: 'attribute_not_exists(#subject) OR #until <= :now',
  values: { now },
});

/** The record of an earlier request with the same key, if it is still valid. */
export async function findRecord(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  { subject }: Repeatable,
): Promise<IdempotencyRecord | undefined> {
  const found = await db.get('idempotency', { subject });
  return found && found.until > clock.now() ? found : undefined;
}
