import type { Database } from '../../shared/platform/database.ts';

interface CallMeter {
  bytes: number;
  readUnits: number;
  writeUnits: number;
}

/** A database that counts what DynamoDB would charge for the campaigns and their snapshot. */
export function metered(db: Database): { db: Database; meter: CallMeter } {
  const meter: CallMeter = { bytes: 0, readUnits: 0, writeUnits: 0 };
  return {
    meter,
    db: {
      ...db,
      async get(table, key) {
        const item = await db.get(table, key);
        const bytes = table === 'snapshots' && item ? sizeOf(item) : 0;
        meter.bytes += bytes;
        meter.readUnits += Math.ceil(bytes / 4096); // consistent
        return item;
      },
      async *query(query) {
        for await (const item of db.query(query)) {
          const bytes = sizeOf(item);
          meter.bytes += bytes;
          meter.readUnits += bytes / 8192; // eventually consistent, rounded by the page and not by the item
          yield item;
        }
      },
      async write(write, returning) {
        if (write.table === 'snapshots' && 'put' in write) meter.writeUnits += Math.ceil(sizeOf(write.put) / 1024);
        return db.write(write, returning);
      },
    },
  };
}

/** Bytes of an item ("DynamoDB item sizes and formats", Amazon DynamoDB Developer Guide). */
const sizeOf = (item: object): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value), 0);

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + bytesOf(one) + 1, 3);
  if (typeof value === 'object' && value !== null) return 3 + sizeOf(value) + Object.keys(value).length;
  return 1;
}
