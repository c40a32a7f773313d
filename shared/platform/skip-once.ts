import { REPORTED_MS, type Subject } from './breakdowns.ts';
import { ttlAt } from './clock.ts';
import { isBefore, positionName, positionText, sequenceText, type Update, withoutCounted } from './count-once.ts';
import type { Database, Values, Write } from './database.ts';
import type { Effects } from './effects.ts';
import type { Key } from './items.ts';
import type { TableName } from './tables.ts';

/**
 * Names the item that a row stores when it skips a stream record. If it exists, the parked copy of the record counts. Otherwise, the copy is void,
 * because the stream has delivered the record again, or will.
 */
export type Claim =
  | { table: 'ledgers'; key: { campaignId: string; row: `mark#${string}` } }
  | { table: 'key-days'; key: Key<'key-days'> };

/** @param part of the work that the row counts */
export function toClaim(subject: Subject, part: string, shard: string, sequence: string): Claim {
  const mark = `mark#parked#${part}#${shard}#${sequence}` as const;
  return 'keyId' in subject
    ? { table: 'key-days', key: { keyId: subject.keyId, day: mark } }
    : { table: 'ledgers', key: { campaignId: subject.campaignId, row: mark } };
}

export const isClaimed = async (db: Database, { table, key }: Claim): Promise<boolean> =>
  (await db.get(table, key)) !== undefined;

const storeClaim = (claim: Claim, ttl: number): Write =>
  claim.table === 'ledgers'
    ? { table: 'ledgers', put: { ...claim.key, ttl } }
    : { table: 'key-days', put: { ...claim.key, ttl } };

/** A transaction has up to 100 writes, one of which moves the position. */
const MAX_CLAIMS = 99;

/**
 * Moves the position of a row past stream records without counting them, and stores their claims. One transaction does both, which settles
 * the race with another delivery of the same records: either that counts a record, or its claim exists.
 * @param records in the order of the shard
 * @param skip returns the write that sets the position and counts nothing
 */
export async function skipOnce<R extends { sequence: string }>(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  shard: string,
  records: readonly R[],
  skip: (position: Values) => Update,
  claimOf: (record: R) => Claim,
): Promise<void> {
  const name = positionName(shard);
  for (let left = records; left.length > 0; ) {
    const some = left.slice(0, MAX_CLAIMS);
    const last = some.at(-1)!.sequence;
    const write = skip({ [name]: positionText(last, clock.now()) });
    const claims = new Map(some.map((record) => [record.sequence, claimOf(record)]));
    const written = await db.transact<TableName>([
      { ...write, when: isBefore(name), values: { ...write.values, first: sequenceText(some[0]!.sequence) } },
      ...[...claims.values()].map((claim) => storeClaim(claim, ttlAt(clock.now() + REPORTED_MS))),
    ]);
    left = written.ok ? left.slice(some.length) : withoutCounted(left, written.refused[0]?.old, name);
  }
}
