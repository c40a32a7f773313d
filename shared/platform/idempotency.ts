import { createHash } from 'node:crypto';
import { DAY_MS, ttlAt } from './clock.ts';
import type { Write } from './database.ts';
import type { Effects } from './effects.ts';

/** A create or a rotation was carried out under an Idempotency-Key: hashes and the id of what was made or rotated, never a secret. */
interface IdempotencyRecord {
  /** A hash of user, operation and key. */
  subject: string;
  /** A hash of what was asked: the body, and of a rotation the variables of the path too. */
  body: string;
  /** The id of what was made or rotated. */
  made: string;
  /** Epoch milliseconds. */
  until: number;
  ttl: number;
}

declare module './items.ts' {
  interface Items {
    idempotency: IdempotencyRecord;
  }
}

/** A request that may be repeated, as hashes. */
export type Repeatable = Pick<IdempotencyRecord, 'subject' | 'body'>;

/** What is written in the same transaction as the create or rotation itself; given the id of what it made or rotated. */
export type Alongside = (made: string) => Write<'idempotency'>[];

/** How long a key is remembered. */
const KEPT_MS = DAY_MS;

const hash = (parts: unknown): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

export const repeatable = (owner: string, operation: string, key: string, body: unknown): Repeatable => ({
  subject: hash([owner, operation, key]),
  body: hash(body),
});

/** The record of a request; refused where an earlier one still counts. */
export const repeatRecord = (request: Repeatable, made: string, now: number): Write<'idempotency'> => ({
  table: 'idempotency',
  put: { ...request, made, until: now + KEPT_MS, ttl: ttlAt(now + KEPT_MS) },
  // Settles the race of two requests under one key; the store may keep an item for days after it has expired.
  when: 'attribute_not_exists(#subject) OR #until <= :now',
  values: { now },
});

/** The record of an earlier request under the same key, if it still counts. */
export async function findRecord(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  { subject }: Repeatable,
): Promise<IdempotencyRecord | undefined> {
  const found = await db.get('idempotency', { subject });
  return found && found.until > clock.now() ? found : undefined;
}
