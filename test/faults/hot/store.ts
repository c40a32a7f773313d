import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../../shared/platform/clock.ts';
import type { Database } from '../../../shared/platform/database.ts';
import type { Ids } from '../../../shared/platform/ids.ts';
import { createRetry, getFault } from '../../../shared/platform/retry.ts';
import { type TableName, tableShape } from '../../../shared/platform/tables.ts';
import type { createMemoryDatabase, Gate } from '../../memory/database.ts';
import type { AnyItem } from '../../memory/untyped-database.ts';

/** How long a transaction locks its items. Other writes of these items conflict. */
const TRANSACTION_MS = 8;
const SINGLE_MS = 4;
/** The capacity of a partition, in units per second. */
const PARTITION = { read: 3_000, write: 1_000 };
/** The maximum size of a campaign. Other items count with their actual size. */
const CAMPAIGN_BYTES = 20_480;

export interface StoreCounts {
  transactions: number;
  writes: number;
  reads: number;
  conflicts: number;
  throttled: number;
  writeUnits: number;
}

const throttled = () => Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
const conflict = (isTransaction: boolean) =>
  isTransaction
    ? new TransactionCanceledException({
        message: 'conflict',
        $metadata: {},
        CancellationReasons: [{ Code: 'TransactionConflict' }],
      })
    : Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });

/** An in-memory store with the latency of DynamoDB: transactions lock items, and partitions have a limited capacity. */
export function hotStore(
  memory: ReturnType<typeof createMemoryDatabase>,
  { clock, exactly }: { clock: Clock; exactly: () => number },
  ids: Ids,
): { db: Database; counts: StoreCounts } {
  const counts: StoreCounts = { transactions: 0, writes: 0, reads: 0, conflicts: 0, throttled: 0, writeUnits: 0 };
  const heldUntil = new Map<string, number>();
  const buckets = new Map<string, { units: number; at: number }>();

  /** Takes units from a partition's token bucket, which contains at most one second of capacity. */
  function takeUnits(kind: 'read' | 'write', partition: string, units: number): boolean {
    const name = `${kind} ${partition}`;
    const capacity = PARTITION[kind];
    const now = exactly();
    const { units: had, at } = buckets.get(name) ?? { units: capacity, at: now };
    const has = Math.min(capacity, had + ((now - at) / 1000) * capacity);
    const isEnough = has >= units;
    buckets.set(name, { units: isEnough ? has - units : has, at: now });
    return isEnough;
  }
  const getPartition = (table: TableName, item: AnyItem) => `${table} ${item[tableShape(table).key[0]]}`;
  const getItemName = (table: TableName, item: AnyItem) =>
    `${table} ${tableShape(table).key.map((part) => part && item[part])}`;
  const countBytes = (table: TableName, item: AnyItem | undefined) =>
    table === 'campaigns' ? CAMPAIGN_BYTES : Buffer.byteLength(JSON.stringify(item ?? {}));

  const gate: Gate = async ({ method, writes, reads = [] }, act) => {
    const isTransaction = method === 'transact';
    if (writes.length === 0) {
      counts.reads++;
      await clock.sleep(SINGLE_MS);
      for (const [table, key] of reads) {
        const units = Math.ceil(countBytes(table, memory.item(table, key)) / 4096);
        if (takeUnits('read', getPartition(table, key), units)) continue;
        counts.throttled++;
        throw throttled();
      }
      return act();
    }
    counts[isTransaction ? 'transactions' : 'writes']++;
    await clock.sleep(1);
    const items = writes.map((write) => [write.table, 'put' in write ? write.put : write.key] as [TableName, AnyItem]);
    const names = items.map(([table, item]) => getItemName(table, item));
    if (names.some((name) => (heldUntil.get(name) ?? 0) > exactly())) {
      counts.conflicts++;
      throw conflict(isTransaction);
    }
    for (const [table, item] of items) {
      const units = Math.ceil(countBytes(table, memory.item(table, item)) / 1024) * (isTransaction ? 2 : 1);
      counts.writeUnits += units;
      if (takeUnits('write', getPartition(table, item), units)) continue;
      counts.throttled++;
      throw throttled();
    }
    if (!isTransaction) {
      const answer = act();
      await clock.sleep(SINGLE_MS - 1);
      return answer;
    }
    for (const name of names) heldUntil.set(name, exactly() + TRANSACTION_MS);
    await clock.sleep(TRANSACTION_MS);
    const answer = act();
    await clock.sleep(1);
    return answer;
  };

  const behind = memory.behind(gate);
  const retry = createRetry({ clock, ids, closeIdleConnections() {} });
  const db: Database = {
    get: (table, key) => retry(() => behind.get(table, key)),
    getAll: (table, keys) => retry(() => behind.getAll(table, keys)),
    query: behind.query,
    write: (write, returning) => retry(() => behind.write(write, returning)),
    transact: (writes, onConflict) =>
      retry(async () => {
        try {
          return await behind.transact(writes);
        } catch (error) {
          if (onConflict !== 'report' || getFault(error) !== 'conflict') throw error;
          return { ok: false, refused: [], isConflict: true };
        }
      }),
  };
  return { db, counts };
}
